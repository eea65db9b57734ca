import type { ValueParser } from "@optique/core/valueparser";
import { parseScopePattern } from "../../map/scope_pattern.ts";
import { checkedText } from "./checked_text.ts";

/** A pattern for parts of a description: `GET /books/*`, `tag:internal`, `response:5XX`. */
export function scopePatternValue(): ValueParser<"sync", string> {
  return checkedText("PATTERN", "tag:internal", parseScopePattern);
}
