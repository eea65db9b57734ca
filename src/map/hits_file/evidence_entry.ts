import { escapeToken, pointerTokens } from "../../values/json_pointer.ts";
import { keywordTable } from "../../values/keyword_table.ts";
import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import { requiredRule } from "../enforcement.ts";
import type { Evidence, EvidenceKind } from "../evidence.ts";
import type { ParameterPlan } from "../parameter_plan.ts";
import type { EvidenceFile, OperationFile, ParameterFile, TimeIndex } from "./hits_format.ts";
import { parameterName, ruleHash } from "./names.ts";

/** Evidence as a hits file has it, read. */
export interface EvidenceEntry extends Omit<Evidence, "parameter"> {
  /** The name of the parameter whose rule it is; undefined if it is about none. */
  readonly parameter: string | undefined;
  /** The hash of the rule's value. */
  readonly hash: string;
}

/**
 * Evidence as a hits file has it.
 *
 * @param saved The parameters in the file, in their order.
 * @param first The time of the first interaction; none if it is unknown.
 */
export function writeEvidence(
  plan: CoveragePlan,
  { parameters }: OperationPlan,
  { parameter: index, detail, count, example }: Evidence,
  saved: readonly ParameterFile[],
  first: TimeIndex,
): EvidenceFile {
  const { status_code, instance } = example;
  const parameter = parameters[index];
  if (parameter === undefined) return [count, status_code, detail, first];
  const name = parameterName(parameter);
  const at = saved.findIndex(([other]) => other === name);
  const path = shortPath(parameter, detail);
  const hash = ruleHash(plan, parameter, detail) ?? "";
  const entry = [count, status_code, path, first, at < 0 ? name : at, hash] as const;
  return instance === undefined || instance === impliedInstance(path)
    ? entry
    : [...entry, instance];
}

/**
 * The evidence of an operation in a hits file.
 *
 * @param parameterOf Finds a parameter of the plan by its name.
 * @param timeAt Finds a time in the file.
 */
export function* readEvidence(
  { evidence = {}, parameters = [] }: OperationFile,
  parameterOf: (name: string) => ParameterPlan | undefined,
  timeAt: (index: TimeIndex | undefined) => number,
): Generator<EvidenceEntry, void> {
  for (const kind of Object.keys(evidence) as EvidenceKind[]) {
    for (
      const [count, status_code, detail, first, at, hash = "", instance] of evidence[kind] ?? []
    ) {
      const known = { kind, count, firstAt: timeAt(first), hash };
      if (at === undefined) {
        yield { ...known, parameter: undefined, detail, example: { status_code } };
        continue;
      }
      const parameter = typeof at === "number" ? parameters[at]?.[0] ?? "" : at;
      const plan = parameterOf(parameter);
      const path = plan === undefined ? detail : longPath(plan, detail);
      const isKeyword = plan === undefined || path !== requiredRule(plan);
      const example = isKeyword
        ? { status_code, instance: instance ?? impliedInstance(detail) ?? "" }
        : { status_code };
      yield { ...known, parameter, detail: path, example };
    }
  }
}

/** The pointer of a rule from the schema of its parameter, where it is in there. */
export function shortPath(parameter: ParameterPlan, path: string): string {
  const own = schemaPath(parameter);
  return own !== undefined && path.startsWith(`${own}/`) ? `.${path.slice(own.length)}` : path;
}

/** The pointer that {@linkcode shortPath} has shortened. */
export function longPath(parameter: ParameterPlan, path: string): string {
  return path.startsWith(".") ? `${schemaPath(parameter) ?? ""}${path.slice(1)}` : path;
}

function schemaPath({ schema }: ParameterPlan): string | undefined {
  return typeof schema === "object" ? schema.pathOf("") : undefined;
}

/**
 * The pointer of the part of a value that a rule is about: undefined if its schema is written elsewhere, or applies to
 * items or to properties of any name.
 */
export function impliedInstance(path: string): string | undefined {
  if (!path.startsWith(".")) return undefined;
  const tokens = pointerTokens(path.slice(1)).slice(0, -1);
  let pointer = "";
  for (let index = 0; index < tokens.length; index++) {
    const facts = keywordTable.get(tokens[index] as string); // within its bounds
    if (facts?.name === "properties") pointer += `/${escapeToken(tokens[++index] ?? "")}`;
    else if (facts?.relation !== "in_place") return undefined;
    else if (/^\d+$/.test(tokens[index + 1] ?? "")) index++;
  }
  return pointer;
}
