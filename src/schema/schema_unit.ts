import type { Json, TextSource } from "./equal.ts";
import { crossing, linked } from "./crossing.ts";
import { examplesOf } from "./examples.ts";
import { hasInPlaceCycle } from "./in_place_cycle.ts";
import type { Branch, Check, Compiler, Evaluate } from "./keywords/keyword.ts";
import { typesNamed } from "./keywords/type.ts";
import {
  countingExamples,
  entering,
  type Entry,
  loop,
  onlyType,
  transparent,
} from "./node_evaluation.ts";
import { usableKeywords } from "./usable_keywords.ts";
import type { UsedKeyword } from "./usable_keywords.ts";
import type { Counters, CounterStore } from "./run.ts";
import { Run } from "./run.ts";
import type { SchemaGraph, SchemaNode, Subschema } from "./schema_node.ts";

/** A keyword of a unit, and where its counters stand in the unit's block. */
export interface UnitKeyword {
  /** The schema that holds the keyword. */
  readonly node: SchemaNode;
  /** Its name. */
  readonly keyword: string;
  /** The index of its `valid` counter; `invalid` follows. */
  readonly slot: number;
}

/** An example of a unit, and where its counter stands in the unit's block. */
export interface UnitExample {
  /** The pointer of the example. */
  readonly schema_path: string;
  /** The index of its counter. */
  readonly slot: number;
}

/**
 * A schema that is compiled as a whole: the schema of a parameter, or one that a reference leads to, with all that is
 * written inside it. Compiled when an instance first reaches it.
 */
export class SchemaUnit {
  /** The schema. */
  readonly root: SchemaNode;
  readonly #program: SchemaProgram;
  #compiled: UnitCompiler | undefined;
  #evaluate: Evaluate | undefined;
  #entrance: Evaluate | undefined;

  /** Made by {@linkcode SchemaProgram} alone. */
  constructor(root: SchemaNode, program: SchemaProgram) {
    this.root = root;
    this.#program = program;
  }

  /** How many counters the unit has. */
  get size(): number {
    return this.#compile().size;
  }

  /** The length of the unit's block: its counters, then a place for each reference that leads out of it. */
  get room(): number {
    return this.#compile().room;
  }

  /** Its keywords. */
  get keywords(): readonly UnitKeyword[] {
    return this.#compile().keywords;
  }

  /** Its examples. */
  get examples(): readonly UnitExample[] {
    return this.#compile().examples;
  }

  /** The evaluation of the schema; `base` is where the unit's block begins. */
  get evaluate(): Evaluate {
    if (this.#evaluate === undefined) {
      this.#compile();
      this.#evaluate = this.#compiled!.evaluate; // #compile sets it
    }
    return this.#evaluate;
  }

  /** The evaluation of the schema as that of a whole value. */
  get entrance(): Evaluate {
    if (this.#entrance === undefined) {
      const plain = !this.#program.graph.references.dynamic && !hasInPlaceCycle(this.root);
      this.#entrance = plain ? this.evaluate : this.#program.crossing(this.root);
    }
    return this.#entrance;
  }

  #compile(): UnitCompiler {
    if (this.#compiled === undefined) {
      const compiler = new UnitCompiler(this.#program);
      this.#compiled = compiler;
      compiler.compile(this.root);
    }
    return this.#compiled;
  }
}

/** The units of a description. */
export class SchemaProgram {
  /** The schemas. */
  readonly graph: SchemaGraph;
  /** True where `format` is an annotation only, as JSON Schema itself has it. */
  readonly formatAnnotates: boolean;
  readonly #units = new Map<SchemaNode, SchemaUnit>();
  readonly #run = new Run();
  /** Checks of keywords that say the same, by what they say. */
  readonly checks: Map<string, Check> = new Map();
  /** Evaluations of schemas that say the same, by what they say. */
  readonly shared: Map<string, Evaluate> = new Map();

  /** Starts without units. */
  constructor(graph: SchemaGraph, options: { readonly formatAnnotates?: boolean } = {}) {
    this.graph = graph;
    this.formatAnnotates = options.formatAnnotates ?? false;
  }

  /** The unit of a schema. */
  unit(node: SchemaNode): SchemaUnit {
    let unit = this.#units.get(node);
    if (unit === undefined) {
      unit = new SchemaUnit(node, this);
      this.#units.set(node, unit);
    }
    return unit;
  }

  /** Evaluates a schema on an instance, counting into the counters; true where the instance is valid. */
  evaluate(schema: Subschema, value: Json, counters: Counters, text?: TextSource): boolean {
    if (typeof schema === "boolean") return schema;
    return this.evaluateUnit(this.unit(schema), value, counters, text);
  }

  /** As {@linkcode SchemaProgram.evaluate}, for a schema whose unit is known. */
  evaluateUnit(
    unit: SchemaUnit,
    value: Json,
    counters: Counters,
    text: TextSource | undefined,
  ): boolean {
    return this.enter(unit.entrance, value, counters, counters.store, counters.baseOf(unit), text);
  }

  /** As {@linkcode SchemaProgram.evaluateUnit}, where all that leads to the unit's evaluation and its counters is known. */
  enter(
    entrance: Evaluate,
    value: Json,
    counters: Counters,
    store: CounterStore,
    base: number,
    text: TextSource | undefined,
  ): boolean {
    const run = this.#run;
    run.start(counters, store);
    return entrance(value, run, base, text, undefined);
  }

  /** True where the last evaluation met an instance that nests deeper than is evaluated. */
  get wasTooDeep(): boolean {
    return this.#run.tooDeep;
  }

  /** The evaluation of a schema that counts in its own unit's block. */
  crossing(schema: SchemaNode): Evaluate {
    const { dynamic } = this.graph.references;
    return crossing(this.unit(schema), dynamic, hasInPlaceCycle(schema));
  }
}

/** Keywords whose checks depend on nothing but their value, so that schemas that say the same share one evaluation. */
const SHAREABLE = new Set([
  "type",
  "format",
  "enum",
  "minLength",
  "maxLength",
  "pattern",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
]);

/** How many values an enum may have in an evaluation that is shared. */
const SHARED_ENUM = 20;

class UnitCompiler {
  readonly keywords: UnitKeyword[] = [];
  readonly examples: UnitExample[] = [];
  readonly program: SchemaProgram;
  size = 0;
  room = 0;
  evaluate: Evaluate = () => true;
  readonly #links: ((place: number) => void)[] = [];

  constructor(program: SchemaProgram) {
    this.program = program;
  }

  compile(root: SchemaNode): void {
    this.evaluate = this.node(root);
    this.room = this.size;
    for (const link of this.#links.splice(0)) link(this.room++);
  }

  /** Compiles a schema whose counters begin at the unit's present size. */
  node(node: SchemaNode): Evaluate {
    const start = this.size;
    const used = usableKeywords(node);
    used.forEach(({ definition }, index) =>
      this.keywords.push({ node: node.plain, keyword: definition.name, slot: start + 2 * index })
    );
    this.size += 2 * used.length;
    const examples = examplesOf(node).map(({ schema_path, value }) => {
      const slot = this.size++;
      this.examples.push({ schema_path, slot });
      return { value, slot: slot - start };
    });
    const evaluate = this.#evaluation(node, used, start);
    const counted = examples.length === 0 ? evaluate : countingExamples(evaluate, examples);
    const scoped = this.program.graph.references.dynamic &&
      node.resource !== node.parent?.resource && node.parent !== undefined;
    return scoped ? entering(node, counted) : counted;
  }

  #evaluation(node: SchemaNode, used: readonly UsedKeyword[], start: number): Evaluate {
    const references = this.#references(node, start);
    const key = references.length === 0 ? sharedKey(node, used) : undefined;
    if (key === undefined) return this.#compileNode(node, used, start, references);
    let evaluate = this.program.shared.get(key);
    if (evaluate === undefined) {
      evaluate = this.#compileNode(node, used, start, references);
      this.program.shared.set(key, evaluate);
    }
    return evaluate;
  }

  #compileNode(
    node: SchemaNode,
    used: readonly UsedKeyword[],
    start: number,
    references: readonly Entry[],
  ): Evaluate {
    const entries = [...references];
    const compiler = new NodeCompiler(this, used, start);
    used.forEach((keyword, index) => {
      const { definition, value } = keyword;
      const check = this.#check(keyword, node, compiler);
      if (check === undefined) return;
      entries.push({
        check,
        slot: definition.countsItself === true ? -1 : 2 * index,
        types: definition.typesOf?.(value) ?? definition.types,
        phase: definition.phase ?? 0,
      });
    });
    entries.sort((left, right) => left.phase - right.phase);
    const [only] = used;
    const types = used.length === 1 && entries.length === 1 && only?.definition.name === "type"
      ? typesNamed(only.value, node)
      : undefined;
    return types === undefined ? loop(entries) : onlyType(types);
  }

  #check(keyword: UsedKeyword, node: SchemaNode, compiler: Compiler): Check | undefined {
    const { definition, value } = keyword;
    const key = sharedKey(node, [keyword]);
    if (key === undefined) return definition.compile(value, node, compiler);
    let check = this.program.checks.get(key);
    if (check === undefined) {
      check = definition.compile(value, node, compiler);
      if (check !== undefined) this.program.checks.set(key, check);
    }
    return check;
  }

  #references(node: SchemaNode, start: number): Entry[] {
    const entries: Entry[] = [];
    const target = node.target;
    if (target !== undefined) entries.push(transparent(this.crossing(target, start)));
    const dynamic = node.dialect.dynamicReference;
    if (dynamic === undefined || typeof node.schema[dynamic] !== "string") return entries;
    const crossings = new Map<SchemaNode, Evaluate>();
    entries.push(transparent((value, run, base, text, seen) => {
      const found = node.graph.dynamicTarget(node, run.scope);
      if (typeof found === "boolean") return found;
      let cross = crossings.get(found);
      if (cross === undefined) crossings.set(found, cross = this.program.crossing(found));
      return cross(value, run, base, text, seen);
    }));
    return entries;
  }

  /** The evaluation of another unit from a node whose counters begin at `start`. */
  crossing(schema: Subschema, start: number): Evaluate {
    if (typeof schema === "boolean") return () => schema;
    const { program } = this;
    if (program.graph.references.dynamic || hasInPlaceCycle(schema)) {
      return program.crossing(schema);
    }
    return linked(program.unit(schema), start, this.#links);
  }
}

/** What the keywords of one schema are given to become checks. */
class NodeCompiler implements Compiler {
  readonly formatAnnotates: boolean;
  readonly #unit: UnitCompiler;
  readonly #used: readonly UsedKeyword[];
  readonly #start: number;

  constructor(unit: UnitCompiler, used: readonly UsedKeyword[], start: number) {
    this.#unit = unit;
    this.#used = used;
    this.#start = start;
    this.formatAnnotates = unit.program.formatAnnotates;
  }

  subschema(schema: Subschema): Branch {
    if (typeof schema === "boolean") return { evaluate: () => schema, offset: 0 };
    if (isPlainReference(schema)) {
      return { evaluate: this.#unit.crossing(schema.target, this.#start), offset: 0 };
    }
    const offset = this.#unit.size - this.#start;
    return { evaluate: this.#unit.node(schema), offset };
  }

  slot(keyword: string): number {
    return 2 * this.#used.findIndex(({ definition }) => definition.name === keyword);
  }
}

/** A schema that is nothing but a reference is its target. */
function isPlainReference(node: SchemaNode): node is SchemaNode & { readonly target: Subschema } {
  return node.isReferenceOnly && node.target !== undefined;
}

/** What schemas have in common that are evaluated alike; undefined for what is evaluated by itself. */
function sharedKey(node: SchemaNode, used: readonly UsedKeyword[]): string | undefined {
  let key = "";
  for (const { definition: { name }, value } of used) {
    if (!SHAREABLE.has(name)) return undefined;
    if (Array.isArray(value) && value.length > SHARED_ENUM) return undefined;
    key += `${name} ${name === "type" ? typesNamed(value, node) : JSON.stringify(value)} `;
  }
  return key;
}
