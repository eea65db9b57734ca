const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** The length of `10/Oct/2000:13:55:36 -0700`. */
export const CLF_TIME_LENGTH = 26;

/**
 * Makes a function that reads the times of Common Log Format, as {@linkcode clfSeconds} does; it remembers the second and
 * the day, as lines that follow each other are of the same.
 */
export function clfTimes(): (text: string, start: number) => number | undefined {
  let lastDay = "";
  let lastZone = "";
  let base: number | undefined;
  let lastText = "";
  let last: number | undefined;
  return (text, start) => {
    if (lastText !== "" && text.startsWith(lastText, start)) return last;
    lastText = text.slice(start, start + CLF_TIME_LENGTH);
    const zone = text.slice(start + 21, start + 26);
    if (lastDay === "" || !text.startsWith(lastDay, start) || zone !== lastZone) {
      lastDay = text.slice(start, start + 12);
      lastZone = zone;
      base = dayOf(lastDay, zone);
    }
    const hours = twoDigits(text, start + 12);
    const minutes = twoDigits(text, start + 15);
    const seconds = twoDigits(text, start + 18);
    const isTime = base !== undefined && hours < 24 && minutes < 60 && seconds <= 60;
    const time = isTime ? (base ?? 0) + hours * 3600 + minutes * 60 + seconds : -1;
    return last = time >= 0 ? time : undefined;
  };
}

/**
 * The seconds since 1970 of a time as Common Log Format has it; undefined for what is no time.
 *
 * @param start The index at which it begins in the text.
 *
 * @example
 * ```ts
 * import { clfSeconds } from "./log_times.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(clfSeconds("10/Oct/2000:13:55:36 -0700"), 971211336);
 * assert.equal(clfSeconds("10/Okt/2000:13:55:36 -0700"), undefined);
 * ```
 */
export function clfSeconds(text: string, start = 0): number | undefined {
  return clfTimes()(text, start);
}

function dayOf(day: string, zone: string): number | undefined {
  const parts = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):$/.exec(day);
  const offset = /^([+-])(\d\d)([0-5]\d)$/.exec(zone);
  const month = parts === null ? -1 : MONTHS.indexOf(parts[2] ?? "");
  if (parts === null || offset === null || month < 0 || month % 3 !== 0) return undefined;
  const date = Date.UTC(Number(parts[3]), month / 3, Number(parts[1])) / 1000;
  const ahead = Number(offset[2]) * 3600 + Number(offset[3]) * 60;
  return offset[1] === "-" ? date + ahead : date - ahead;
}

/** More than 99 if they aren't digits. */
function twoDigits(text: string, index: number): number {
  const tens = text.charCodeAt(index) - 48;
  const ones = text.charCodeAt(index + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100;
}
