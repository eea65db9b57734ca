import type { EvidenceExample } from "./evidence.ts";
import type { TallyRules } from "./tallies.ts";
import { mediaEssence } from "../http/media_type.ts";
import { maskShapes } from "../redact/secret_shapes.ts";

/** In characters; longer media types are truncated, as they are arbitrary text. */
const MAX_MEDIA_TYPE_LENGTH = 200;

/** Returns a Content-Type's media type for reports and hits: truncated, secrets masked; empty if there is none. */
export function mediaTypeText(contentType: string | undefined): string {
  return mediaEssence(maskShapes(contentType ?? "")).slice(0, MAX_MEDIA_TYPE_LENGTH).toWellFormed();
}

export interface UndocumentedContent {
  /** The status of the responses; empty for requests. */
  readonly status: string;
  /** In lower case and without parameters; empty if there is no Content-Type. */
  readonly mediaType: string;
  /** RFC 6901 pointer to a property, with `*` for items and for names that look like data; empty for whole bodies. */
  readonly pointer: string;
  readonly hits: number;
  /** The time of the first request, in seconds since 1970; Infinity if unknown. */
  readonly firstAt: number;
  /** The smallest interaction with this content; undefined if none is kept. */
  readonly example: EvidenceExample | undefined;
}

/** Limits per operation, as traffic may contain any number of media types, properties and names. */
export const MEDIA_TYPE_RULES: TallyRules<UndocumentedContent> = {
  key: ["status", "mediaType", "pointer"],
  sums: ["hits"],
  limit: 50,
};
export const PROPERTY_RULES: TallyRules<UndocumentedContent> = { ...MEDIA_TYPE_RULES, limit: 200 };
export const NAME_RULES: TallyRules<NameCount> = { key: ["name"], sums: ["count"], limit: 200 };

/** The number of times that an undocumented parameter name was sent. */
export interface NameCount {
  readonly name: string;
  readonly count: number;
}
