import type { Finding, UnmatchedReason } from "../../map/results.ts";
import type { ReportUndocumentedProperty } from "../report.ts";
import { formatAmount } from "./amounts.ts";
import { keywordAdvice } from "./gap_wording.ts";
import { keywordPlace } from "./place_name.ts";

export interface FindingKind {
  readonly kind: Finding["kind"];
  /** The condition for `--fail-on`, as a clause: `a rule was not enforced`. */
  readonly description: string;
  readonly title: string;
  readonly noun: readonly [one: string, several: string];
  /** True if the API may be right. */
  readonly isWarning?: true;
}

/** The kinds of findings, worst first. All other lists of kinds are derived from this one. */
export const FINDING_KINDS: readonly FindingKind[] = [
  {
    kind: "server_error",
    description: "an answer was 5xx",
    title: "Server errors",
    noun: ["server error", "server errors"],
  },
  {
    kind: "credentials_not_required",
    description: "an operation that needs credentials answered 2xx without",
    title: "Credentials that are not required",
    noun: ["operation open without credentials", "operations open without credentials"],
  },
  {
    kind: "allowed_unexpectedly",
    description: "an identity was let in where it should be refused",
    title: "Access that should be refused",
    noun: ["access that should be refused", "accesses that should be refused"],
  },
  {
    kind: "keyword_not_enforced",
    description: "a request that a single rule makes invalid was accepted",
    title: "Rules that are not enforced",
    noun: ["rule not enforced", "rules not enforced"],
  },
  {
    kind: "valid_request_refused",
    description: "a valid request was refused with 400 or 422",
    title: "Valid requests refused",
    noun: ["refusal of valid requests", "refusals of valid requests"],
  },
  {
    kind: "refused_unexpectedly",
    description: "an identity was refused where it should be let in",
    title: "Access that should be allowed",
    noun: ["access that should be allowed", "accesses that should be allowed"],
  },
  {
    kind: "response_violates_schema",
    description: "a response broke a rule of its schema",
    title: "Responses that violate their schema",
    noun: ["rule violated by responses", "rules violated by responses"],
  },
  {
    kind: "undocumented_status",
    description: "a status came that the description lacks",
    title: "Undocumented statuses",
    noun: ["undocumented status", "undocumented statuses"],
  },
  {
    kind: "undocumented_media_type",
    description: "a response had a media type that the description lacks",
    title: "Undocumented media types of responses",
    noun: ["undocumented media type of responses", "undocumented media types of responses"],
  },
  {
    kind: "undocumented_body",
    description: "a body was sent or returned that the description lacks",
    title: "Undocumented bodies",
    noun: ["undocumented body", "undocumented bodies"],
  },
  {
    kind: "never_succeeded",
    description: "an operation was answered, and never with 2xx or 3xx",
    title: "Operations that never succeeded",
    noun: ["operation that never succeeded", "operations that never succeeded"],
    isWarning: true,
  },
];

const CONVERTED =
  " Validators that convert types, as Fastify's Ajv and Spring's Jackson do by default, accept such text: to leave the rule out, exclude keyword:type.";

/** Describes a finding in a sentence without its operation, the same in every report. */
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
      const { location, parameter, schema_path, missing, coercible, example } = finding;
      const status = example === null ? "" : ` with ${example.status_code}`;
      if (missing === true) {
        const what = location === "body" ? "a body" : `${location} ${parameter}`;
        return `${
          formatAmount(count, "request")
        } without ${what}, which is required, ${were} accepted${status}.`;
      }
      return `${formatAmount(count, "request")} that only ${
        keywordPlace(schema_path)
      } of ${location} ${parameter} makes invalid ${were} accepted${status}.${
        coercible === true ? CONVERTED : ""
      }`;
    }
    case "credentials_not_required": {
      const status = finding.example === null ? "2xx" : finding.example.status_code;
      return `${
        formatAmount(count, "request")
      } without the credentials that it needs ${were} answered with ${status}.`;
    }
    case "allowed_unexpectedly": {
      const { identity, foreign_object: change, owner } = finding;
      return change === undefined
        ? `${identity} was let in ${timesText(count)} and should be refused.`
        : `${identity} ${change} an object of ${owner} ${timesText(count)} and should be refused.`;
    }
    case "refused_unexpectedly":
      return `${finding.identity} was refused ${timesText(count)} and should be let in.`;
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

/** Describes a finding like {@linkcode findingWording}, with an example request if one was kept. */
export function findingText(finding: Finding): string {
  const request = findingRequest(finding);
  return findingWording(finding) + (request === "" ? "" : ` For example: ${request}.`);
}

/** An example request with its status: `GET /books?limit=500 (200)`. Empty if none was kept. */
export function findingRequest({ example }: Finding): string {
  if (example?.request === undefined) return "";
  const { request: { method, url, body }, status_code } = example;
  const type = body === undefined || body.media_type === "" ? "" : ` of ${body.media_type}`;
  const shape = body?.shape === undefined ? "" : ` like ${JSON.stringify(body.shape)}`;
  const content = body === undefined ? "" : ` with a body${type}${shape}`;
  return `${method} ${url}${content} (${status_code})`;
}

function violationWording(finding: Finding & { kind: "response_violates_schema" }): string {
  const { status_code, header, schema_path, missing, malformed, count } = finding;
  const responses = `${formatAmount(count, "response")} with ${status_code}`;
  if (missing === true) return `${responses} lacked the header ${header}, which is required.`;
  const what = header === undefined ? `a body of ${finding.media_type}` : `a header ${header}`;
  if (malformed === true) return `${responses} had ${what} that does not parse.`;
  const rule = /\/(?:schema|itemSchema)$/.test(schema_path)
    ? "its schema, which is `false`"
    : keywordPlace(schema_path);
  return `${responses} had ${what} that breaks ${rule}.`;
}

function timesText(count: number): string {
  return count === 1 ? "once" : count === 2 ? "twice" : formatAmount(count, "time");
}

interface FindingGroup {
  readonly kind: FindingKind;
  /** Findings that most interactions show come first, otherwise in document order. */
  readonly findings: readonly Finding[];
}

export function findingGroups(findings: readonly Finding[] = []): readonly FindingGroup[] {
  return FINDING_KINDS.flatMap((kind) => {
    const ofKind = findings.filter((finding) => finding.kind === kind.kind);
    return ofKind.length === 0
      ? []
      : [{ kind, findings: ofKind.sort((left, right) => right.count - left.count) }];
  });
}

/** The number of findings of each kind, worst first: `1 server error, 2 rules not enforced`. */
export function findingCounts(groups: readonly FindingGroup[]): string {
  return groups.map(({ kind, findings }) => formatAmount(findings.length, ...kind.noun)).join(", ");
}

/** Says how to reproduce a finding, without values of the traffic. `value` is the keyword's, null if unknown. */
export function findingHint(finding: Finding, value: string | null): string {
  switch (finding.kind) {
    case "server_error":
      return finding.valid > 0
        ? "To see it again, repeat the valid requests to this operation."
        : "To see it again, repeat the invalid requests, which should be refused with 4xx.";
    case "keyword_not_enforced": {
      const keyword = finding.schema_path.slice(finding.schema_path.lastIndexOf("/") + 1);
      return finding.missing === true
        ? `To see it again, leave out only ${
          finding.location === "body" ? "the body" : `${finding.location} ${finding.parameter}`
        }.`
        : `To see it again, break only this rule. ${keywordAdvice(keyword, value, "invalid")}`;
    }
    case "credentials_not_required":
      return "To see it again, leave out the credentials. An API that requires them answers 401 or 403.";
    case "allowed_unexpectedly":
      return finding.foreign_object === undefined
        ? `To see it again, send a valid request with the credentials of ${finding.identity}. The API should answer 401 or 403.`
        : `To see it again, create an object as ${finding.owner} and ask for it as ${finding.identity}. The API should refuse that.`;
    case "refused_unexpectedly":
      return `Let the API answer ${finding.identity}, or change what is expected.`;
    case "valid_request_refused":
      return "To see it again, send a valid request. The API wants more than its description says.";
    case "undocumented_status":
      return `Document ${finding.status_code}, or let the API answer with another status.`;
    case "response_violates_schema":
      return finding.missing === true
        ? "Let the API send the header, or don't require it in the description."
        : "Let the API return what the description says, or describe what it returns.";
    case "undocumented_media_type":
      return "Document the media type, or let the API answer with one that is documented.";
    case "undocumented_body":
      if (finding.status_code !== undefined) {
        return "Document the body, or let the API answer without one.";
      }
      return "Document the media type, or send one that is documented.";
    case "never_succeeded":
      return "Send a valid request, with the credentials and data that it needs.";
  }
}

export function undeclaredWording(
  { property, count, status_code }: ReportUndocumentedProperty,
): string {
  return `${property} came in ${formatAmount(count, "response")} with ${status_code}.`;
}

export const UNMATCHED_REASONS: Readonly<Record<UnmatchedReason, string>> = {
  no_matching_path: "no documented path",
  method_not_documented: "method not documented",
  condition_not_met: "condition of the path not met",
  outside_base_path: "outside the base path",
  invalid_url: "invalid URL",
};
