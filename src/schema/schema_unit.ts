import { ARRAY, BOOLEAN, NULL, NUMBER, OBJECT, STRING } from "../json_type.ts";
import { equalText } from "./equal.ts";
import type { Json, TextSource } from "./equal.ts";
import { Evaluated } from "./evaluated.ts";
import { examplesOf } from "./examples.ts";
import { hasInPlaceCycle } from "./in_place_cycle.ts";
import type { Check, Compiler, Evaluate } from "./keywords/keyword.ts";
import { INVALID, NOT_APPLICABLE } from "./keywords/keyword.ts";
import { usableKeywords } from "./usable_keywords.ts";
import type { Counters } from "./run.ts";
import { MAX_DEPTH, Run } from "./run.ts";
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
  /** Counted from 0 in the order of first use. */
  readonly id: number;
  /** The schema. */
  readonly root: SchemaNode;
  readonly #program: SchemaProgram;
  #compiled: UnitCompiler | undefined;
  #evaluate: Evaluate | undefined;

  /** Made by {@linkcode SchemaProgram} alone. */
  constructor(id: number, root: SchemaNode, program: SchemaProgram) {
    this.id = id;
    this.root = root;
    this.#program = program;
  }

  /** The length of the unit's block of counters. */
  get size(): number {
    return this.#compile().size;
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

  /** Starts without units. */
  constructor(graph: SchemaGraph, options: { readonly formatAnnotates?: boolean } = {}) {
    this.graph = graph;
    this.formatAnnotates = options.formatAnnotates ?? false;
  }

  /** The unit of a schema. */
  unit(node: SchemaNode): SchemaUnit {
    let unit = this.#units.get(node);
    if (unit === undefined) {
      unit = new SchemaUnit(this.#units.size, node, this);
      this.#units.set(node, unit);
    }
    return unit;
  }

  /** Evaluates a schema on an instance, counting into the counters; true where the instance is valid. */
  evaluate(
    schema: Subschema,
    value: Json,
    counters: Counters,
    text?: TextSource,
  ): { readonly valid: boolean; readonly tooDeep: boolean } {
    if (typeof schema === "boolean") return { valid: schema, tooDeep: false };
    const run = new Run(counters);
    const valid = crossing(this.unit(schema), this.graph.references.dynamic, false)(
      value,
      run,
      0,
      text,
      undefined,
    );
    return { valid, tooDeep: run.tooDeep };
  }
}

/** The evaluation of another unit: it counts in that unit's block. */
export function crossing(unit: SchemaUnit, dynamic: boolean, cyclic: boolean): Evaluate {
  const active = cyclic ? new Set<Json>() : undefined;
  const cross: Evaluate = (value, run, _base, text, seen) => {
    if (run.depth >= MAX_DEPTH) {
      run.tooDeep = true;
      return true;
    }
    if (active !== undefined) {
      if (active.has(value)) return true; // a schema that refers to itself in place says nothing more
      active.add(value);
    }
    run.depth++;
    if (dynamic) run.scope.push(unit.root.resource);
    const valid = unit.evaluate(value, run, run.counters.baseOf(unit), text, seen);
    if (dynamic) run.scope.pop();
    run.depth--;
    active?.delete(value);
    return valid;
  };
  return cross;
}

interface Entry {
  readonly check: Check;
  /** Negative where the check counts by itself, or counts nothing. */
  readonly slot: number;
  readonly types: number;
  readonly phase: number;
}

const KINDS = [NULL, BOOLEAN, NUMBER, STRING, ARRAY, OBJECT];

class UnitCompiler implements Compiler {
  readonly keywords: UnitKeyword[] = [];
  readonly examples: UnitExample[] = [];
  readonly formatAnnotates: boolean;
  size = 0;
  evaluate: Evaluate = () => true;
  readonly #program: SchemaProgram;

  constructor(program: SchemaProgram) {
    this.#program = program;
    this.formatAnnotates = program.formatAnnotates;
  }

  compile(root: SchemaNode): void {
    this.evaluate = this.#node(root);
  }

  slot(node: SchemaNode, keyword: string): number {
    const slot = this.size;
    this.size += 2;
    this.keywords.push({ node, keyword, slot });
    return slot;
  }

  subschema(schema: Subschema): Evaluate {
    if (typeof schema === "boolean") return () => schema;
    return this.#node(schema);
  }

  silent(schema: Subschema): Evaluate {
    if (typeof schema === "boolean") return () => schema;
    const cross = this.#crossing(schema);
    return (value, run, base, text, seen) => {
      const counters = run.counters;
      run.counters = run.silent;
      const valid = cross(value, run, base, text, seen);
      run.counters = counters;
      return valid;
    };
  }

  #crossing(schema: Subschema): Evaluate {
    if (typeof schema === "boolean") return () => schema;
    const unit = this.#program.unit(schema);
    return crossing(unit, this.#program.graph.references.dynamic, hasInPlaceCycle(schema));
  }

  #node(node: SchemaNode): Evaluate {
    const entries: Entry[] = [];
    this.#references(node, entries);
    if (!node.isReferenceOnly) {
      for (const { definition, value } of usableKeywords(node)) {
        const check = definition.compile(value, node, this);
        if (check === undefined) continue;
        const slot = definition.countsItself === true ? -1 : this.slot(node, definition.name);
        const types = definition.typesOf?.(value) ?? definition.types;
        entries.push({ check, slot, types, phase: definition.phase ?? 0 });
      }
    }
    entries.sort((left, right) => left.phase - right.phase);
    const evaluate = this.#loop(entries, entries.some((entry) => entry.phase > 0));
    const examples = examplesOf(node).map(({ schema_path, value }) => {
      const slot = this.size++;
      this.examples.push({ schema_path, slot });
      return { value, slot };
    });
    const counted = examples.length === 0 ? evaluate : countingExamples(evaluate, examples);
    const scoped = this.#program.graph.references.dynamic &&
      node.resource !== node.parent?.resource && node.parent !== undefined;
    return scoped ? entering(node, counted) : counted;
  }

  #references(node: SchemaNode, entries: Entry[]): void {
    const target = node.target;
    if (target !== undefined) entries.push(transparent(this.#crossing(target)));
    const dynamic = node.dialect.dynamicReference;
    if (dynamic === undefined || typeof node.schema[dynamic] !== "string") return;
    const crossings = new Map<SchemaNode, Evaluate>();
    entries.push(transparent((value, run, base, text, seen) => {
      const found = node.graph.dynamicTarget(node, run.scope);
      if (typeof found === "boolean") return found;
      let cross = crossings.get(found);
      if (cross === undefined) crossings.set(found, cross = this.#crossing(found));
      return cross(value, run, base, text, seen);
    }));
  }

  #loop(entries: readonly Entry[], closes: boolean): Evaluate {
    const [ofNull, ofBoolean, ofNumber, ofString, ofArray, ofObject] = KINDS.map((kind) => {
      const bits = kind === NUMBER ? 12 : kind;
      return entries.filter((entry) => (entry.types & bits) !== 0);
    }) as [Entry[], Entry[], Entry[], Entry[], Entry[], Entry[]];
    return (value, run, base, text, seen) => {
      let list: readonly Entry[];
      switch (typeof value) {
        case "string":
          list = ofString;
          break;
        case "number":
          list = ofNumber;
          break;
        case "boolean":
          list = ofBoolean;
          break;
        default:
          list = value === null ? ofNull : Array.isArray(value) ? ofArray : ofObject;
      }
      const own = closes && seen === undefined ? new Evaluated() : seen;
      let valid = true;
      for (let index = 0; index < list.length; index++) {
        const entry = list[index] as Entry;
        const outcome = entry.check(value, run, base, text, own);
        if (outcome === NOT_APPLICABLE) continue;
        if (outcome === INVALID) valid = false;
        if (entry.slot >= 0) {
          const counts = run.counters.counts;
          const at = base + entry.slot + 1 - outcome;
          counts[at] = (counts[at] as number) + 1;
        }
      }
      return valid;
    };
  }
}

function transparent(evaluate: Evaluate): Entry {
  return {
    check: (value, run, base, text, seen) => {
      const own = seen === undefined ? undefined : new Evaluated();
      if (!evaluate(value, run, base, text, own)) return INVALID;
      if (own !== undefined) seen!.merge(own); // own exists only where seen does
      return 1;
    },
    slot: -1,
    types: 127,
    phase: 0,
  };
}

function entering(node: SchemaNode, evaluate: Evaluate): Evaluate {
  const resource = node.resource;
  return (value, run, base, text, seen) => {
    run.scope.push(resource);
    const valid = evaluate(value, run, base, text, seen);
    run.scope.pop();
    return valid;
  };
}

function countingExamples(
  evaluate: Evaluate,
  examples: readonly { readonly value: Json; readonly slot: number }[],
): Evaluate {
  return (value, run, base, text, seen) => {
    const valid = evaluate(value, run, base, text, seen);
    for (const example of examples) {
      if (!equalText(value, text, example.value)) continue;
      const counts = run.counters.counts;
      const at = base + example.slot;
      counts[at] = (counts[at] as number) + 1;
    }
    return valid;
  };
}
