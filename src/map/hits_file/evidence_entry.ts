import { escapeToken, pointerTokens } from "../../values/json_pointer.ts";
import { keywordTable } from "../../values/keyword_table.ts";
import type { CoveragePlan, OperationPlan } from "../coverage_plan.ts";
import { requiredRule } from "../enforcement.ts";
import type { Evidence, EvidenceKind } from "../evidence.ts";
import type { ParameterPlan } from "../parameter_plan.ts";
import { readExample, writeExample } from "./example_entry.ts";
import type { EvidenceFile, OperationFile, ParameterFile, TimeIndex } from "./hits_format.ts";
import { parameterName, ruleHash } from "./names.ts";

/** Evidence as a hits file has it, read. */
export interface EvidenceEntry extends Omit<Evidence, "parameter"> {
  /** The name of the parameter whose rule it is; undefined if it is about none. */
  readonly parameter: string | undefined;
  readonly hash: string;
}

/** `saved` are the parameters in the file, in their order; `numberOf` gives a time its number. */
export function writeEvidence(
  plan: CoveragePlan,
  { parameters }: OperationPlan,
  { parameter: index, detail, count, firstAt, example }: Evidence,
  saved: readonly ParameterFile[],
  numberOf: (time: number) => TimeIndex,
): EvidenceFile {
  const { instance } = example;
  const first = numberOf(firstAt);
  const shown = writeExample(example, numberOf);
  const parameter = parameters[index];
  if (parameter === undefined) return [count, shown, detail, first];
  const name = parameterName(parameter);
  const at = saved.findIndex(([other]) => other === name);
  const path = shortPath(parameter, detail);
  const hash = ruleHash(plan, parameter, detail) ?? "";
  const entry = [count, shown, path, first, at < 0 ? name : at, hash] as const;
  return instance === undefined || instance === impliedInstance(path)
    ? entry
    : [...entry, instance];
}

/** `parameterOf` finds a parameter of the plan by its name, `timeAt` a time in the file. */
export function* readEvidence(
  { evidence = {}, parameters = [] }: OperationFile,
  parameterOf: (name: string) => ParameterPlan | undefined,
  timeAt: (index: TimeIndex | undefined) => number,
): Generator<EvidenceEntry, void> {
  for (const kind of Object.keys(evidence) as EvidenceKind[]) {
    for (const [count, shown, detail, first, at, hash = "", instance] of evidence[kind] ?? []) {
      const known = { kind, count, firstAt: timeAt(first), hash };
      const bare = readExample(shown, timeAt);
      if (at === undefined) {
        yield { ...known, parameter: undefined, detail, example: bare };
        continue;
      }
      const parameter = typeof at === "number" ? parameters[at]?.[0] ?? "" : at;
      const plan = parameterOf(parameter);
      const path = plan === undefined ? detail : longPath(plan, detail);
      const isKeyword = plan === undefined || path !== requiredRule(plan);
      const example = isKeyword
        ? { ...bare, instance: instance ?? impliedInstance(detail) ?? "" }
        : bare;
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

/** The part of a value that a rule is about; undefined if its schema is elsewhere, or for items or any property. */
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
