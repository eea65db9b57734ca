import { essenceOf } from "../http/media_type.ts";
import { maskShapes } from "../redact/secret_shapes.ts";

/** Longer ones, in characters, are cut: they are text of strangers. */
const LONGEST = 200;

/**
 * The media type that a Content-Type of traffic names, as reports and hits show it: cut, and with what is a secret by
 * its shape masked. Empty without a Content-Type.
 *
 * @example
 * ```ts
 * import { mediaTypeText } from "./media_type_text.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(mediaTypeText("Text/HTML; charset=utf-8"), "text/html");
 * ```
 */
export function mediaTypeText(contentType: string | undefined): string {
  return essenceOf(maskShapes(contentType ?? "")).slice(0, LONGEST).toWellFormed();
}
