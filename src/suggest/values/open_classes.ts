import { type AppliedPart, listSubschemas } from "../../schema/usable_keywords.ts";
import { referenced } from "../../schema/scope.ts";
import type { SchemaNode, Subschema } from "../../schema/schema_node.ts";
import { findClasses } from "../../schema/value_classes.ts";
import { APART } from "../../schema/value_inventory.ts";
import { getOrAdd } from "../../values/collections.ts";
import { escapeToken } from "../../values/json_pointer.ts";
import { ANY_NUMBER, ARRAY, OBJECT, STRING } from "../../values/json_type.ts";
import type { ValueGoal } from "../goals.ts";
import type { ClassWish, Demand, Facts } from "./facts.ts";
import { NON_ASCII } from "./make_text.ts";

/** Classes that were tried so often in vain are left to requests of their own. */
const MAX_FAILURES = 3;
/** The most items that are to show classes, and the most properties without a name of their own. */
const MAX_ITEMS = 10;
const MAX_ADDITIONAL = 2;
/** The most ways to show something that are tried at one place. */
const MAX_WAYS = 2;

/** What a value can have beside another class. */
const BESIDE: ReadonlySet<string> = new Set(["non_ascii", "present", "absent", "alternative"]);
/** Long lists have room for most, and empty ones for nothing. */
const ORDER: readonly string[] = ["several_items", "max_items", "one_item"];

type Decide = (count: number) => number;

/**
 * The classes of a parameter that no request has shown. While a value is made, it chooses which of them this one is to show:
 * each once, and as many as there are places for.
 */
export class OpenClasses implements ClassWish {
  readonly #goals: ReadonlyMap<SchemaNode, readonly ValueGoal[]>;
  readonly #isCovered: (goal: ValueGoal) => boolean;
  readonly #failures = new Map<ValueGoal, number>();
  readonly #parts = new Map<SchemaNode, readonly AppliedPart[]>();
  readonly #turns = new Map<string, number>();
  readonly #chosen: ValueGoal[] = [];
  /** The schemas from which nothing can be reached that is open, and wasn't chosen for this value. */
  readonly #exhausted = new Set<SchemaNode>();
  #only: ValueGoal | undefined;

  constructor(
    goals: ReadonlyMap<SchemaNode, readonly ValueGoal[]>,
    isCovered: (goal: ValueGoal) => boolean,
  ) {
    this.#goals = goals;
    this.#isCovered = isCovered;
  }

  /** Begins a value, which is to show one class alone where that is given. */
  begin(only?: ValueGoal): void {
    this.#only = only;
    this.back(0);
    this.#exhausted.clear();
  }

  /** Counts what the value was to show and did not. */
  end(): void {
    for (const goal of this.#chosen) if (!this.#isCovered(goal)) this.#fail(goal);
  }

  /** All that are open, those included that were given up. */
  all(): ValueGoal[] {
    return [...this.#goals.values()].flat().filter((goal) => !this.#isCovered(goal));
  }

  mark(): number {
    return this.#chosen.length;
  }

  back(mark: number): void {
    if (this.#chosen.length <= mark) return;
    this.#chosen.length = mark;
    this.#exhausted.clear();
  }

  #fail(goal: ValueGoal): void {
    this.#failures.set(goal, this.#failuresOf(goal) + 1);
  }

  #failuresOf(goal: ValueGoal): number {
    return this.#failures.get(goal) ?? 0;
  }

  #choose(goal: ValueGoal | undefined): void {
    if (goal !== undefined) this.#chosen.push(goal);
  }

  /** The open classes of a schema, those first that failed least. */
  #of(node: SchemaNode): readonly ValueGoal[] {
    const goals = this.#goals.get(node.plain) ?? [];
    const only = this.#only;
    return goals
      .filter((goal) =>
        (only === undefined
          ? this.#failuresOf(goal) < MAX_FAILURES && !this.#isCovered(goal)
          : goal === only) && !this.#chosen.includes(goal)
      )
      .sort((one, other) => this.#failuresOf(one) - this.#failuresOf(other));
  }

  #partsOf(node: SchemaNode): readonly AppliedPart[] {
    return getOrAdd(
      this.#parts,
      node,
      () => listSubschemas(node).filter(({ keyword }) => !APART.has(keyword)),
    );
  }

  isWithin(demands: readonly Demand[]): boolean {
    return demands.some(({ schema, holds }) => holds && this.#isWithin(schema));
  }

  /** True if a value of a schema can show something that is open, at any depth. */
  #isWithin(schema: Subschema): boolean {
    const visited: SchemaNode[] = [];
    for (const node of this.#reach(schema)) {
      if (this.#of(node).length > 0) return true;
      visited.push(node);
    }
    for (const node of visited) this.#exhausted.add(node);
    return false;
  }

  /** The number of items that have something to show, up to a limit. */
  #countWithin(schema: Subschema): number {
    let most = 0;
    for (const node of this.#reach(schema)) {
      most = Math.max(most, this.#of(node).length);
      if (most >= MAX_ITEMS) return MAX_ITEMS;
    }
    return most;
  }

  /** The schemas that a value of one can reach, but for those below which nothing is open. */
  *#reach(schema: Subschema): Generator<SchemaNode> {
    const visited = new Set<SchemaNode>();
    const open = typeof schema === "object" ? [schema.plain] : [];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (visited.has(node) || this.#exhausted.has(node)) continue;
      visited.add(node);
      yield node;
      const parts = this.#partsOf(node).map(({ schema }) => schema);
      for (const child of [...referenced(node), ...parts]) {
        if (typeof child === "object") open.push(child.plain);
      }
    }
  }

  demand(node: SchemaNode, facts: Facts, decide: Decide): void {
    const goals = this.#of(node);
    const parts = this.#partsOf(node);
    if (goals.length === 0 && parts.length === 0) return;
    this.#seekItems(parts, facts);
    const ways = this.#waysOf(node, goals, parts, facts);
    if (ways.length > 0) {
      const count = Math.min(ways.length, MAX_WAYS);
      const taken = decide(count + 1);
      ways[taken < count ? taken : ways.length]?.();
    }
    if (facts.admitted !== undefined) return;
    if ((facts.types & OBJECT) !== 0) this.#chooseProperties(goals, parts, facts, decide);
    const beyond = goals.find(({ own }) => own.name === "non_ascii");
    const hasText = (facts.types & STRING) !== 0 && facts.maxLength > 0;
    if (beyond !== undefined && hasText && decide(2) === 0) {
      this.#choose(beyond);
      facts.types &= STRING;
      facts.patterns.push(NON_ASCII);
    }
  }

  #seekItems(parts: readonly AppliedPart[], facts: Facts): void {
    for (const { schema, relation, where } of parts) {
      if (relation !== "item" || !this.#isWithin(schema)) continue;
      const least = typeof where === "number"
        ? where + 1
        : typeof where === "object" && "from" in where
        ? where.from + this.#countWithin(schema)
        : 0;
      facts.soughtItems = Math.max(facts.soughtItems, least);
    }
  }

  /** The classes that exclude each other, and a value that is open inside, as what they demand. */
  #waysOf(
    node: SchemaNode,
    goals: readonly ValueGoal[],
    parts: readonly AppliedPart[],
    facts: Facts,
  ): (() => void)[] {
    const hasOpen = (relation: string): boolean =>
      parts.some((part) => part.relation === relation && this.#isWithin(part.schema));
    const isObject = goals.some(({ own }) => own.name === "present" || own.name === "absent") ||
      hasOpen("property");
    const plain = goals.filter(({ own }) => !BESIDE.has(own.name));
    const isLong = ({ own }: ValueGoal): boolean => ORDER.includes(own.name);
    const rank = ({ own }: ValueGoal): number => ORDER.indexOf(own.name);
    const show = (goal: ValueGoal) => (): void => {
      this.#choose(goal);
      showClass(goal, node, facts);
    };
    // What leads back to the same schema would have it shown further inside, and so on.
    if (this.#only !== undefined && plain.length > 0) return plain.map(show);
    return [
      ...plain.filter(isLong).sort((one, other) =>
        this.#failuresOf(one) - this.#failuresOf(other) || rank(one) - rank(other)
      ).map(show),
      ...hasOpen("item") ? [() => void (facts.types &= ARRAY)] : [],
      ...isObject ? [() => void (facts.types &= OBJECT)] : [],
      ...plain.filter((goal) => !isLong(goal)).map(show),
    ];
  }

  /** Has optional properties where they show something, and leaves them out where that does. */
  #chooseProperties(
    goals: readonly ValueGoal[],
    parts: readonly AppliedPart[],
    facts: Facts,
    decide: Decide,
  ): void {
    const goal = (name: string, pointer: string): ValueGoal | undefined =>
      goals.find(({ own }) => own.name === name && own.pointer === pointer);
    const absent: string[] = [];
    let more = 0;
    for (const { schema, relation, where, keyword } of parts) {
      if (relation !== "property") continue;
      const isWithin = this.#isWithin(schema);
      if (typeof where === "string") {
        const pointer = `/properties/${escapeToken(where)}`;
        const present = goal("present", pointer);
        this.#choose(present);
        if (present !== undefined) facts.sought.add(where);
        const left = goal("absent", pointer);
        if (present !== undefined || (isWithin && (left === undefined || this.#only !== left))) {
          continue;
        }
        facts.spared.add(where);
        this.#choose(left);
        if (left !== undefined) absent.push(where);
      } else if (typeof where === "object" && "has" in where && isWithin && more < MAX_ADDITIONAL) {
        if (keyword === "unevaluatedProperties" || decide(2) === 1) continue;
        more++;
        facts.wanted.push({
          applies: (name) => where.has(name),
          pattern: where.pattern,
          demand: undefined,
        });
      }
    }
    // Where something has to be there, only some of them can be left out at once.
    if (absent.length > 0 && decide(2) === 0) {
      for (const name of absent) {
        facts.forbidden.add(name);
      }
    }
  }

  branch(node: SchemaNode, keyword: string, count: number): number | undefined {
    const [name = "", member] = keyword.split(" ");
    const pointers = name === "if"
      ? ["/then", "/else"]
      : member === undefined
      ? Array.from({ length: count }, (_, index) => `/${name}/${index}`)
      : [`/${name}/${escapeToken(member)}`];
    const goals = this.#of(node);
    const isOpenAt = (pointer: string): boolean =>
      this.#partsOf(node).some(({ schema }) =>
        typeof schema === "object" && schema.plain.pointer === node.plain.pointer + pointer &&
        this.#isWithin(schema)
      );
    const open = pointers.map((pointer, index) => ({
      index,
      goal: goals.find(({ own }) => own.pointer === pointer),
      isOpen: isOpenAt(pointer),
    })).filter(({ goal, isOpen }) => goal !== undefined || isOpen);
    if (open.length === 0) return undefined;
    const key = node.plain.pathOf(name);
    const turn = this.#turns.get(key) ?? 0;
    this.#turns.set(key, turn + 1);
    const taken = open[turn % open.length];
    this.#choose(taken?.goal);
    return taken?.index;
  }

  isAlone(node: SchemaNode): boolean {
    return this.#chosen.some((goal) => goal.node === node.plain && goal.own.name === "alternative");
  }
}

/** Adds to what is demanded of a value what a class of a schema demands. */
function showClass(
  { own: { name, types, value } }: ValueGoal,
  node: SchemaNode,
  facts: Facts,
): void {
  const { text, items, number } = findClasses(node) ?? {};
  const { low = 0, high = Infinity } = text ?? {};
  switch (name) {
    case "empty":
    case "min_length":
      return lengthIn(facts, low, low);
    case "max_length":
      return lengthIn(facts, high, high);
    case "no_items":
      return itemsIn(facts, 0, 0);
    case "one_item":
      return itemsIn(facts, 1, 1);
    case "several_items":
      return itemsIn(facts, 2, (items?.high ?? Infinity) - 1);
    case "max_items":
      return itemsIn(facts, items?.high ?? 0, Infinity);
    case "negative":
      facts.types &= ANY_NUMBER;
      return facts.to(0, true);
    case "positive":
      facts.types &= ANY_NUMBER;
      return facts.from(0, true);
    case "zero":
      return facts.admit([0]);
    case "between":
      if ((types & STRING) !== 0) return lengthIn(facts, low + 1, high - 1);
      facts.types &= ANY_NUMBER;
      facts.from(number?.low ?? -Infinity, true);
      return facts.to(number?.high ?? Infinity, true);
    default:
      if (value !== undefined) facts.admit([value]);
  }
}

function lengthIn(facts: Facts, from: number, to: number): void {
  facts.types &= STRING;
  facts.minLength = Math.max(facts.minLength, from);
  facts.maxLength = Math.min(facts.maxLength, to);
}

function itemsIn(facts: Facts, from: number, to: number): void {
  facts.types &= ARRAY;
  facts.minItems = Math.max(facts.minItems, from);
  facts.maxItems = Math.min(facts.maxItems, to);
}
