const FRACTION = /\.(\d+)/;
const ZONE = /(?:[zZ]|[+-]\d{2}:?\d{2})$/;

/**
 * The seconds since 1970 of a time in ISO 8601, with every digit of its fraction (`Date` keeps three); a time without
 * a zone is UTC, so that it means the same on every machine. Undefined for what is no time.
 *
 * @example
 * ```ts
 * import { isoSeconds } from "./iso_seconds.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(isoSeconds("2026-01-31T12:00:00.123456+01:00"), 1769857200.123456);
 * assert.equal(isoSeconds("yesterday"), undefined);
 * ```
 */
export function isoSeconds(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}[Tt ]/.test(text)) return undefined;
  const fraction = FRACTION.exec(text)?.[1] ?? "";
  const whole = text.replace(FRACTION, "");
  const time = Date.parse(ZONE.test(whole) ? whole : `${whole}Z`);
  if (Number.isNaN(time)) return undefined;
  return time >= 0 ? Number(`${time / 1000}.${fraction}`) : time / 1000 + Number(`0.${fraction}`);
}
