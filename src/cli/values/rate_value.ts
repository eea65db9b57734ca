import type { ValueParser } from "@optique/core/valueparser";
import { checkedText } from "../../run/values/checked_text.ts";

const RATE = /^(\d+(?:\.\d+)?)(?:\/(s|sec|second|m|min|minute))?$/;

/** A number of requests in a time: `10/s`, `30/min`, `5` (a second). */
export function rateValue(): ValueParser<"sync", string> {
  return checkedText("N/s", "10/s", readRate);
}

/**
 * Requests a second.
 *
 * @throws {TypeError} if it isn't a rate above 0.
 */
export function readRate(text: string): number {
  const match = RATE.exec(text.trim());
  const number = Number(match?.[1]);
  if (match === null || !(number > 0)) {
    throw new TypeError(`"${text}" is not a rate. Write requests per second, such as 10/s.`);
  }
  return match[2]?.startsWith("m") ? number / 60 : number;
}
