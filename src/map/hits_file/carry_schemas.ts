import { appendTo, getOrAdd, pairByKeys } from "../../values/collections.ts";
import { memberKeys, type Statement } from "../../values/member_keys.ts";
import type { CountedUnit } from "../../schema/counters.ts";
import type { CoveragePlan } from "../coverage_plan.ts";
import type { ParameterPlan } from "../parameter_plan.ts";
import { countCounters, isClassKeyword, layoutEntries, type LayoutEntry } from "../unit_layout.ts";
import type {
  CountsFile,
  HitsFile,
  ParameterFile,
  TestIndexes,
  TimeAt,
  TimeIndex,
} from "./hits_format.ts";
import { keywordTable } from "../../values/keyword_table.ts";
import { escapeToken, pointerTokens } from "../../values/json_pointer.ts";

interface CarriedCount {
  readonly unit: CountedUnit;
  readonly slot: number;
  readonly count: number;
  /** In seconds since 1970; Infinity if unknown. */
  readonly first: number;
  readonly tests: TestIndexes | undefined;
}

interface LostCount {
  readonly kind: "keyword" | "example";
  readonly schema_path: string;
  readonly hits: number;
}

interface MovedKeyword {
  /** The earlier pointer; within the parameter's own schema, as if that had always been in its place. */
  readonly from: string;
  readonly to: string;
}

/** Matches the pointer of an alternative of `anyOf` or `oneOf`; no example's pointer ends like this. */
const ALTERNATIVE = /\/(?:anyOf|oneOf)\/\d+$/;

interface CountedEntry {
  /** Equal in both descriptions if the pointer and the value are the same. */
  readonly statement: Statement;
  /** Equal in both if the value and the part of the instance are the same; undefined if there are several parts. */
  readonly meaning: string | undefined;
  readonly entry: LayoutEntry;
}

interface Target extends CountedEntry {
  readonly unit: CountedUnit;
}

interface Source extends CountedEntry {
  readonly schema: number;
}

/** Moves counts to another description: to the unique keyword or example with the same value for the same part. */
export function* carrySchemas(
  plan: CoveragePlan,
  parameter: ParameterPlan,
  file: HitsFile,
  [, , saved = [], parameterFirst, details]: ParameterFile,
  timeAt: TimeAt,
): Generator<CarriedCount | LostCount | MovedKeyword, void> {
  const sources = listSources(file, saved);
  const targets = getOrAdd(targetsByParameter, parameter, () => listTargets(plan, parameter));
  const places = matchEntries(sources, targets);
  const numbers = new Map(
    saved.map(([schema, counts, first]) =>
      [schema, { counts, firsts: firstTimes(counts, first ?? parameterFirst, timeAt) }] as const
    ),
  );
  const tests = new Map(details?.schema_tests?.map(([schema, slots]) => [schema, new Map(slots)]));
  for (const source of sources) {
    const { schema, entry: { keyword, pointer, slot } } = source;
    const target = places.get(source);
    if (target !== undefined) {
      const root = ownRoot(parameter, file.schemas[schema]?.[0] ?? "");
      const { unit, entry } = target;
      yield {
        from: `${root}${pointer}/${keyword}`,
        to: `${unit.root.schemaPath()}${entry.pointer}/${keyword}`,
      };
    }
    const { counts = [], firsts = [] } = numbers.get(schema) ?? {};
    const length = countCounters(keyword);
    const block = counts.slice(slot, slot + length);
    const hits = block.reduce((sum, count) => sum + count, 0);
    if (hits === 0) continue;
    if (target === undefined) {
      // No other number includes these counts.
      if (isClassKeyword(keyword) || (keyword === "" && ALTERNATIVE.test(pointer))) continue;
      const kind = keyword === "" ? "example" : "keyword";
      yield { kind, schema_path: entryPath(file, source), hits };
      continue;
    }
    for (let offset = 0; offset < length; offset++) {
      yield {
        unit: target.unit,
        slot: target.entry.slot + offset,
        count: block[offset] ?? 0,
        first: firsts[slot + offset] ?? Infinity,
        tests: tests.get(schema)?.get(slot + offset),
      };
    }
  }
}

/** Returns the pointer of a schema by its pointer in the file, or by its role in the parameter. */
function ownRoot(parameter: ParameterPlan, pointer: string): string {
  const schema = pointer === "schema" || pointer === "itemSchema" ? parameter[pointer] : undefined;
  return typeof schema === "object" ? schema.schemaPath() : pointer;
}

function firstTimes(
  counts: readonly number[],
  first: TimeIndex | readonly TimeIndex[] | undefined,
  timeAt: TimeAt,
): readonly number[] {
  let next = 0;
  return counts.map((count) =>
    count === 0 ? Infinity : timeAt(typeof first === "object" ? first[next++] : first)
  );
}

function matchEntries(sources: readonly Source[], targets: readonly Target[]): Map<Source, Target> {
  const statementKey = ({ statement: { pointer, text } }: CountedEntry): string =>
    `${pointer} ${text}`;
  const places = pairByKeys(sources, targets, [
    ...memberKeys(sources, targets, ({ statement }) => statement),
    [statementKey, statementKey],
  ]);
  const usedTargets = new Set(places.values());
  const openSources = groupByMeaning(sources.filter((source) => !places.has(source)));
  const freeTargets = groupByMeaning(targets.filter((target) => !usedTargets.has(target)));
  for (const [meaning, [source, ...otherSources]] of openSources) {
    const [target, ...otherTargets] = freeTargets.get(meaning) ?? [];
    if (source === undefined || target === undefined) continue;
    // With several candidates, it is unknown which one was counted.
    if (otherSources.length === 0 && otherTargets.length === 0) places.set(source, target);
  }
  return places;
}

function groupByMeaning<Kind extends CountedEntry>(entries: readonly Kind[]): Map<string, Kind[]> {
  const groups = new Map<string, Kind[]>();
  for (const entry of entries) {
    if (entry.meaning === undefined) continue;
    appendTo(groups, entry.meaning, entry);
  }
  return groups;
}

interface ListedSchema<Id> {
  readonly id: Id;
  /** The schema's pointer, or its role in the parameter. */
  readonly pointer: string;
  readonly layout: string;
  readonly references: readonly (readonly [pointer: string, id: Id])[];
}

/** Returns the keywords and examples of schemas and of all schemas that they refer to. */
function listEntries<Id>(
  roots: readonly Id[],
  others: Iterable<Id>,
  list: (id: Id) => ListedSchema<Id> | undefined,
): (CountedEntry & { readonly id: Id })[] {
  const schemas = new Map<Id, ListedSchema<Id>>();
  /** Undefined if a schema applies to several parts of the instance. */
  const parts = new Map<Id, string | undefined>(roots.map((root, index) => [root, `${index}`]));
  const queue = [...roots, ...others];
  for (const id of queue) {
    if (schemas.has(id)) continue;
    const schema = list(id);
    if (schema === undefined) continue;
    schemas.set(id, schema);
    for (const [pointer, target] of schema.references) {
      const part = parts.get(id);
      const hasPart = parts.has(target);
      parts.set(target, hasPart || part === undefined ? undefined : part + instancePath(pointer));
      if (!schemas.has(target)) queue.push(target);
    }
  }
  return [...schemas].flatMap(([id, { pointer, layout }]) => {
    const part = parts.get(id);
    return (layoutEntries(layout) ?? []).map((entry) => {
      const text = `${entry.keyword} ${entry.hash}`;
      return {
        id,
        entry,
        statement: { pointer: `${pointer} ${entry.pointer}`, text },
        meaning: part === undefined ? undefined : `${part}${instancePath(entry.pointer)} ${text}`,
      };
    });
  });
}

function listSources(file: HitsFile, counts: readonly CountsFile[]): Source[] {
  const savedSchemas = new Set(counts.map(([schema]) => schema));
  const findRoot = (role: string): number =>
    counts.find(([schema]) => file.schemas[schema]?.[0] === role)?.[0] ?? -1;
  return listEntries<number>(["schema", "itemSchema"].map(findRoot), savedSchemas, (id) => {
    const schema = file.schemas[id];
    if (schema === undefined || !savedSchemas.has(id)) return undefined;
    const [pointer, layout, references = []] = schema;
    return { id, pointer, layout, references };
  }).map(({ id, ...rest }) => ({ ...rest, schema: id }));
}

const targetsByParameter = new WeakMap<ParameterPlan, readonly Target[]>();

function listTargets(plan: CoveragePlan, parameter: ParameterPlan): Target[] {
  const { layouts } = plan;
  const { program } = parameter.schemas;
  const roots = [parameter.schema, parameter.itemSchema].map((schema) =>
    typeof schema === "object" ? program.unit(schema) : undefined
  );
  return listEntries<CountedUnit | undefined>(roots, [], (unit) => {
    if (unit === undefined) return undefined;
    const pointer = unit === roots[0]
      ? "schema"
      : unit === roots[1]
      ? "itemSchema"
      : unit.root.schemaPath();
    const references = layouts.references(unit).map(({ pointer, target }) =>
      [pointer, program.unit(target)] as const
    );
    return { id: unit, pointer, layout: layouts.text(unit), references };
  }).flatMap(({ id, ...rest }) => id === undefined ? [] : [{ ...rest, unit: id }]);
}

function entryPath(file: HitsFile, { schema, entry: { pointer, keyword } }: Source): string {
  return `${file.schemas[schema]?.[0] ?? ""}${pointer}${keyword === "" ? "" : `/${keyword}`}`;
}

/** Returns the part of an instance that a schema applies to: the schema's pointer without in-place keywords. */
export function instancePath(pointer: string): string {
  const tokens = pointerTokens(pointer);
  let path = "";
  for (let index = 0; index < tokens.length; index++) {
    const keyword = tokens[index] as string; // the index is within the list
    const facts = keywordTable.get(keyword);
    if (facts?.kind !== "applicator") return path; // the pointer leads to an example
    const key = tokens[index + 1];
    const isKeyed = key !== undefined && (facts.holds?.includes("schemas_by_name") === true ||
      (facts.holds?.includes("schema_list") === true && /^\d+$/.test(key)));
    if (isKeyed) index++;
    if (facts.relation === "in_place") continue;
    path += keyword === "properties"
      ? `.${escapeToken(key ?? "")}`
      : `/${keyword}${isKeyed ? `/${escapeToken(key)}` : ""}`;
  }
  return path;
}
