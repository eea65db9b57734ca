import { type AppliedPart, listSubschemas } from "../../schema/usable_keywords.ts";
import { referenced } from "../../schema/scope.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { findClasses } from "../../schema/value_classes.ts";
import { UNREQUIRED } from "../../schema/value_inventory.ts";
import type { SchemaClass } from "../../schema/value_class.ts";
import { getOrAdd } from "../../values/collections.ts";
import type { Json } from "../../values/json.ts";
import { escapeToken } from "../../values/json_pointer.ts";
import { ANY_NUMBER, ARRAY, OBJECT, STRING } from "../../values/json_type.ts";
import type { ValueGoal } from "../goals.ts";
import type { ClassWish, Demand, Facts } from "./facts.ts";
import { NON_ASCII } from "./make_text.ts";

/** The number of failures after which a class is left to a request of its own. */
const MAX_FAILURES = 3;
/** The most items made to show classes, and (`MAX_ADDITIONAL`) the most properties with undeclared names. */
const MAX_ITEMS = 10;
const MAX_ADDITIONAL = 2;
const MAX_WAYS = 2;

/** The names of classes that a value can show in addition to another class of the same schema. */
const COMBINABLE: ReadonlySet<string> = new Set(["non_ascii", "present", "absent", "alternative"]);
/** The order in which to try classes of lists: long lists have room for most other classes. */
const LIST_CLASSES: readonly string[] = ["several_items", "max_items", "one_item"];

type Decide = (count: number) => number;

/** The classes of a schema that may be open, those with the fewest failures first; covered ones are removed later. */
interface Queues {
  readonly exclusive: Set<ValueGoal>;
  readonly combinable: Set<ValueGoal>;
  readonly byName: ReadonlyMap<string, ValueGoal>;
}

/**
 * The classes of a parameter that no request has shown. While a value is made, chooses those that the value shows: each
 * class once, and as many classes as there are places for.
 */
export class OpenClasses implements ClassWish {
  readonly #goals: ReadonlyMap<SchemaNode, readonly ValueGoal[]>;
  readonly #isCovered: (goal: ValueGoal) => boolean;
  readonly #failures = new Map<ValueGoal, number>();
  readonly #parts = new Map<SchemaNode, readonly AppliedPart[]>();
  readonly #childCache = new Map<SchemaNode, readonly SchemaNode[]>();
  readonly #turns = new Map<string, number>();
  readonly #queues = new Map<SchemaNode, Queues>();
  /** For each schema, the one before it on the shortest way from a root. */
  readonly #parents = new Map<SchemaNode, SchemaNode>();
  readonly #chosen = new Set<ValueGoal>();
  /** The schemas that reach no open class, apart from classes already chosen for this value. */
  readonly #exhausted = new Set<SchemaNode>();
  #only: ValueGoal | undefined;
  /** The schemas on the shortest way to the schema of `#only`. */
  #path: ReadonlySet<SchemaNode> = new Set();

  constructor(
    goals: ReadonlyMap<SchemaNode, readonly ValueGoal[]>,
    isCovered: (goal: ValueGoal) => boolean,
  ) {
    this.#goals = goals;
    this.#isCovered = isCovered;
    for (const [node, nodeGoals] of goals) {
      this.#queues.set(node, {
        exclusive: new Set(nodeGoals.filter((goal) => !isCombinable(goal))),
        combinable: new Set(nodeGoals.filter(isCombinable)),
        byName: new Map(nodeGoals.map((goal) => [classKey(goal.valueClass), goal])),
      });
    }
  }

  begin(): void {
    this.#only = undefined;
    this.rollBack(0);
    this.#exhausted.clear();
  }

  /** Begins a value that shows one class alone, at the place nearest to a root: recursive schemas have many places. */
  beginFor(goal: ValueGoal, roots: readonly Subschema[]): void {
    this.begin();
    this.#only = goal;
    this.#path = this.#pathTo(goal.node, roots);
  }

  /** Counts a failure for each chosen class that the value didn't show. */
  end(): void {
    for (const goal of this.#chosen) if (!this.#isCovered(goal)) this.#fail(goal);
  }

  /** Returns all open classes, including those with too many failures. */
  listAll(): ValueGoal[] {
    return [...this.#goals.values()].flat().filter((goal) => !this.#isCovered(goal));
  }

  mark(): number {
    return this.#chosen.size;
  }

  rollBack(mark: number): void {
    if (this.#chosen.size <= mark) return;
    for (const goal of [...this.#chosen].slice(mark)) this.#chosen.delete(goal);
    this.#exhausted.clear();
  }

  #fail(goal: ValueGoal): void {
    this.#failures.set(goal, this.#countFailures(goal) + 1);
    const queue = this.#queue(goal.node, isCombinable(goal));
    if (queue?.delete(goal) === true) queue.add(goal);
  }

  #countFailures(goal: ValueGoal): number {
    return this.#failures.get(goal) ?? 0;
  }

  #choose(goal: ValueGoal | undefined): void {
    if (goal !== undefined) this.#chosen.add(goal);
  }

  #queue(node: SchemaNode, combines: boolean): Set<ValueGoal> | undefined {
    return this.#queues.get(node.plain)?.[combines ? "combinable" : "exclusive"];
  }

  /** Returns open classes of a schema, up to a limit: those that exclude each other, or (`combines`) combine. */
  #listOpen(node: SchemaNode, combines: boolean, limit = Infinity): readonly ValueGoal[] {
    const only = this.#only;
    if (only !== undefined) {
      const isHere = only.node === node.plain && isCombinable(only) === combines;
      return isHere && !this.#chosen.has(only) ? [only] : [];
    }
    const found: ValueGoal[] = [];
    const queue = this.#queue(node, combines) ?? [];
    for (const goal of queue) {
      if (!this.#mayShow(goal)) (queue as Set<ValueGoal>).delete(goal);
      else if (!this.#chosen.has(goal) && found.push(goal) >= limit) break;
    }
    return found;
  }

  #mayShow(goal: ValueGoal): boolean {
    return this.#countFailures(goal) < MAX_FAILURES && !this.#isCovered(goal);
  }

  #findGoal(node: SchemaNode, key: Pick<SchemaClass, "name" | "pointer">): ValueGoal | undefined {
    const goal = this.#queues.get(node.plain)?.byName.get(classKey(key));
    if (goal === undefined || this.#chosen.has(goal)) return undefined;
    return (this.#only === undefined ? this.#mayShow(goal) : goal === this.#only)
      ? goal
      : undefined;
  }

  #appliedParts(node: SchemaNode): readonly AppliedPart[] {
    return getOrAdd(
      this.#parts,
      node,
      () => listSubschemas(node).filter(({ keyword }) => !UNREQUIRED.has(keyword)),
    );
  }

  canShow(demands: readonly Demand[]): boolean {
    return demands.some(({ schema, holds }) => holds && this.#reachesOpen(schema));
  }

  #reachesOpen(schema: Subschema): boolean {
    if (this.#only !== undefined) {
      return typeof schema === "object" && this.#path.has(schema.plain) && this.#chosen.size === 0;
    }
    const visited: SchemaNode[] = [];
    for (const node of this.#reach(schema)) {
      if (this.#countOpen(node, 1) > 0) return true;
      visited.push(node);
    }
    for (const node of visited) this.#exhausted.add(node);
    return false;
  }

  #countOpen(node: SchemaNode, limit: number): number {
    const count = this.#listOpen(node, false, limit).length;
    return count < limit ? count + this.#listOpen(node, true, limit - count).length : limit;
  }

  /** Returns the number of items needed to show the open classes in an item's schema, up to a limit. */
  #countItems(schema: Subschema): number {
    if (this.#only !== undefined) return 1;
    let most = 0;
    for (const node of this.#reach(schema)) {
      most = Math.max(most, this.#countOpen(node, MAX_ITEMS));
      if (most >= MAX_ITEMS) return MAX_ITEMS;
    }
    return most;
  }

  /** Yields the schemas that a value can reach from a schema, except exhausted ones. */
  *#reach(schema: Subschema): Generator<SchemaNode> {
    const visited = new Set<SchemaNode>();
    const open = typeof schema === "object" ? [schema.plain] : [];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (visited.has(node) || this.#exhausted.has(node)) continue;
      visited.add(node);
      yield node;
      open.push(...this.#children(node));
    }
  }

  /** Returns the schemas one step below a schema: the referenced ones, and the subschemas that values can show. */
  #children(node: SchemaNode): readonly SchemaNode[] {
    return getOrAdd(this.#childCache, node, () => {
      const parts = this.#appliedParts(node).map(({ schema }) => schema);
      return [...referenced(node), ...parts]
        .flatMap((child) => typeof child === "object" ? [child.plain] : []);
    });
  }

  #pathTo(goal: SchemaNode, roots: readonly Subschema[]): ReadonlySet<SchemaNode> {
    const parents = this.#parents;
    if (parents.size === 0) {
      for (const root of roots) if (typeof root === "object") parents.set(root.plain, root.plain);
      // The loop also visits keys that are added meanwhile, so this is a breadth-first search.
      for (const node of parents.keys()) {
        for (const child of this.#children(node)) if (!parents.has(child)) parents.set(child, node);
      }
    }
    const path = new Set<SchemaNode>();
    for (let node = parents.get(goal) && goal; node && !path.has(node); node = parents.get(node)) {
      path.add(node);
    }
    return path;
  }

  addDemands(node: SchemaNode, facts: Facts, decide: Decide): void {
    const parts = this.#appliedParts(node);
    if (parts.length === 0 && this.#countOpen(node, 1) === 0) return;
    this.#demandItems(parts, facts);
    const ways = this.#findWays(node, parts, facts);
    if (ways.length > 0) {
      const count = Math.min(ways.length, MAX_WAYS);
      const way = decide(count + 1);
      ways[way < count ? way : ways.length]?.();
    }
    if (facts.allowed !== undefined) return;
    if ((facts.types & OBJECT) !== 0) this.#chooseProperties(node, parts, facts, decide);
    const nonAscii = this.#findGoal(node, { name: "non_ascii", pointer: "" });
    const hasText = (facts.types & STRING) !== 0 && facts.maxLength > 0;
    if (nonAscii !== undefined && hasText && decide(2) === 0) {
      this.#choose(nonAscii);
      facts.types &= STRING;
      facts.patterns.push(NON_ASCII);
    }
  }

  #demandItems(parts: readonly AppliedPart[], facts: Facts): void {
    for (const { schema, relation, part } of parts) {
      if (relation !== "item" || !this.#reachesOpen(schema)) continue;
      const least = typeof part === "number"
        ? part + 1
        : typeof part === "object" && "from" in part
        ? part.from + this.#countItems(schema)
        : 0;
      facts.itemsToShow = Math.max(facts.itemsToShow, least);
    }
  }

  /** Returns ways to make the value: to show one of the classes that exclude each other, or classes of its parts. */
  #findWays(node: SchemaNode, parts: readonly AppliedPart[], facts: Facts): (() => void)[] {
    const hasOpen = (relation: string): boolean =>
      parts.some((part) => part.relation === relation && this.#reachesOpen(part.schema));
    const isObject = hasOpen("property") ||
      this.#listOpen(node, true).some(({ valueClass }) =>
        valueClass.name === "present" || valueClass.name === "absent"
      );
    const exclusive = this.#listOpen(node, false, MAX_ITEMS);
    const isList = ({ valueClass }: ValueGoal): boolean => LIST_CLASSES.includes(valueClass.name);
    const rank = ({ valueClass }: ValueGoal): number => LIST_CLASSES.indexOf(valueClass.name);
    const demand = (goal: ValueGoal) => (): void => {
      this.#choose(goal);
      demandClass(goal, node, facts);
    };
    // In a recursive schema, the other ways would show the class one level deeper each time, without an end.
    if (this.#only !== undefined && exclusive.length > 0) return exclusive.map(demand);
    return [
      ...exclusive.filter(isList).sort((one, other) =>
        this.#countFailures(one) - this.#countFailures(other) || rank(one) - rank(other)
      ).map(demand),
      ...hasOpen("item") ? [() => void (facts.types &= ARRAY)] : [],
      ...isObject ? [() => void (facts.types &= OBJECT)] : [],
      ...exclusive.filter((goal) => !isList(goal)).map(demand),
    ];
  }

  /** Includes optional properties that show open classes, and leaves out those whose absence shows one. */
  #chooseProperties(
    node: SchemaNode,
    parts: readonly AppliedPart[],
    facts: Facts,
    decide: Decide,
  ): void {
    const absentNames: string[] = [];
    let added = 0;
    for (const { schema, relation, part, keyword } of parts) {
      if (relation !== "property") continue;
      const reaches = this.#reachesOpen(schema);
      if (typeof part === "string") {
        const pointer = `/properties/${escapeToken(part)}`;
        const present = this.#findGoal(node, { name: "present", pointer });
        this.#choose(present);
        if (present !== undefined) facts.toInclude.add(part);
        const absent = this.#findGoal(node, { name: "absent", pointer });
        if (present !== undefined || (reaches && (absent === undefined || this.#only !== absent))) {
          continue;
        }
        facts.toOmit.add(part);
        this.#choose(absent);
        if (absent !== undefined) absentNames.push(part);
      } else if (typeof part === "object" && "has" in part && reaches && added < MAX_ADDITIONAL) {
        if (keyword === "unevaluatedProperties" || decide(2) === 1) continue;
        added++;
        facts.unnamed.push({
          applies: (name) => part.has(name),
          pattern: part.pattern,
          demand: undefined,
        });
      }
    }
    // Optional: an object that needs one of these properties can't leave out all of them at once.
    if (absentNames.length > 0 && decide(2) === 0) {
      for (const name of absentNames) facts.forbidden.add(name);
    }
  }

  chooseBranch(node: SchemaNode, keyword: string, count: number): number | undefined {
    const [name = "", member] = keyword.split(" ");
    const pointers = name === "if"
      ? ["/then", "/else"]
      : member === undefined
      ? Array.from({ length: count }, (_, index) => `/${name}/${index}`)
      : [`/${name}/${escapeToken(member)}`];
    const parts = new Map(
      this.#appliedParts(node).map(({ schema }) => [
        typeof schema === "object" ? schema.plain.pointer : undefined,
        schema,
      ]),
    );
    const open = pointers.map((pointer, index) => ({
      index,
      goal: this.#findGoal(node, { name: "alternative", pointer }),
      isOpen: this.#reachesOpen(parts.get(node.plain.pointer + pointer) ?? true),
    })).filter(({ goal, isOpen }) => goal !== undefined || isOpen);
    if (open.length === 0) return undefined;
    const key = node.plain.schemaPath(name);
    const turn = this.#turns.get(key) ?? 0;
    this.#turns.set(key, turn + 1);
    const branch = open[turn % open.length];
    this.#choose(branch?.goal);
    return branch?.index;
  }

  excludesOthers(node: SchemaNode): boolean {
    for (const { node: chosenNode, valueClass } of this.#chosen) {
      if (chosenNode === node.plain && valueClass.name === "alternative") return true;
    }
    return false;
  }
}

function isCombinable({ valueClass }: ValueGoal): boolean {
  return COMBINABLE.has(valueClass.name);
}

function classKey({ name, pointer }: Pick<SchemaClass, "name" | "pointer">): string {
  return `${name} ${pointer}`;
}

function demandClass(
  { valueClass: { name, types, value } }: ValueGoal,
  node: SchemaNode,
  facts: Facts,
): void {
  const { text, items, number } = findClasses(node) ?? {};
  const { low = 0, high = Infinity } = text ?? {};
  switch (name) {
    case "empty":
    case "min_length":
      return limitSize(facts, "Length", low, low);
    case "max_length":
      return limitSize(facts, "Length", high, high);
    case "no_items":
      return limitSize(facts, "Items", 0, 0);
    case "one_item":
      return limitSize(facts, "Items", 1, 1);
    case "several_items":
      return limitSize(facts, "Items", 2, (items?.high ?? Infinity) - 1);
    case "max_items":
      return limitSize(facts, "Items", items?.high ?? 0, Infinity);
    case "negative":
      facts.types &= ANY_NUMBER;
      return facts.to(0, true);
    case "positive":
      facts.types &= ANY_NUMBER;
      return facts.from(0, true);
    case "zero":
      return facts.allowOnly([0]);
    case "between":
      if ((types & STRING) !== 0) return limitSize(facts, "Length", low + 1, high - 1);
      facts.types &= ANY_NUMBER;
      facts.from(number?.low ?? -Infinity, true);
      return facts.to(number?.high ?? Infinity, true);
    case "enum":
      facts.allowed = [value as Json]; // one of those that the schema itself admits
      return;
    default:
      if (value !== undefined) facts.allowOnly([value]);
  }
}

function limitSize(facts: Facts, kind: "Length" | "Items", from: number, to: number): void {
  facts.types &= kind === "Length" ? STRING : ARRAY;
  facts.limitSize(kind, from, to);
}
