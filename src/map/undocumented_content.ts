import type { EvidenceExample } from "./evidence.ts";
import type { TallyRules } from "./tallies.ts";
import { mediaEssence } from "../http/media_type.ts";
import { maskShapes } from "../redact/secret_shapes.ts";

/** Longer ones, in characters, are cut: they are text of strangers. */
const MAX_LENGTH = 200;

/** A Content-Type's media type as reports and hits show it: cut, and with secrets masked; empty without one. */
export function mediaTypeText(contentType: string | undefined): string {
  return mediaEssence(maskShapes(contentType ?? "")).slice(0, MAX_LENGTH).toWellFormed();
}

/** Content of requests or responses that the description doesn't have. */
export interface Undocumented {
  /** The status of the responses; empty for the content of requests. */
  readonly status: string;
  /** In lower case, without parameters; empty where none is named. */
  readonly mediaType: string;
  /** RFC 6901 pointer to a property, with `*` for items and for names that look like data; empty for a whole body. */
  readonly pointer: string;
  readonly hits: number;
  /** The time of the first request, in seconds since 1970; Infinity if unknown. */
  readonly firstAt: number;
  /** The smallest interaction with it; undefined where none is kept. */
  readonly example: EvidenceExample | undefined;
}

/** What is kept of one operation; traffic may bring any number of media types, properties and names. */
export const MEDIA_TYPES: TallyRules<Undocumented> = {
  key: ["status", "mediaType", "pointer"],
  sums: ["hits"],
  limit: 50,
};
export const PROPERTIES: TallyRules<Undocumented> = { ...MEDIA_TYPES, limit: 200 };
export const NAMES: TallyRules<NameCount> = { key: ["name"], sums: ["count"], limit: 200 };

/** How often a name came that no documented parameter has. */
export interface NameCount {
  readonly name: string;
  readonly count: number;
}
