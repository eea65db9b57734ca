import type { Finding } from "../../map/results.ts";
import { formatAmount } from "./amounts.ts";
import { keywordPlace } from "./keyword_place.ts";

/** Facts about a kind of finding, for people and programs. */
export interface FindingKind {
  /** The kind. */
  readonly kind: Finding["kind"];
  /** The condition, for `--fail-on`: `a rule was not enforced`. */
  readonly description: string;
  /** A heading for several of them. */
  readonly title: string;
  /** The noun for one of them, and for several: `2 server errors`. */
  readonly noun: readonly [one: string, several: string];
  /** False for what may be right, and is only a warning. */
  readonly isContradiction: boolean;
}

/** The kinds of findings, worst first. Everything that lists them follows from it. */
export const FINDING_KINDS: readonly FindingKind[] = [
  {
    kind: "server_error",
    description: "an answer was 5xx",
    title: "Server errors",
    noun: ["server error", "server errors"],
    isContradiction: true,
  },
  {
    kind: "credentials_not_required",
    description: "an operation that needs credentials answered 2xx without",
    title: "Credentials that are not required",
    noun: ["operation open without credentials", "operations open without credentials"],
    isContradiction: true,
  },
  {
    kind: "keyword_not_enforced",
    description: "a request that a single rule makes invalid was accepted",
    title: "Rules that are not enforced",
    noun: ["rule not enforced", "rules not enforced"],
    isContradiction: true,
  },
  {
    kind: "valid_request_refused",
    description: "a valid request was refused with 400 or 422",
    title: "Valid requests refused",
    noun: ["refusal of valid requests", "refusals of valid requests"],
    isContradiction: true,
  },
  {
    kind: "response_violates_schema",
    description: "a response broke a rule of its schema",
    title: "Responses that violate their schema",
    noun: ["rule violated by responses", "rules violated by responses"],
    isContradiction: true,
  },
  {
    kind: "undocumented_status",
    description: "a status came that the description lacks",
    title: "Undocumented statuses",
    noun: ["undocumented status", "undocumented statuses"],
    isContradiction: true,
  },
  {
    kind: "undocumented_media_type",
    description: "a response had a media type that the description lacks",
    title: "Undocumented media types of responses",
    noun: ["undocumented media type of responses", "undocumented media types of responses"],
    isContradiction: true,
  },
  {
    kind: "undocumented_body",
    description: "a body was sent or returned that the description lacks",
    title: "Undocumented bodies",
    noun: ["undocumented body", "undocumented bodies"],
    isContradiction: true,
  },
  {
    kind: "never_succeeded",
    description: "an operation was answered, and never with 2xx or 3xx",
    title: "Operations that never succeeded",
    noun: ["operation that never succeeded", "operations that never succeeded"],
    isContradiction: false,
  },
];

/**
 * A finding as a sentence without its operation: the same in every report.
 *
 * @example
 * ```ts
 * import { findingWording } from "./finding_wording.ts";
 * import assert from "node:assert/strict";
 *
 * const finding = {
 *   kind: "valid_request_refused",
 *   method: "GET",
 *   path: "/books",
 *   status_code: "422",
 *   count: 2,
 *   first_at: null,
 *   example: { status_code: 422 },
 * } as const;
 * assert.equal(findingWording(finding), "2 valid requests were refused with 422.");
 * ```
 */
export function findingWording(finding: Finding): string {
  const { count } = finding;
  const were = count === 1 ? "was" : "were";
  switch (finding.kind) {
    case "server_error": {
      const { valid } = finding;
      const which = valid === 0
        ? ""
        : valid === count
        ? ` to ${count === 1 ? "a valid request" : "valid requests"}`
        : `, ${timesText(valid)} to ${valid === 1 ? "a valid request" : "valid requests"}`;
      return `The server answered ${timesText(count)} with ${finding.status_code}${which}.`;
    }
    case "keyword_not_enforced": {
      const { location, parameter, schema_path, missing, example } = finding;
      const status = example === null ? "" : ` with ${example.status_code}`;
      if (missing === true) {
        const what = location === "body" ? "a body" : `${location} ${parameter}`;
        return `${
          formatAmount(count, "request")
        } without ${what}, which is required, ${were} accepted${status}.`;
      }
      return `${formatAmount(count, "request")} that only ${
        keywordPlace(schema_path)
      } of ${location} ${parameter} makes invalid ${were} accepted${status}.`;
    }
    case "credentials_not_required": {
      const status = finding.example === null ? "2xx" : finding.example.status_code;
      return `${
        formatAmount(count, "request")
      } without the credentials that it needs ${were} answered with ${status}.`;
    }
    case "valid_request_refused":
      return `${formatAmount(count, "valid request")} ${were} refused with ${finding.status_code}.`;
    case "undocumented_status":
      return `Status ${finding.status_code} came ${timesText(count)} and isn't documented.`;
    case "response_violates_schema":
      return violationWording(finding);
    case "undocumented_media_type": {
      const type = finding.media_type === "" ? "no media type" : finding.media_type;
      return `${
        formatAmount(count, "response")
      } with ${finding.status_code} had ${type}, which isn't documented.`;
    }
    case "undocumented_body": {
      const { status_code } = finding;
      if (status_code !== undefined) {
        const type = finding.media_type === "" ? "" : ` of ${finding.media_type}`;
        return `${
          formatAmount(count, "response")
        } with ${status_code} had a body${type}, and none is documented.`;
      }
      const type = finding.media_type === "" ? "without a media type" : `of ${finding.media_type}`;
      return `${
        formatAmount(count, "body", "bodies")
      } ${type} ${were} sent, which the description lacks.`;
    }
    case "never_succeeded":
      return `${formatAmount(count, "answer")} came, none of them 2xx or 3xx.`;
  }
}

function violationWording(finding: Finding & { kind: "response_violates_schema" }): string {
  const { status_code, header, schema_path, missing, malformed, count } = finding;
  const responses = `${formatAmount(count, "response")} with ${status_code}`;
  if (missing === true) return `${responses} lacked the header ${header}, which is required.`;
  const what = header === undefined ? `a body of ${finding.media_type}` : `a header ${header}`;
  if (malformed === true) return `${responses} had ${what} that does not parse.`;
  return `${responses} had ${what} that breaks ${keywordPlace(schema_path)}.`;
}

function timesText(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : formatAmount(count, "time");
}
