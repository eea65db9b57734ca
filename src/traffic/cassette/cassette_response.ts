import type { HttpResponse } from "../../http/interaction.ts";
import { isoSeconds } from "../decode/iso_seconds.ts";

/**
 * The response of a recording from its status and its seconds, both numbers or their text; undefined if there is no
 * status, or one that stands for "no response" (0, -1).
 */
export function cassetteResponse(status: unknown, elapsed: unknown): HttpResponse | undefined {
  const status_code = numberOf(status);
  if (status_code === undefined || status_code < 100 || status_code > 999) return undefined;
  const seconds = numberOf(elapsed);
  return { status_code, ...(seconds !== undefined && seconds >= 0 && { elapsed: seconds }) };
}

/** Seconds since 1970 from such a number, an ISO 8601 time or an HTTP date; undefined for everything else. */
export function cassetteTime(value: unknown): number | undefined {
  const number = numberOf(value);
  if (number !== undefined || typeof value !== "string") return number;
  const seconds = isoSeconds(value);
  if (seconds !== undefined) return seconds;
  // `Date.parse` takes nearly any text with a number in it for a time of the local zone.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} .* GMT$/.test(value)) return undefined;
  const milliseconds = Date.parse(value);
  return Number.isNaN(milliseconds) ? undefined : milliseconds / 1000;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
