import type { ValueParser } from "@optique/core/valueparser";
import { parseHostPattern } from "../../http/host_pattern.ts";
import { checkedText } from "./checked_text.ts";

/** A pattern for hosts: `api.example`, `*.example`, `localhost:8080`. */
export function hostPatternValue(): ValueParser<"sync", string> {
  return checkedText("HOST", "localhost", parseHostPattern);
}
