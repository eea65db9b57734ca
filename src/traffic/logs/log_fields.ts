import { asNumber, type Fields, isoSeconds } from "../decode/fields.ts";
import { isToken } from "../../http/headers.ts";

export interface RequestLine {
  readonly method: string;
  /** Usually a path with its query. */
  readonly target: string;
}

/** Maximum length of a method. No API has a longer one. */
const MAX_METHOD = 40;

/** Parses `GET /books?limit=1 HTTP/1.1`; undefined for `-`, a TLS handshake in the log, and noise of scanners. */
export function readRequestLine(text: string): RequestLine | undefined {
  const space = text.indexOf(" ");
  if (space < 1) return undefined;
  const last = text.lastIndexOf(" ");
  const hasVersion = last > space && text.startsWith("HTTP/", last + 1);
  const method = text.slice(0, space);
  const target = text.slice(space + 1, hasVersion ? last : text.length);
  if (target === "" || !(COMMON.has(method) || method.length <= MAX_METHOD && isToken(method))) {
    return undefined;
  }
  // Amazon's load balancers and Envoy write dashes if the client sent no HTTP.
  if (method === "-") return undefined;
  // Without a version, only GET is possible (RFC 1945, section 4.1).
  if (!hasVersion && !(method === "GET" && target.startsWith("/"))) return undefined;
  return { method, target };
}

const COMMON: ReadonlySet<string> = new Set([
  ..."GET HEAD POST PUT PATCH DELETE OPTIONS".split(" "),
]);

const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** The length of `10/Oct/2000:13:55:36 -0700`. */
export const CLF_TIME_LENGTH = 26;

/** Like {@linkcode clfSeconds}, but caches second and day, as consecutive lines usually have the same. */
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
      base = parseDay(lastDay, zone);
    }
    const hours = twoDigits(text, start + 12);
    const minutes = twoDigits(text, start + 15);
    const seconds = twoDigits(text, start + 18);
    const isTime = base !== undefined && hours < 24 && minutes < 60 && seconds <= 60;
    const time = isTime ? (base ?? 0) + hours * 3600 + minutes * 60 + seconds : -1;
    return last = time >= 0 ? time : undefined;
  };
}

/** Converts a time in Common Log Format to seconds since 1970; undefined if it isn't one. */
export function clfSeconds(text: string, start = 0): number | undefined {
  return clfTimes()(text, start);
}

function parseDay(day: string, zone: string): number | undefined {
  const parts = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):$/.exec(day);
  const offset = /^([+-])(\d\d)([0-5]\d)$/.exec(zone);
  const month = parts === null ? -1 : MONTHS.indexOf(parts[2] ?? "");
  if (parts === null || offset === null || month < 0 || month % 3 !== 0) return undefined;
  const date = Date.UTC(Number(parts[3]), month / 3, Number(parts[1])) / 1000;
  const ahead = Number(offset[2]) * 3600 + Number(offset[3]) * 60;
  return offset[1] === "-" ? date + ahead : date - ahead;
}

/** Returns more than 99 if the characters aren't digits. */
function twoDigits(text: string, index: number): number {
  const tens = text.charCodeAt(index) - 48;
  const ones = text.charCodeAt(index + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100;
}

const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([\s\S]))/g;

const LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  b: "\b",
  f: "\f",
};

/** Unescapes a quoted field. Bytes beyond ASCII become percent-encoded, as in URLs. */
export function unescapeLogged(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ESCAPE, (_, byte?: string, unit?: string, other = "") => {
    if (byte !== undefined) {
      const code = parseInt(byte, 16);
      return code < 0x80 ? String.fromCharCode(code) : `%${byte.toUpperCase()}`;
    }
    if (unit !== undefined) return String.fromCharCode(parseInt(unit, 16));
    return LETTERS[other] ?? other;
  });
}

/** Returns the index of the quote that ends a quoted field, skipping escaped quotes; -1 if there is none. */
export function endOfQuoted(text: string, start: number): number {
  let end = text.indexOf('"', start);
  while (end !== -1 && isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, start: number, index: number): boolean {
  let backslashes = 0;
  while (index - backslashes > start && text.charCodeAt(index - backslashes - 1) === 0x5c) {
    backslashes++;
  }
  return backslashes % 2 === 1;
}

/** Returns the text of the first member that has one. `-` and empty texts don't count. */
export function readText(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "string" && value !== "" && value !== "-") return value;
    if (typeof value === "number") return String(value);
  }
  return undefined;
}

export function readNumber(fields: Fields, names: readonly string[]): number | undefined {
  for (const name of names) {
    const number = asNumber(fields[name]);
    if (number !== undefined) return number;
  }
  return undefined;
}

/** Times in seconds are smaller than this until 2286. A larger number has a smaller unit. */
const MAX_SECONDS = 1e10;

/** Converts a text or number to seconds since 1970, with the unit inferred from its size; undefined for others. */
export function logSeconds(value: unknown): number | undefined {
  if (typeof value === "string") {
    return clfSeconds(value) ?? isoSeconds(value) ??
      (/^\d+(?:\.\d+)?$/.test(value) ? logSeconds(Number(value)) : undefined);
  }
  if (typeof value !== "number" || !(value > 0) || value === Infinity) return undefined;
  let unit = 1;
  while (value / unit >= MAX_SECONDS && unit < 1e9) unit *= 1000;
  return value / unit;
}

/** Returns the origin of a URL, such as `https://shop.example`; undefined without a plausible host. */
export function writeOrigin(
  scheme: string | undefined,
  host: string | undefined,
): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]{1,255}$/.test(host)) return undefined;
  return `${scheme?.toLowerCase() === "https" ? "https" : "http"}://${host}`;
}
