import { CoverageMap } from "../../mod.ts";
import type { StudyAnswer, StudyRequest } from "./host.ts";

/** Measures of each suite, with their names on the page. */
export const MEASURES = {
  operations: "operations",
  succeeded: "operations with 2xx or 3xx",
  parameters: "parameters",
  keywords_seen: "keywords seen",
  keywords_full: "keywords full",
  examples: "examples",
  responses: "responses",
  response_keywords: "keywords of responses",
  enforcement: "enforcement",
  values: "values",
  tcl: "test coverage level",
  noticed: "noticed",
  noticed_parts: "noticed parts of all",
} as const;

export type Measure = keyof typeof MEASURES;

/** Shares from 0 to 1, and the level; null if not measured. */
export type Measured = Readonly<Record<Measure, number | null>>;

/** The URL to which a description's paths are appended. */
export function serverUrl(description: unknown, base: string): string {
  const { servers, basePath } = description as {
    readonly servers?: readonly { readonly url: string }[];
    readonly basePath?: string;
  };
  const path = servers?.[0] === undefined ? basePath ?? "" : new URL(servers[0].url, base).pathname;
  return base + path.replace(/\/$/, "");
}

/** The coverage of requests and their responses, as covtool counts it. */
export function measureCoverage(
  description: unknown,
  sent: Iterable<readonly [StudyRequest, StudyAnswer]>,
): Omit<Measured, "noticed" | "noticed_parts"> {
  const map = CoverageMap.fromDict(description, { values: true });
  for (const [request, answer] of sent) record(map, request, answer);
  const { summary } = map.report();
  const { keywords, examples, response_keywords: answers, enforcement, values } = summary;
  return {
    operations: share(summary.operations.seen, summary.operations.total),
    succeeded: share(summary.operations.succeeded ?? 0, summary.operations.total),
    parameters: share(summary.parameters.seen, summary.parameters.total),
    keywords_seen: share(keywords.partial + keywords.full, keywords.total),
    keywords_full: share(keywords.full, keywords.total),
    examples: share(examples.seen, examples.total),
    responses: share(summary.responses.seen, summary.responses.total),
    response_keywords: answers === undefined ? null : share(answers.seen, answers.total),
    enforcement: enforcement === undefined ? null : share(enforcement.enforced, enforcement.total),
    values: values === undefined ? null : share(values.seen, values.total),
    tcl: summary.tcl?.level ?? null,
  };
}

export function share(part: number, total: number | null | undefined): number | null {
  return total ? part / total : null;
}

/** Records a response, if there was one. */
export function record(
  map: CoverageMap,
  { method, url, headers, body }: StudyRequest,
  { status, type, body: text }: StudyAnswer,
): void {
  if (status === 0) return;
  map.record({ method, url, headers, body }, {
    status_code: status,
    headers: type === "" ? {} : { "content-type": type },
    body: text,
  });
}

const ABOUT_ANSWERS = new Set([
  ...["undocumented_status", "undocumented_media_type", "undocumented_body"],
  "response_violates_schema",
]);

/** How a response contradicts the description. */
export function contradictions(
  description: unknown,
  request: StudyRequest,
  answer: StudyAnswer,
): ReadonlySet<string> {
  const map = CoverageMap.fromDict(description);
  record(map, request, answer);
  return new Set(
    map.findings().filter(({ kind }) => ABOUT_ANSWERS.has(kind))
      .map(({ count: _, first_at: __, example: ___, ...what }) => JSON.stringify(what)),
  );
}

/** The operation of a request in the description; only its method if there is none. */
export function calledOperation(description: unknown, request: StudyRequest): string {
  const map = CoverageMap.fromDict(description);
  record(map, request, { status: 200, type: "", body: "" });
  const called = map.report().operations.find(({ hits }) => hits > 0);
  return called === undefined ? request.method : `${called.method} ${called.path}`;
}

/** The numbers of promises in a description. */
export function describeDescription(
  description: unknown,
): { readonly operations: number; readonly keywords: number } {
  const { operations, keywords } = CoverageMap.fromDict(description).statistic();
  return { operations: operations.total, keywords: keywords.total };
}
