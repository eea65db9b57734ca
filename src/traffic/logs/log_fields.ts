import { isoSeconds } from "../decode/iso_seconds.ts";
import type { Fields } from "../decode/fields.ts";
import { clfSeconds } from "./log_times.ts";

/** The first of some members that has a text; `-` and empty texts stand for none. */
export function textOf(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string" && value !== "" && value !== "-") return value;
    if (typeof value === "number") return String(value);
  }
  return undefined;
}

/** The first of some members that has a number, as such or as text. */
export function numberOf(fields: Fields, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fields[name];
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number)) return number;
  }
  return undefined;
}

/** Seconds have ten digits until 2286; what is larger is a smaller unit. */
const LARGEST_SECONDS = 1e10;

/**
 * The seconds since 1970 of a time that a log has as a number (of seconds, or of thousandths, millionths or
 * billionths of them, which its size tells) or as text (ISO 8601, Common Log Format, a number). Undefined for what is
 * no time.
 *
 * @example
 * ```ts
 * import { logSeconds } from "./log_fields.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(logSeconds(1700000000.25), 1700000000.25);
 * assert.equal(logSeconds("1700000000250"), 1700000000.25);
 * assert.equal(logSeconds("2023-11-14T22:13:20.25Z"), 1700000000.25);
 * assert.equal(logSeconds("14/Nov/2023:22:13:20 +0000"), 1700000000);
 * assert.equal(logSeconds("soon"), undefined);
 * ```
 */
export function logSeconds(value: unknown): number | undefined {
  if (typeof value === "string") {
    return clfSeconds(value) ?? isoSeconds(value) ??
      (/^\d+(?:\.\d+)?$/.test(value) ? logSeconds(Number(value)) : undefined);
  }
  if (typeof value !== "number" || !(value > 0) || value === Infinity) return undefined;
  let unit = 1;
  while (value / unit >= LARGEST_SECONDS && unit < 1e9) unit *= 1000;
  return value / unit;
}

/** The origin of a URL: `https://shop.example`; undefined without a host that looks like one. */
export function originOf(scheme: string | undefined, host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]{1,255}$/.test(host)) return undefined;
  return `${scheme?.toLowerCase() === "https" ? "https" : "http"}://${host}`;
}
