import type { Diagnostic } from "../values/diagnostic.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import { TESTS_KEPT } from "./covered_by.ts";
import type { Hits } from "./hits.ts";
import { type ParameterHits, ResponsePartHits } from "./operation_hits.ts";

/**
 * Diagnostics for traffic that could not be evaluated, in document order, once for each parameter, whoever recorded it,
 * and for tests beyond those that are kept.
 */
export function trafficDiagnostics(plan: CoveragePlan, hits: Hits): Diagnostic[] {
  const tests = hits.coveredBy.isCut ? [TESTS_LEFT_OUT] : [];
  return tests.concat(KINDS.flatMap(({ isMet, code, message }) => {
    const paths = new Set<string>();
    hits.operations.forEach((operation, index) => {
      operation?.parameters.forEach((parameter, place) => {
        if (parameter === undefined || !isMet(parameter)) return;
        const path = plan.operations[index]?.parameters[place]?.schema_path;
        if (path !== undefined) paths.add(path);
      });
      operation?.responses.forEach((response, status) =>
        response?.parts.forEach((part, place) => {
          if (part === undefined || !isMet(part)) return;
          const path = plan.operations[index]?.response(status)?.parts[place]?.schema_path;
          if (path !== undefined) paths.add(path);
        })
      );
    });
    return Array.from(paths, (schema_path): Diagnostic => ({
      severity: "warning",
      code,
      message,
      schema_path,
      line: null,
      column: null,
    }));
  }));
}

const TESTS_LEFT_OUT: Diagnostic = {
  severity: "info",
  code: "tests_left_out",
  message: `The traffic has the names of more than ${
    TESTS_KEPT / 1000
  },000 tests. The first by name are kept, so the lists of tests that covered something lack the others; their requests count all the same.`,
  schema_path: "",
  line: null,
  column: null,
};

/** Mishaps of recorded values, each with its diagnostic. */
const KINDS: readonly {
  readonly code: string;
  readonly message: string;
  isMet(parameter: ParameterHits): boolean;
}[] = [
  {
    code: "nested_too_deep",
    message: "A recorded value is nested too deeply, so its innermost parts were not evaluated.",
    isMet: ({ nestedTooDeep }) => nestedTooDeep,
  },
  {
    code: "value_replaced",
    message:
      "A recorder replaced values here with a placeholder such as `[Filtered]`. They count as sent, but cover no keyword or example. Record without filters to measure them.",
    isMet: ({ replaced }) => replaced,
  },
  {
    code: "response_not_decoded",
    message:
      "covtool doesn't decode response bodies of this media type, so they meet no keyword. Bodies in JSON, forms and text are decoded.",
    isMet: (parameter) => parameter instanceof ResponsePartHits && parameter.undecoded,
  },
  {
    code: "pattern_unjudged",
    message:
      "Matching a recorded value against a pattern would take too long, so the pattern was not evaluated.",
    isMet: ({ patternUnjudged }) => patternUnjudged,
  },
];
