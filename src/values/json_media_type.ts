/**
 * True if a media type is JSON (WHATWG MIME Sniffing, section 4.6: JSON MIME type): `application/json`, `text/json`, and
 * whatever ends in `+json`; a range such as `application/*+json` too, which selects nothing else.
 *
 * @param mediaType With or without parameters.
 * @example
 * ```ts
 * import { isJsonMediaType } from "./json_media_type.ts";
 * import assert from "node:assert/strict";
 *
 * assert(isJsonMediaType("Text/JSON; charset=utf-8"));
 * assert(isJsonMediaType("image/svg+json"));
 * assert(!isJsonMediaType("application/json-seq"));
 * ```
 */
export function isJsonMediaType(mediaType: string): boolean {
  return JSON_TYPE.test(mediaType);
}

const JSON_TYPE = /^\s*(?:(?:application|text)\/json|[^/;\s]+\/[^;\s]*\+json)\s*(?:;|$)/i;
