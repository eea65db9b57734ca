import { getOrAdd, groupItems } from "../../values/collections.ts";
import { isDimensionGap } from "../../map/results.ts";
import { closestTestText } from "../../suggest/formats/request_title.ts";
import { describeExpected } from "../../suggest/formats/text_format.ts";
import type { NextRequests } from "../../suggest/suggestion.ts";
import { operationName } from "../../values/operation_name.ts";
import { closedGapsIn } from "../gap_counts.ts";
import type { Report, ReportParameter } from "../report.ts";
import { keywordText } from "../wording/gap_wording.ts";
import type {
  AnnotatedSource,
  DescriptionView,
  PageData,
  PageKeyword,
  PageNextRequests,
  PageOperation,
  PageParameter,
  PageRequest,
  PageSchema,
  PageSource,
  PageValue,
} from "./page_data.ts";

function* writeItems<T>(
  items: readonly T[],
  encode: (item: T, index: number) => unknown = (item) => item,
): Generator<string> {
  for (const [index, item] of items.entries()) {
    yield `${index === 0 ? "" : ","}${JSON.stringify(encode(item, index))}`;
  }
}

/** Classes of values whose pointers end in a keyword. */
const OF_KEYWORDS: ReadonlySet<string> = new Set([
  ...["enum", "minimum", "maximum", "min_length", "max_length", "max_items"],
  "default_left_out",
]);

/** Groups keywords and values by schema. Pointers are most of a report's size, so the page has each pointer once. */
function pageSchemas({ keywords, values = [] }: ReportParameter): PageSchema[] {
  const schemas: { pointer: string; keywords: PageKeyword[]; values: PageValue[] }[] = [];
  const begin = (pointer: string) => {
    const begun = { pointer, keywords: [], values: [] };
    schemas.push(begun);
    return begun;
  };
  for (const { state: _, value_hash: __, schema_path, ...keyword } of keywords) {
    const pointer = schema_path.slice(0, -keyword.keyword.length - 1);
    const last = schemas.at(-1);
    const schema = last?.pointer === pointer ? last : begin(pointer);
    schema.keywords.push(keyword);
  }
  const byPointer = new Map(schemas.map((schema) => [schema.pointer, schema]));
  for (const { instance_path: _, schema_path, ...value } of values) {
    const pointer = OF_KEYWORDS.has(value.class)
      ? schema_path.replace(/\/(?:enum\/\d+|[^/]+)$/, "")
      : schema_path;
    getOrAdd(byPointer, pointer, () => begin(pointer)).values.push(value);
  }
  return schemas;
}

/** Writes a `PageData` as JSON, in pieces, because the whole may exceed the maximum length of strings. */
export function* encodePageData(
  report: Report,
  view?: DescriptionView,
  next?: NextRequests,
): Generator<string> {
  const { operations, gaps, ...rest } = report;
  const gapsByOperation = groupItems(gaps.filter(isDimensionGap), operationName);
  const closing = new Map<string, number>();
  const whole: Omit<PageData, "operations" | "texts"> = {
    ...rest,
    ...(next !== undefined && { next: pageRequests(report, next, closing) }),
    references: [...view?.references ?? []],
    has_source: view === undefined ? null : view.source !== undefined,
  };
  yield `${JSON.stringify(whole).slice(0, -1)},"operations":[`;
  yield* writeItems(operations, (operation, index): PageOperation => ({
    ...operation,
    gaps: gapsByOperation.get(operationName(operation))
      ?.map(({ id = "" }) => [id, closing.get(id) ?? -1]),
    parameters: operation.parameters.map((parameter, position): PageParameter => {
      const { keywords: _, values: __, ...rest } = parameter;
      const schema = view?.roots[index]?.[position];
      return { ...rest, schema, schemas: pageSchemas(parameter) };
    }),
  }));
  yield `],"texts":[`;
  if (view !== undefined) yield* writeItems(keywordTexts(report, view));
  yield "]}";
}

function keywordTexts({ operations }: Report, view: DescriptionView): PageData["texts"] {
  const paths = new Set<string>();
  for (const { parameters, responses } of operations) {
    const parts = responses.flatMap(({ media_types = [], headers = [] }) => [
      ...media_types,
      ...headers,
    ]);
    for (const { keywords } of [...parameters, ...parts]) {
      for (const { schema_path } of keywords) paths.add(schema_path);
    }
  }
  const texts = new Map<string, Record<string, string>>();
  for (const path of paths) {
    const text = keywordText(view.keywordValue(path));
    if (text === undefined) continue;
    const end = path.lastIndexOf("/");
    const schemaTexts = getOrAdd(texts, path.slice(0, end), (): Record<string, string> => ({}));
    schemaTexts[path.slice(end + 1)] = text;
  }
  return [...texts];
}

/** Maximum length of all requests in a page, in characters. Further requests are left out. */
const MAX_REQUEST_TEXT = 300_000;

/** Converts requests for the page. `closing` receives, by gap id, the index of the request that closes the gap. */
function pageRequests(
  report: Report,
  next: NextRequests,
  closing: Map<string, number>,
): PageNextRequests {
  const indexes = new Map(
    report.operations.map((operation, index) => [operationName(operation), index]),
  );
  const closedGaps = closedGapsIn(report);
  const requests: PageRequest[] = [];
  const { command, has_traffic, tests } = next;
  const settings = {
    ...(command !== undefined && { command, has_traffic }),
    ...(tests !== undefined && { test_format: tests.format }),
  };
  let length = 0;
  for (const [at, suggestion] of next.requests.entries()) {
    const test = tests?.texts[at];
    const { request, path, placeholders, expects, breaks, closes } = suggestion;
    const index = indexes.get(`${request.method} ${path}`);
    if (index === undefined) continue;
    length += suggestion.request.url.length + (suggestion.request.body ?? "").length +
      (test?.length ?? 0);
    if (length > MAX_REQUEST_TEXT) return { requests, complete: false, ...settings };
    requests.push({
      operation: index,
      request,
      placeholders,
      expects: describeExpected(expects, breaks === null),
      ...closedGaps(closes),
      breaks: breaks?.schema_path ?? null,
      ...(suggestion.closest_test !== undefined && { closest: closestTestText(suggestion) }),
      ...(test !== undefined && { test }),
    });
    for (const { id = "" } of closes) closing.set(id, requests.length - 1);
  }
  return { requests, complete: next.complete, ...settings };
}

export function* encodePageSource(source: AnnotatedSource): Generator<string> {
  const paths = [...source.positions.keys()];
  const numbers = new Map(paths.map((path, number) => [path, number]));
  const lists = new Map<readonly string[], number>();
  const rest: Omit<PageSource, "regions"> = {
    files: source.files,
    paths,
    at: [...source.positions.values()],
    operations: source.operations.map(({ missed, ...operation }) => ({
      ...operation,
      missed: missed.map((list) => list ? getOrAdd(lists, list, () => lists.size) : null),
    })),
    lists: [...lists.keys()].map((list) => list.flatMap((path) => numbers.get(path) ?? [])),
  };
  yield `${JSON.stringify(rest).slice(0, -1)},"regions":[`;
  yield* writeItems(source.regions);
  yield "]}";
}
