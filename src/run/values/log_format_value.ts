import type { ValueParser } from "@optique/core/valueparser";
import { logFormat } from "../../traffic/log_format/log_format.ts";
import { checkedText } from "./checked_text.ts";

/** A log format of nginx or Apache. */
export function logFormatValue(): ValueParser<"sync", string> {
  return checkedText("FORMAT", "$request", logFormat);
}
