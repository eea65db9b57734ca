import type { Finding, Gap } from "../../../../map/results.ts";
import { getOrAdd } from "../../../../values/collections.ts";
import { keywordTable } from "../../../../values/keyword_table.ts";
import type {
  PageData,
  PageKeyword,
  PageOperation,
  PageParameter,
  PageRequest,
  PageValue,
} from "../../page_data.ts";
import { operationName } from "../../../../values/operation_name.ts";
import type { Comparison } from "../../../comparison/comparison.ts";
import { type GapCounts, gapCounts } from "../../../gap_counts.ts";
import type { ReportExample, ReportExclusion } from "../../../report.ts";
import { type Missing, missingOutcomes } from "../../../wording/gap_wording.ts";
import { spotName } from "./route.ts";

export type OperationState = "never" | "gaps" | "complete" | "excluded";

export interface Parameter extends Omit<PageParameter, "schemas" | "examples"> {
  readonly index: number;
  /** Identifies the parameter in an address. Its keywords and examples have their own `at`. */
  readonly at: string;
  readonly keywords: readonly Keyword[];
  readonly classes: readonly ClassMark[];
  readonly examples: readonly Example[];
  /** The name of its schema: `body`, or the parameter's name. */
  readonly name: string;
}

export interface Operation {
  readonly index: number;
  /** Identifies the operation in links: `GET:/users/{id}`. */
  readonly key: string;
  readonly data: Omit<PageOperation, "parameters">;
  readonly parameters: readonly Parameter[];
  readonly gaps: GapCounts;
  readonly state: OperationState;
  /** Its path, name, tags and parameters in lower case, for the search. */
  readonly haystack: string;
  readonly change: OperationChange;
  readonly requests: readonly NextRequest[];
  readonly errors: readonly ServerError[];
  /** The undocumented statuses that came back. Empty for an excluded operation, which has no findings. */
  readonly undocumented: readonly string[];
}

export interface NextRequest {
  readonly operation: Operation;
  /** Its index among the requests of its operation. */
  readonly index: number;
  /** Its index among all requests. */
  readonly number: number;
  readonly data: PageRequest;
}

export interface Keyword extends PageKeyword {
  readonly row: number;
  readonly at: string;
  readonly schema_path: string;
  /** The pointer of the schema that contains the keyword. */
  readonly schema: string;
  /** The keyword's value as text. Undefined if unknown. */
  readonly value?: string | undefined;
}

export interface ClassMark extends PageValue {
  readonly schema_path: string;
}

export interface Example extends Omit<ReportExample, "value"> {
  readonly row: number;
  readonly at: string;
  readonly value: string;
}

export interface Model {
  readonly data: PageData;
  /** The `id` of the element with the description's text. */
  readonly sourceBlock: string;
  readonly references: ReadonlyMap<string, string>;
  /** The values of keywords as text, by schema path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly operations: readonly Operation[];
  readonly requests: readonly NextRequest[];
  readonly byKey: ReadonlyMap<string, Operation>;
  readonly gaps: GapCounts;
}

/** Explains why there are no gaps and no requests to suggest. Undefined if something is counted. */
export function noneCounted(
  { nothing_counted, operations }: Pick<PageData, "nothing_counted" | "operations">,
): string | undefined {
  return nothing_counted ??
    (operations.length === 0 ? "The description has no operations." : undefined);
}

export function findExclusion(
  { exclusions }: PageData,
  { excluded }: { readonly excluded?: number },
): ReportExclusion | null {
  return excluded === undefined ? null : exclusions?.[excluded] ?? null;
}

/** The outcomes of a keyword that were never seen. Null if both were, or if the keyword isn't counted. */
export function missingParts(keyword: Keyword): Missing | null {
  return isCounted(keyword) ? missingOutcomes(keyword.valid, keyword.invalid) : null;
}

export function isCounted({ satisfiability, excluded }: Keyword): boolean {
  return satisfiability === "Normal" && excluded === undefined;
}

/** The state of a keyword. `excluded` if it isn't counted. */
export function keywordState(keyword: Keyword): "full" | "partial" | "none" | "excluded" {
  if (!isCounted(keyword)) return "excluded";
  const missing = missingOutcomes(keyword.valid, keyword.invalid);
  return missing === null ? "full" : missing === "both" ? "none" : "partial";
}

export function isMissed({ hits, excluded }: Example): boolean {
  return hits === 0 && excluded === undefined;
}

function operationState(operation: PageOperation, gaps: GapCounts): OperationState {
  if (operation.excluded !== undefined) return "excluded";
  if (operation.hits === 0) return "never";
  return gaps.total === 0 ? "complete" : "gaps";
}

/** The operation of a finding or gap. Undefined if the report doesn't contain it. */
export function findOperation(
  { byKey }: Model,
  { method, path }: { readonly method: string; readonly path: string },
): Operation | undefined {
  return byKey.get(operationKey(method, path));
}

function operationKey(method: string, path: string): string {
  // Links are UTF-8 and can't contain lone surrogates, but paths may.
  return `${method}:${path}`.toWellFormed();
}

export function buildModel(data: PageData, sourceBlock = "source"): Model {
  const changes = data.comparison && readChanges(data.comparison);
  const texts = new Map(
    data.texts.flatMap(([pointer, schemaTexts]) =>
      Object.entries(schemaTexts).map(([keyword, text]) => [`${pointer}/${keyword}`, text])
    ),
  );
  const findings = data.findings &&
    Map.groupBy(data.findings, (finding) => operationName(finding));
  const operations = data.operations.map((operation, index) => {
    const gaps = gapCounts(operation.summary, data.traffic);
    return {
      index,
      key: operationKey(operation.method, operation.path),
      data: operation,
      parameters: operation.parameters.map(({ schemas, ...parameter }, index) => ({
        ...parameter,
        index,
        at: spotName("parameter", index),
        keywords: schemas.flatMap(({ pointer: schema, keywords }) =>
          keywords.map((one) => ({ ...one, schema, schema_path: `${schema}/${one.keyword}` }))
        ).map((keyword, row) => ({
          ...keyword,
          row,
          at: spotName("keyword", index, row),
          value: texts.get(keyword.schema_path),
        })),
        classes: schemas.flatMap(({ pointer, values }) =>
          values.map((one) => ({ ...one, schema_path: pointer }))
        ),
        examples: parameter.examples.map((example, row) => ({
          ...example,
          row,
          at: spotName("example", index, row),
          value: JSON.stringify(example.value),
        })),
        name: parameter.location === "body" ? "body" : parameter.parameter,
      })),
      gaps,
      state: operationState(operation, gaps),
      haystack: [
        operationName(operation),
        operation.operation_id ?? "",
        ...operation.tags,
        ...operation.parameters.map(({ parameter }) => parameter),
      ].join("\n").toLowerCase(),
      change: changes?.get(operationName(operation)) ?? unchanged(),
      requests: [] as NextRequest[],
      errors: serverErrors(operation, findings && (findings.get(operationName(operation)) ?? [])),
      undocumented: operation.excluded === undefined
        ? operation.undocumented_responses.map(({ status_code }) => status_code)
        : [],
    } satisfies Operation;
  });
  return {
    data,
    sourceBlock,
    references: new Map(data.references),
    texts,
    operations,
    requests: addRequests(operations, data.next?.requests ?? []),
    byKey: new Map(operations.map((operation) => [operation.key, operation])),
    gaps: gapCounts(data.summary, data.traffic),
  };
}

/** Adds the requests to their operations, and returns all of them. */
function addRequests(
  operations: readonly (Operation & { readonly requests: NextRequest[] })[],
  requests: readonly PageRequest[],
): NextRequest[] {
  return requests.flatMap((data, number) => {
    const operation = operations[data.operation];
    if (operation === undefined) return [];
    const request = { operation, index: operation.requests.length, number, data };
    operation.requests.push(request);
    return [request];
  });
}

export interface ServerError {
  readonly status: string;
  readonly isDocumented: boolean;
  readonly hits: number;
}

/**
 * An operation's statuses that are server errors, undocumented ones first. They come from its findings, as a response
 * documented as `default` doesn't show which statuses occurred; without findings, from its responses.
 */
export function serverErrors(
  { responses, undocumented_responses }: Pick<
    Operation["data"],
    "responses" | "undocumented_responses"
  >,
  findings?: readonly Finding[],
): readonly ServerError[] {
  const isDocumented = (status: string): boolean =>
    !undocumented_responses.some(({ status_code }) => status_code === status);
  const seen = findings === undefined
    ? [...undocumented_responses, ...responses]
    : findings.flatMap((one) =>
      one.kind === "server_error" ? [{ status_code: one.status_code, hits: one.count }] : []
    );
  return seen.filter(({ status_code, hits }) => hits > 0 && status_code.startsWith("5"))
    .map(({ status_code: status, hits }) => ({ status, isDocumented: isDocumented(status), hits }))
    .sort((left, right) => Number(left.isDocumented) - Number(right.isDocumented));
}

export function errorText({ status, isDocumented }: ServerError): string {
  return isDocumented ? status : `${status} (undocumented)`;
}

/** Keywords that can always be the only cause of a failure. */
const ASSERTIONS: ReadonlySet<string> = new Set(
  [...keywordTable.values()].filter(({ kind }) => kind === "assertion").map(({ name }) => name),
);

/** True if values failed the rule, but no response shows whether the API enforces it. */
export function isNeverAlone({ data }: Model, keyword: Keyword): boolean {
  const { invalid, refused, accepted } = keyword;
  return refused === undefined && accepted === undefined &&
    data.summary.enforcement?.measured === true && invalid > 0 &&
    isCounted(keyword) && ASSERTIONS.has(keyword.keyword);
}

export interface FoundRule {
  readonly parameter: Parameter;
  /** Undefined if the rule is that the parameter is required. */
  readonly keyword: Keyword | undefined;
}

export function findRule(operation: Operation, finding: Finding): FoundRule | null {
  if (finding.kind !== "keyword_not_enforced") return null;
  const parameter = operation.parameters.find(({ location, parameter }) =>
    location === finding.location && parameter === finding.parameter
  );
  if (parameter === undefined) return null;
  const keyword = finding.missing === true
    ? undefined
    : parameter.keywords.find(({ schema_path }) => schema_path === finding.schema_path);
  return { parameter, keyword };
}

/** How a gap relates to the baseline: covered there (`new`), or of a part that the baseline doesn't have (`added`). */
export type GapChange = "new" | "added";

export interface OperationChange {
  readonly isAdded: boolean;
  readonly fresh: number;
  readonly additions: number;
  /** Changed gaps by id. A keyword that neither passed nor failed has two ids. */
  readonly gaps: ReadonlyMap<string, GapChange>;
}

function unchanged() {
  return { isAdded: false, fresh: 0, additions: 0, gaps: new Map<string, GapChange>() };
}

/** The changes of operations since the baseline, by operation name. */
function readChanges(
  { new_gaps, uncovered_additions, added }: Comparison,
): ReadonlyMap<string, OperationChange> {
  const changes = new Map<string, ReturnType<typeof unchanged>>();
  const operationChange = (thing: Gap | Comparison["added"][number]) =>
    getOrAdd(changes, operationName(thing), unchanged);
  for (const part of added) if (part.kind === "operation") operationChange(part).isAdded = true;
  for (const gap of new_gaps) {
    const change = operationChange(gap);
    change.fresh++;
    change.gaps.set(gap.id ?? "", "new");
  }
  for (const gap of uncovered_additions) {
    const change = operationChange(gap);
    change.additions++;
    change.gaps.set(gap.id ?? "", "added");
  }
  return changes;
}

/** The changes of a gap since the baseline, one for each changed id. */
export function gapChanges(
  { gaps }: OperationChange,
  { ids }: { readonly ids: readonly string[] },
): readonly GapChange[] {
  return ids.flatMap((id) => gaps.get(id) ?? []);
}

/** True if an operation has one of the selected changes, or if none is selected. */
export function isChanged(
  { isAdded, fresh, additions }: OperationChange,
  since: ReadonlySet<string>,
): boolean {
  return since.size === 0 || since.has("new") && fresh > 0 ||
    since.has("added") && (isAdded || additions > 0);
}
