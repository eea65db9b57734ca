import { escapeToken, pointerTokens } from "../../values/json_pointer.ts";
import { keywordTable } from "../../values/keyword_table.ts";
import type { OperationPlan } from "../coverage_plan.ts";
import { requiredRule } from "../enforcement.ts";
import type { Evidence, EvidenceExample, EvidenceKind } from "../evidence.ts";
import { parameterName, type ParameterPlan, requiredPointer } from "../parameter_plan.ts";
import type {
  EvidenceFile,
  OperationFile,
  ParameterFile,
  RequestFile,
  TimeAt,
  TimeIndex,
  ViolationFile,
} from "./hits_format.ts";

/** Replaces the pointer of the media type or header, or of a parameter's `required`. */
export const PART_ITSELF = "~";

export function writeExample(
  { status_code, request }: EvidenceExample,
  timeIndex: (time: number) => TimeIndex,
): number | RequestFile {
  if (request === undefined) return status_code;
  const { at, size, text: { url, media_type, shape } } = request;
  return [
    status_code,
    timeIndex(at),
    size,
    url,
    ...(media_type === undefined ? [] : shape === undefined ? [media_type] : [media_type, shape]),
  ] as unknown as RequestFile;
}

/** Reads an example of a hits file, without `instance`. */
export function readExample(saved: number | RequestFile, timeAt: TimeAt): EvidenceExample {
  if (typeof saved === "number") return { status_code: saved };
  const [status_code, at, size, url, media_type, shape] = saved;
  return {
    status_code,
    request: {
      at: timeAt(at),
      size,
      text: {
        url,
        ...(media_type !== undefined && { media_type }),
        ...(shape !== undefined && { shape }),
      },
    },
  };
}

export interface EvidenceEntry extends Omit<Evidence, "parameter"> {
  /** The name of the parameter with the rule; undefined if the evidence is about none. */
  readonly parameter: string | undefined;
  /** True if the rule is that the parameter is required. */
  readonly isRequired: boolean;
}

/** @param saved The parameters of the operation in the file. */
export function writeEvidence(
  { parameters }: OperationPlan,
  { parameter: index, detail, count, firstAt, example }: Evidence,
  saved: readonly ParameterFile[],
  timeIndex: (time: number) => TimeIndex,
): EvidenceFile {
  const { instance } = example;
  const first = timeIndex(firstAt);
  const savedExample = writeExample(example, timeIndex);
  const parameter = parameters[index];
  if (parameter === undefined) return [count, savedExample, detail, first];
  const name = parameterName(parameter);
  const position = saved.findIndex(([other]) => other === name);
  const path = detail === requiredRule(parameter) ? PART_ITSELF : shortPath(parameter, detail);
  const entry = [count, savedExample, path, first, position < 0 ? name : position] as const;
  return instance === undefined || instance === impliedInstance(path)
    ? entry
    : [...entry, instance];
}

/** @param findParameter Finds a parameter of the plan by name. */
export function* readEvidence(
  { evidence = {}, parameters = [] }: OperationFile,
  findParameter: (name: string) => ParameterPlan | undefined,
  timeAt: TimeAt,
): Generator<EvidenceEntry, void> {
  for (const kind of Object.keys(evidence) as EvidenceKind[]) {
    for (
      const [count, savedExample, detail, first, owner, instance] of evidence[kind] ?? []
    ) {
      const isRequired = detail === PART_ITSELF;
      const base = { kind, count, firstAt: timeAt(first), isRequired };
      const bareExample = readExample(savedExample, timeAt);
      if (owner === undefined) {
        yield { ...base, parameter: undefined, detail, example: bareExample };
        continue;
      }
      const parameter = typeof owner === "number" ? parameters[owner]?.[0] ?? "" : owner;
      const plan = findParameter(parameter);
      const path = isRequired ? "required" : plan === undefined ? detail : longPath(plan, detail);
      const example = isRequired
        ? bareExample
        : { ...bareExample, instance: instance ?? impliedInstance(detail) ?? "" };
      yield { ...base, parameter, detail: path, example };
    }
  }
}

/** Shortens the pointer of a rule that is in a schema of its parameter. */
export function shortPath(parameter: ParameterPlan, path: string): string {
  for (const mark of [".", "*"]) {
    const schemaPath = ownSchemaPath(parameter, mark);
    if (schemaPath !== undefined && path.startsWith(`${schemaPath}/`)) {
      return mark + path.slice(schemaPath.length);
    }
  }
  return path;
}

export function longPath(parameter: ParameterPlan, path: string): string {
  return isShort(path) ? `${ownSchemaPath(parameter, path) ?? ""}${path.slice(1)}` : path;
}

/** True for a path that begins with a dot or a star alone, as `../file.json#/maximum` doesn't. */
function isShort(path: string): boolean {
  return /^[.*]\//.test(path);
}

/** @param path A path that begins with a dot for the schema, or a star for that of the items. */
function ownSchemaPath({ schema, itemSchema }: ParameterPlan, path: string): string | undefined {
  const own = path.startsWith(".") ? schema : itemSchema;
  return typeof own === "object" ? own.schemaPath() : undefined;
}

/** Returns the part of a value that a rule applies to; undefined for other schemas, items and undeclared names. */
export function impliedInstance(path: string): string | undefined {
  if (!isShort(path)) return undefined;
  const tokens = pointerTokens(path.slice(1)).slice(0, -1);
  let pointer = "";
  for (let index = 0; index < tokens.length; index++) {
    const facts = keywordTable.get(tokens[index] as string); // the index is within the list
    if (facts?.name === "properties") pointer += `/${escapeToken(tokens[++index] ?? "")}`;
    else if (facts?.relation !== "in_place") return undefined;
    else if (/^\d+$/.test(tokens[index + 1] ?? "")) index++;
  }
  return pointer;
}

export function writeViolation(
  part: ParameterPlan,
  { detail, count, firstAt, example }: Evidence,
  timeIndex: (time: number) => TimeIndex,
): ViolationFile {
  const { instance } = example;
  const partPath = part.schema_path;
  const short = shortPath(part, detail);
  const path = short !== detail || !(detail === partPath || detail === requiredPointer(part.model))
    ? short
    : PART_ITSELF + detail.slice(partPath.length);
  const entry = [count, writeExample(example, timeIndex), path, timeIndex(firstAt)] as const;
  return instance === undefined || instance === impliedInstance(path)
    ? entry
    : [...entry, instance];
}

export function readViolations(
  part: ParameterPlan,
  saved: readonly ViolationFile[] | undefined,
  timeAt: TimeAt,
): Evidence[] {
  return (saved ?? []).map(([count, savedExample, path, first, instance]) => {
    const isItself = path.startsWith(PART_ITSELF);
    const detail = isItself
      ? part.schema_path + path.slice(PART_ITSELF.length)
      : longPath(part, path);
    const violating = isItself ? instance : instance ?? impliedInstance(path) ?? "";
    const bareExample = readExample(savedExample, timeAt);
    const example = violating === undefined ? bareExample : { ...bareExample, instance: violating };
    return { kind: "violated", parameter: -1, detail, count, firstAt: timeAt(first), example };
  });
}
