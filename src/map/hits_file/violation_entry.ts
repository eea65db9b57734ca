import type { CoveragePlan } from "../coverage_plan.ts";
import type { Evidence } from "../evidence.ts";
import { type ParameterPlan, requiredPointer } from "../parameter_plan.ts";
import { impliedInstance, longPath, shortPath } from "./evidence_entry.ts";
import { readExample, writeExample } from "./example_entry.ts";
import type { TimeIndex, ViolationFile } from "./hits_format.ts";

/** Stands for the pointer of the media type or header. */
const ITSELF = "~";

/** A keyword that responses broke, read from a hits file. */
export interface ViolationEntry {
  readonly evidence: Evidence;
  /** True if the description says the same there as the one that it was counted for. */
  readonly isSame: boolean;
}

/** `numberOf` gives a time its number. */
export function writeViolation(
  plan: CoveragePlan,
  part: ParameterPlan,
  { detail, count, firstAt, example }: Evidence,
  numberOf: (time: number) => TimeIndex,
): ViolationFile {
  const { instance } = example;
  const own = part.schema_path;
  const short = shortPath(part, detail);
  const path = short !== detail || !(detail === own || detail === requiredPointer(part.model))
    ? short
    : ITSELF + detail.slice(own.length);
  const hash = path.startsWith(ITSELF) ? "" : hashAt(plan, detail) ?? "";
  const entry = [count, writeExample(example, numberOf), path, numberOf(firstAt), hash] as const;
  return instance === undefined || instance === impliedInstance(path)
    ? entry
    : [...entry, instance];
}

export function readViolations(
  plan: CoveragePlan,
  part: ParameterPlan,
  saved: readonly ViolationFile[] | undefined,
  timeAt: (index: TimeIndex | undefined) => number,
): ViolationEntry[] {
  return (saved ?? []).map(([count, shown, path, first, hash, instance]) => {
    const isItself = path.startsWith(ITSELF);
    const detail = isItself ? part.schema_path + path.slice(ITSELF.length) : longPath(part, path);
    const isSame = isItself
      ? detail === part.schema_path || part.model.required
      : hashAt(plan, detail) === hash;
    const refused = isItself ? instance : instance ?? impliedInstance(path) ?? "";
    const bare = readExample(shown, timeAt);
    const example = refused === undefined ? bare : { ...bare, instance: refused };
    const firstAt = timeAt(first);
    return {
      evidence: { kind: "violated", parameter: -1, detail, count, firstAt, example },
      isSame,
    };
  });
}

/** The hash of what a description has at a pointer; undefined if it has nothing there. */
function hashAt(plan: CoveragePlan, path: string): string | undefined {
  const value = plan.placeAt(path)?.value;
  return value === undefined ? undefined : plan.layouts.hashOf(value);
}
