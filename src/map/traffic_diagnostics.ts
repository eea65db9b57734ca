import { type Diagnostic, diagnostic } from "../values/diagnostic.ts";
import type { CoveragePlan } from "./coverage_plan.ts";
import { MAX_TESTS } from "./covered_by.ts";
import { addCounts } from "../values/errors.ts";
import type { OperationModel } from "../openapi/model.ts";
import type { Hits } from "./hits.ts";
import { type ParameterHits, ResponsePartHits } from "./operation_hits.ts";

/** Returns warnings about traffic that couldn't be evaluated, in document order and once per parameter. */
export function trafficDiagnostics(plan: CoveragePlan, hits: Hits): Diagnostic[] {
  const general = hits.coveredBy.isTruncated ? [TESTS_LEFT_OUT] : [];
  return [...general, ...hiddenConditions(plan, hits), ...slashRedirects(plan, hits)].concat(
    PROBLEMS.flatMap(({ occursIn, code, message }) => {
      const paths = new Set<string>();
      hits.operations.forEach((operation, index) => {
        operation?.parameters.forEach((parameter, place) => {
          if (parameter === undefined || !occursIn(parameter)) return;
          const path = plan.operations[index]?.parameters[place]?.schema_path;
          if (path !== undefined) paths.add(path);
        });
        operation?.responses.forEach((response, status) =>
          response?.parts.forEach((part, place) => {
            if (part === undefined || !occursIn(part)) return;
            const path = plan.operations[index]?.response(status)?.parts[place]?.schema_path;
            if (path !== undefined) paths.add(path);
          })
        );
      });
      return Array.from(paths, (path) => diagnostic("warning", code, path, message));
    }),
  );
}

const TESTS_LEFT_OUT = diagnostic(
  "info",
  "tests_left_out",
  "",
  `The traffic has the names of more than ${
    MAX_TESTS / 1000
  },000 tests. The first by name are kept, so the lists of tests that covered something lack the others; their requests count all the same.`,
);

const CONDITION_NOUNS = { header: "header field", query: "query parameter", form: "form field" };

/** Returns one warning for all operations that depend on a header or form field that the traffic doesn't show. */
function hiddenConditions(plan: CoveragePlan, hits: Hits): readonly Diagnostic[] {
  if (!hits.unmatched.list().some(({ reason }) => reason === "condition_not_met")) return [];
  const affected = plan.operations.flatMap(({ index, model }) => {
    const condition = plan.routes.conditions(index).find(({ in: place, name }) => {
      const mayBeForm = place === "form" || place === "query" && model.method === "POST";
      return !hits.visible.shows(mayBeForm ? "form_data" : place, name);
    });
    return condition === undefined ? [] : [{ model, condition }];
  });
  const [first] = affected;
  if (first === undefined) return [];
  const { model: { method, path, pointer }, condition } = first;
  return [diagnostic(
    "warning",
    "condition_not_shown",
    pointer,
    `Only the ${
      CONDITION_NOUNS[condition.in]
    } \`${condition.name}\` tells requests for \`${method} ${path}\`${
      affected.length === 1 ? "" : ` and ${affected.length - 1} more`
    } from others, and this traffic doesn't show it, so none counts. Record with covtool's proxy or one of its plugins, which do.`,
  )];
}

function slashRedirects(plan: CoveragePlan, { operations }: Hits): readonly Diagnostic[] {
  const redirected: OperationModel[] = [];
  const statuses = new Set<string>();
  let requests = 0;
  operations.forEach((hits, index) => {
    const redirects = hits?.evidence.list().filter(({ kind }) => kind === "slash_redirect") ?? [];
    const model = plan.operations[index]?.model;
    if (redirects.length === 0 || model === undefined) return;
    redirected.push(model);
    for (const { detail, count } of redirects) {
      statuses.add(detail);
      requests = addCounts(requests, count);
    }
  });
  const [first] = redirected;
  if (first === undefined) return [];
  const others = redirected.length === 1
    ? ""
    : ` and ${redirected.length - 1} more operation${redirected.length === 2 ? "" : "s"}`;
  return [diagnostic(
    "info",
    "slash_redirect",
    first.pointer,
    `${requests} request${
      requests === 1 ? "" : "s"
    } to ${first.method} ${first.path}${others} got a redirect that only adds or removes a slash at the end of the path (${
      [...statuses].sort().join(", ")
    }). A description needn't document it (RFC 9110, section 15.4), and it proves nothing. Send the path as the description writes it.`,
  )];
}

const PROBLEMS: readonly {
  readonly code: string;
  readonly message: string;
  occursIn(parameter: ParameterHits): boolean;
}[] = [
  {
    code: "nested_too_deep",
    message: "A recorded value is nested too deeply, so its innermost parts were not evaluated.",
    occursIn: ({ nestedTooDeep }) => nestedTooDeep,
  },
  {
    code: "value_replaced",
    message:
      "A recorder replaced values here with a placeholder such as `[Filtered]`. They count as sent, but cover no keyword or example. Record without filters to measure them.",
    occursIn: ({ replaced }) => replaced,
  },
  {
    code: "response_not_decoded",
    message:
      "covtool doesn't decode response bodies of this media type, so they meet no keyword. Bodies in JSON, XML, forms and text are decoded, and server-sent events as a text or by `itemSchema`.",
    occursIn: (parameter) => parameter instanceof ResponsePartHits && parameter.undecoded,
  },
  {
    code: "pattern_unjudged",
    message:
      "Matching a recorded value against a pattern would take too long, so the pattern was not evaluated.",
    occursIn: ({ patternUnjudged }) => patternUnjudged,
  },
  {
    code: "evaluation_too_long",
    message:
      "Evaluating a recorded value would take too long, so it counts as sent, and covers no keyword.",
    occursIn: ({ tooLong }) => tooLong,
  },
];
