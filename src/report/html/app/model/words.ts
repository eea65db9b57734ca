import type { UnmatchedReason } from "../../../../map/results.ts";
import type { GapKind, Model } from "./model.ts";
import type { Missing } from "./operation_gaps.ts";

const NUMBERS = new Intl.NumberFormat("en-US");

/** `53000` as `53,000`. */
export function formatCount(count: number): string {
  return NUMBERS.format(count);
}

/** `1 keyword`, `53,000 keywords`. */
export function plural(count: number, word: string, many = `${word}s`): string {
  return `${formatCount(count)} ${count === 1 ? word : many}`;
}

/** The parts of a sentence: `a`, `a and b`, `a, b and c`. */
export function sentenceList(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** Seconds as a duration that reads at a glance: `850 µs`, `12 ms`, `1.25 s`, `2 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 0.001) return `${Math.round(seconds * 1e6)} µs`;
  if (seconds < 0.01) return `${(seconds * 1000).toFixed(1)} ms`;
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${Number(seconds.toFixed(2))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129_600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** Seconds since 1970 as `2026-01-31 12:00:05 UTC`; the number itself where no date can be that far. */
export function formatTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return String(seconds);
  return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

const REASONS: Readonly<Record<UnmatchedReason, string>> = {
  no_matching_path: "no path of the description matches",
  method_not_documented: "the path is documented, this method is not",
  outside_base_path: "outside the base path",
  invalid_url: "the URL is not valid",
};

/** Why a request matches no operation, as part of a sentence. */
export function reasonText(reason: UnmatchedReason): string {
  return REASONS[reason];
}

const STATUSES: Readonly<Record<string, string>> = {
  "200": "OK",
  "201": "Created",
  "202": "Accepted",
  "204": "No Content",
  "206": "Partial Content",
  "301": "Moved Permanently",
  "302": "Found",
  "303": "See Other",
  "304": "Not Modified",
  "307": "Temporary Redirect",
  "308": "Permanent Redirect",
  "400": "Bad Request",
  "401": "Unauthorized",
  "402": "Payment Required",
  "403": "Forbidden",
  "404": "Not Found",
  "405": "Method Not Allowed",
  "406": "Not Acceptable",
  "408": "Request Timeout",
  "409": "Conflict",
  "410": "Gone",
  "412": "Precondition Failed",
  "413": "Content Too Large",
  "415": "Unsupported Media Type",
  "422": "Unprocessable Content",
  "423": "Locked",
  "429": "Too Many Requests",
  "500": "Internal Server Error",
  "501": "Not Implemented",
  "502": "Bad Gateway",
  "503": "Service Unavailable",
  "504": "Gateway Timeout",
};

/** What a status of a response means: a reason phrase, or what a range or `default` covers. */
export function statusText(status: string): string {
  if (status === "default") return "every other status";
  const range = /^([1-5])XX$/i.exec(status)?.[1];
  return range === undefined ? STATUSES[status] ?? "" : `any other ${range}00 to ${range}99`;
}

/** What a gap of a kind is called, and what befell the thing. */
export const GAP_WORDS: Readonly<Record<GapKind, { readonly gap: string; readonly fate: string }>> =
  {
    operation: { gap: "operation", fate: "never called" },
    parameter: { gap: "parameter", fate: "never sent" },
    keyword: { gap: "keyword outcome", fate: "never seen, valid or invalid" },
    example: { gap: "example", fate: "never used" },
    response: { gap: "response", fate: "never seen" },
  };

/** What befell a keyword that lacks something. */
export const MISSING_WORDS: Readonly<Record<Missing, string>> = {
  both: "never evaluated",
  valid: "never passed",
  invalid: "never failed",
};

const STATUS_ADVICE: Readonly<Record<string, string>> = {
  "400": "send something invalid",
  "401": "leave out the credentials",
  "402": "ask without having paid",
  "403": "ask for what this user may not do",
  "404": "ask for what does not exist",
  "405": "use another method",
  "406": "accept only another media type",
  "409": "do what conflicts with what is there",
  "410": "ask for what was deleted",
  "412": "send a condition that does not hold",
  "413": "send a body that is too large",
  "415": "send the body in another media type",
  "422": "send what is well-formed and makes no sense",
  "423": "change what is locked",
  "429": "call it too often",
};

/** What to do so that a response comes; empty where nobody can say. */
export function statusAdvice(status: string): string {
  if (/^4XX$/i.test(status)) return "send something wrong";
  return STATUS_ADVICE[status] ?? (/^5(XX|\d\d)$/i.test(status) ? "make the server fail" : "");
}

/** What the search for operations looks through. */
export function searchLabel({ data }: Model): string {
  return `Search operations, tags, parameters${data.tests === undefined ? "" : ", tests"}`;
}

/** What a parameter's location is called. */
export function locationText(location: string): string {
  return location === "form_data" ? "form" : location;
}
