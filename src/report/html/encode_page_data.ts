import type {
  Report,
  ReportOperation,
  ReportParameter,
  ReportResponse,
  ReportResponsePart,
  TestIndexes,
} from "../report.ts";
import type { DescriptionView } from "./description_view.ts";
import type { NextRequests } from "../../suggest/suggestion.ts";
import { encodeNextRequests } from "./encode_next_requests.ts";
import { keywordText } from "./keyword_text.ts";
import {
  ANSWERS,
  EXAMPLES,
  KEYWORD_TESTS,
  KEYWORDS,
  NO_TEXT,
  type PageOperation,
  type PageParameter,
  type PageResponse,
  type PageResponsePart,
  REFERENCES,
  RESPONSE_KEYWORDS,
  SATISFIABILITIES,
} from "./page_data.ts";

/** Gives each text a number, the same one every time. */
class Texts {
  readonly #numbers = new Map<string, number>();

  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }

  *chunks(): Generator<string> {
    let separator = "";
    for (const text of this.#numbers.keys()) {
      yield separator + JSON.stringify(text);
      separator = ",";
    }
  }
}

/** Gives each list of tests a number, the same one every time. */
class TestLists {
  readonly lists: TestIndexes[] = [];
  readonly #numbers = new Map<string, number>();

  number(list: TestIndexes = []): number {
    const key = list.join();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.lists.length);
    return this.lists.push(list) - 1;
  }
}

/** The members that all rows of a keyword share. */
type KeywordRow = Pick<Parameters<typeof KEYWORDS.add>[1], "schema" | "name" | "value">;

/** The tables that all parameters share. */
interface Shared {
  readonly texts: Texts;
  readonly tests: TestLists;
  /** By schema path: operations share components, so most keywords come many times. */
  readonly keywords: Map<string, KeywordRow>;
  readonly view: DescriptionView | undefined;
}

function keywordRow(
  { keyword, schema_path }: Pick<ReportParameter["keywords"][number], "keyword" | "schema_path">,
  { texts, keywords, view }: Shared,
): KeywordRow {
  const known = keywords.get(schema_path);
  if (known !== undefined) return known;
  // All keywords of one schema share its pointer, so the page can group them by that number.
  const ending = `/${keyword}`;
  const text = keywordText(view?.valueOf(schema_path));
  const place = schema_path.endsWith(ending) ? schema_path.slice(0, -ending.length) : schema_path;
  const row = {
    schema: texts.number(place),
    name: texts.number(keyword),
    value: text === undefined ? NO_TEXT : texts.number(text),
  };
  keywords.set(schema_path, row);
  return row;
}

/** The tests that covered the rows of a parameter; empty if unknown. */
function encodeTests(
  { keywords, examples }: ReportParameter,
  tests: TestLists,
): Pick<PageParameter, "keyword_tests" | "example_tests"> {
  const ofKeywords: number[] = [];
  for (const { covered_by } of keywords) {
    KEYWORD_TESTS.add(ofKeywords, {
      valid: tests.number(covered_by?.valid),
      invalid: tests.number(covered_by?.invalid),
    });
  }
  const ofExamples = examples.map(({ covered_by }) => tests.number(covered_by));
  return {
    ...(keywords.some(({ covered_by }) => covered_by !== undefined) &&
      { keyword_tests: ofKeywords }),
    ...(examples.some(({ covered_by }) => covered_by !== undefined) &&
      { example_tests: ofExamples }),
  };
}

function encodeParameter(
  parameter: ReportParameter,
  root: string | undefined,
  shared: Shared,
): PageParameter {
  const { texts, tests } = shared;
  const keywords: number[] = [];
  for (const one of parameter.keywords) {
    const { valid, invalid, satisfiability, excluded } = one;
    const { schema, name, value } = keywordRow(one, shared);
    KEYWORDS.add(keywords, {
      schema,
      name,
      valid,
      invalid,
      satisfiability: excluded === undefined
        ? SATISFIABILITIES.indexOf(satisfiability)
        : SATISFIABILITIES.length + excluded,
      value,
    });
  }
  const answers: number[] = [];
  parameter.keywords.forEach(({ refused = 0, accepted = 0 }, keyword) => {
    if (refused + accepted > 0) ANSWERS.add(answers, { keyword, refused, accepted });
  });
  const examples: number[] = [];
  for (const { schema_path, value, hits } of parameter.examples) {
    EXAMPLES.add(examples, {
      pointer: texts.number(schema_path),
      value: texts.number(JSON.stringify(value)),
      hits,
    });
  }
  return {
    ...parameter,
    schema_path: texts.number(parameter.schema_path),
    schema: root === undefined ? NO_TEXT : texts.number(root),
    keywords,
    examples,
    ...(answers.length > 0 && { answers }),
    ...(parameter.examples.some(({ excluded }) => excluded !== undefined) && {
      example_exclusions: parameter.examples.map(({ excluded = NO_TEXT }) => excluded),
    }),
    ...encodeTests(parameter, tests),
  };
}

function encodePart(
  part: ReportResponsePart,
  shared: Shared,
): PageResponsePart {
  const keywords: number[] = [];
  for (const one of part.keywords) {
    const { schema_path, seen, violated = 0 } = one;
    const keyword = schema_path.slice(schema_path.lastIndexOf("/") + 1);
    const row = keywordRow({ keyword, schema_path }, shared);
    RESPONSE_KEYWORDS.add(keywords, { ...row, seen, violated });
  }
  return { ...part, schema_path: shared.texts.number(part.schema_path), keywords };
}

function encodeResponse(response: ReportResponse, shared: Shared): PageResponse {
  const { media_types, headers, ...rest } = response;
  const encode = (part: ReportResponsePart) => encodePart(part, shared);
  return {
    ...rest,
    ...(media_types && { media_types: media_types.map(encode) }),
    ...(headers && { headers: headers.map(encode) }),
  };
}

function encodeOperation(
  operation: ReportOperation,
  index: number,
  shared: Shared,
): PageOperation {
  const roots = shared.view?.roots[index];
  return {
    ...operation,
    parameters: operation.parameters.map((parameter, position) =>
      encodeParameter(parameter, roots?.[position], shared)
    ),
    responses: operation.responses.map((response) => encodeResponse(response, shared)),
  };
}

/**
 * Writes a report as the JSON text of a `PageData`, in pieces, since the whole may be longer than
 * the longest JavaScript string.
 *
 * @param report What to write; its gaps are left out, because the page derives them.
 * @param view The values of keywords and the references between schemas; undefined if only the report is available.
 * @param next Requests that close gaps.
 * @returns The pieces, to be joined without a separator.
 */
export function* encodePageData(
  report: Report,
  view?: DescriptionView,
  next?: NextRequests,
): Generator<string> {
  const { operations, gaps: _derived, ...rest } = report;
  const shared = {
    texts: new Texts(),
    tests: new TestLists(),
    keywords: new Map<string, KeywordRow>(),
    view,
  };
  const { texts, tests } = shared;
  tests.number(); // the empty list comes first
  yield `${JSON.stringify(rest).slice(0, -1)},"operations":[`;
  let index = 0;
  for (const operation of operations) {
    yield `${index === 0 ? "" : ","}${JSON.stringify(encodeOperation(operation, index, shared))}`;
    index++;
  }
  const references: number[] = [];
  for (const [from, to] of view?.references ?? []) {
    REFERENCES.add(references, { from: texts.number(from), to: texts.number(to) });
  }
  const source = view === undefined ? null : view.source !== undefined;
  if (next !== undefined) {
    yield `],"next":${JSON.stringify(encodeNextRequests(report, next))}`;
  } else yield "]";
  yield `,"references":${JSON.stringify(references)},"has_source":${source},"test_lists":${
    JSON.stringify(tests.lists)
  },"texts":[`;
  yield* texts.chunks();
  yield "]}";
}
