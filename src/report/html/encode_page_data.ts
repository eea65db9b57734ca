import type { Report, ReportOperation, ReportParameter } from "../report.ts";
import { type PageOperation, type PageParameter, SATISFIABILITIES } from "./page_data.ts";

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

function encodeParameter(parameter: ReportParameter, texts: Texts): PageParameter {
  const keywords: number[] = [];
  for (const { keyword, schema_path, valid, invalid, satisfiability } of parameter.keywords) {
    // All keywords of one schema share its pointer, so the page can group them by that number.
    const ending = `/${keyword}`;
    const place = schema_path.endsWith(ending) ? schema_path.slice(0, -ending.length) : schema_path;
    keywords.push(
      texts.number(place),
      texts.number(keyword),
      valid,
      invalid,
      SATISFIABILITIES.indexOf(satisfiability),
    );
  }
  const examples: number[] = [];
  for (const { schema_path, value, hits } of parameter.examples) {
    examples.push(texts.number(schema_path), texts.number(JSON.stringify(value)), hits);
  }
  return { ...parameter, schema_path: texts.number(parameter.schema_path), keywords, examples };
}

function encodeOperation(operation: ReportOperation, texts: Texts): PageOperation {
  return {
    ...operation,
    parameters: operation.parameters.map((parameter) => encodeParameter(parameter, texts)),
  };
}

/**
 * Writes a report as the JSON text of a `PageData`, in pieces, since the whole may be longer than
 * the longest JavaScript string.
 *
 * @param report What to write; its gaps are left out, because the page derives them.
 * @returns The pieces, to be joined without a separator.
 */
export function* encodePageData(report: Report): Generator<string> {
  const { operations, gaps: _derived, ...rest } = report;
  const texts = new Texts();
  yield `${JSON.stringify(rest).slice(0, -1)},"operations":[`;
  let separator = "";
  for (const operation of operations) {
    yield separator + JSON.stringify(encodeOperation(operation, texts));
    separator = ",";
  }
  yield `],"texts":[`;
  yield* texts.chunks();
  yield "]}";
}
