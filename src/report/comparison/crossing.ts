import type { Gap } from "../../map/results.ts";
import type {
  ReportExample,
  ReportKeyword,
  ReportOperation,
  ReportParameter,
  ReportResponse,
} from "../report.ts";
import { matchExamples } from "./match_examples.ts";
import { matchKeywords } from "./match_keywords.ts";
import { matchOperations, matchParameters } from "./match_operations.ts";

/** A thing that lacks something in one report, as another report has it. */
export interface Counterpart {
  /** The gap, with the names and pointers of the other report's description. */
  readonly gap: Gap;
  /** True if it is closed there; false if that is unknown or it is excluded. */
  readonly covered: boolean;
}

/** A parameter with that of the other report. */
interface CrossedParameter {
  readonly own: ReportParameter;
  readonly other: ReportParameter;
  readonly keywords: ReadonlyMap<ReportKeyword, ReportKeyword>;
  readonly examples: ReadonlyMap<ReportExample, ReportExample>;
  /** By schema path. */
  readonly ownKeywords: ReadonlyMap<string, ReportKeyword>;
  /** By schema path. */
  readonly ownExamples: ReadonlyMap<string, ReportExample>;
}

/** Finds the things of one report in another one. Two of them, one for each direction, pair the same things. */
export class Crossing {
  readonly #operations: ReadonlyMap<ReportOperation, ReportOperation>;
  readonly #hasValues: boolean;
  readonly #byName: ReadonlyMap<string, ReportOperation>;
  readonly #parameters = new Map<ReportOperation, ReadonlyMap<ReportParameter, ReportParameter>>();
  readonly #crossed = new Map<ReportParameter, CrossedParameter>();

  /**
   * @param from The report whose things are looked for.
   * @param to The report in which they are found.
   * @param hasValues False where one of the reports does not tell what keywords say.
   */
  constructor(
    from: readonly ReportOperation[],
    to: readonly ReportOperation[],
    hasValues: boolean,
  ) {
    this.#operations = matchOperations(from, to);
    this.#hasValues = hasValues;
    this.#byName = new Map(from.map((operation) => [nameOf(operation), operation]));
  }

  /** An operation in the other report; undefined where that has none. */
  operation(own: ReportOperation): ReportOperation | undefined {
    return this.#operations.get(own);
  }

  /** A parameter of an operation in the other report; undefined where that has none. */
  parameter(operation: ReportOperation, own: ReportParameter): ReportParameter | undefined {
    const other = this.#operations.get(operation);
    if (other === undefined) return undefined;
    let pairs = this.#parameters.get(operation);
    if (pairs === undefined) {
      this.#parameters.set(operation, pairs = matchParameters(operation, other));
    }
    return pairs.get(own);
  }

  /** A documented response of an operation in the other report; undefined where that has none. */
  response(operation: ReportOperation, status: string): ReportResponse | undefined {
    return this.#operations.get(operation)?.responses.find(({ status_code }) =>
      status_code.toUpperCase() === status.toUpperCase()
    );
  }

  /** The counterpart of a gap in the other report; undefined if its description does not have it. */
  counterpart(gap: Gap): Counterpart | undefined {
    const operation = this.#byName.get(nameOf(gap));
    const other = operation && this.operation(operation);
    if (operation === undefined || other === undefined) return undefined;
    const { method, path } = other;
    switch (gap.kind) {
      case "operation_uncovered":
        return { gap: { kind: gap.kind, method, path }, covered: isCovered(other) };
      case "response_uncovered": {
        const response = this.response(operation, gap.status_code);
        if (response === undefined) return undefined;
        const { status_code } = response;
        return {
          gap: { kind: gap.kind, method, path, status_code },
          covered: isCovered(response),
        };
      }
      case "parameter_uncovered": {
        const crossed = this.#parameterOf(operation, gap);
        if (crossed === undefined) return undefined;
        const { location, parameter } = crossed.other;
        return {
          gap: { kind: gap.kind, method, path, location, parameter },
          covered: isCovered(crossed.other),
        };
      }
      case "keyword_uncovered":
      case "example_uncovered": {
        const crossed = this.#parameterOf(operation, gap);
        if (crossed === undefined) return undefined;
        const { location, parameter } = crossed.other;
        // Reports have no keywords and examples of a parameter that was never sent.
        if (crossed.other.hits === 0) return { gap, covered: false };
        return insideOf(crossed, gap, { method, path, location, parameter });
      }
    }
  }

  #parameterOf(
    operation: ReportOperation,
    gap: { readonly location: string; readonly parameter: string },
  ): CrossedParameter | undefined {
    const own = operation.parameters.find(({ location, parameter }) =>
      location === gap.location && parameter === gap.parameter
    );
    const other = own && this.parameter(operation, own);
    if (own === undefined || other === undefined) return undefined;
    let crossed = this.#crossed.get(own);
    if (crossed === undefined) {
      crossed = {
        own,
        other,
        keywords: matchKeywords(own, other, this.#hasValues),
        examples: matchExamples(own, other),
        ownKeywords: new Map(own.keywords.map((keyword) => [keyword.schema_path, keyword])),
        ownExamples: new Map(own.examples.map((example) => [example.schema_path, example])),
      };
      this.#crossed.set(own, crossed);
    }
    return crossed;
  }
}

type InsideGap = Extract<Gap, { readonly kind: "keyword_uncovered" | "example_uncovered" }>;

function insideOf(
  { keywords, examples, ownKeywords, ownExamples }: CrossedParameter,
  gap: InsideGap,
  names: Pick<InsideGap, "method" | "path" | "location" | "parameter">,
): Counterpart | undefined {
  if (gap.kind === "keyword_uncovered") {
    const { kind, state } = gap;
    const own = ownKeywords.get(gap.schema_path);
    const other = own && keywords.get(own);
    if (other === undefined) return undefined;
    const { schema_path } = other;
    return {
      gap: { kind, ...names, schema_path, state },
      covered: other[state] > 0 && other.excluded === undefined,
    };
  }
  const own = ownExamples.get(gap.schema_path);
  const other = own && examples.get(own);
  if (other === undefined) return undefined;
  const { schema_path, value } = other;
  return { gap: { kind: gap.kind, ...names, schema_path, value }, covered: isCovered(other) };
}

/** True if something counts as covered; excluded things never do. */
function isCovered(thing: { readonly hits: number; readonly excluded?: number }): boolean {
  return thing.hits > 0 && thing.excluded === undefined;
}

function nameOf({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path}`;
}
