import { getOrAdd } from "../values/collections.ts";
import { discriminated, findChoices } from "./causes/choose_alternative.ts";
import { listExamples } from "./examples.ts";
import {
  type Branch,
  type Check,
  type Compiler,
  type Count,
  count,
  type CountAlternative,
  countOnce,
  type Evaluate,
} from "./keywords/keyword.ts";
import { namedTypes } from "./keywords/type.ts";
import {
  cachedReference,
  checkLoop,
  type CompiledUnit,
  countingExamples,
  DECISIVE_FAILURE,
  enterResource,
  type Failure,
  OWN_FAILURE,
  referenceEntry,
  SCHEMA_FAILURE,
  typeCheck,
  UNCLEAR_FAILURE,
} from "./node_evaluation.ts";
import { atPlace, memoize, memoizedExamples, memoizedLoop } from "./memoized_evaluation.ts";
import type { SchemaGraph, SchemaNode, Subschema } from "./schema_node.ts";
import type { UnitClasses, UnitKeyword, UnitTally } from "./counters.ts";
import { findClasses } from "./value_classes.ts";
import { alternativeCounter, type ClassCounting } from "./value_counting.ts";
import { type UsableKeyword, usableKeywords } from "./usable_keywords.ts";
import { hasInPlaceCycle, pathsConverge } from "./converging_paths.ts";

export interface CompilerProgram {
  readonly graph: SchemaGraph;
  readonly countsValues: boolean;
  readonly sharedChecks: Map<string, Check>;
  readonly sharedEvaluations: Map<string, Evaluate>;
  readonly sharedCountings: Map<string, ClassCounting>;
  unit(node: SchemaNode): CompiledUnit;
  /** Returns the evaluation of a schema that counts in its own unit's block. */
  referenceTo(schema: SchemaNode, memoizes?: boolean): Evaluate;
  /** Returns the number of a schema's first counter, which is the same in all units that it is compiled in. */
  firstCounter(node: SchemaNode, size: number): number;
}

/** Compiles a unit: plainly, or memoized, for places that several paths can lead to. */
export class UnitCompiler {
  readonly keywords: UnitKeyword[] = [];
  readonly tallies: UnitTally[] = [];
  readonly classes: UnitClasses[] = [];
  readonly program: CompilerProgram;
  readonly room: number;
  readonly evaluate: Evaluate;
  size = 0;
  height = 0;
  #depth = 0;
  readonly #setPlaces: ((place: number) => void)[] = [];

  /** @param memoizes True to memoize, for places that several paths can lead to. */
  constructor(program: CompilerProgram, root: SchemaNode, memoizes: boolean) {
    this.program = program;
    this.evaluate = this.node(root, memoizes);
    let room = this.size;
    for (const link of this.#setPlaces.splice(0)) link(room++);
    this.room = room;
  }

  /** Compiles a schema whose counters begin at the current size of the unit. */
  node(node: SchemaNode, memoizes: boolean): Evaluate {
    const start = this.size;
    const keywords = usableKeywords(node);
    keywords.forEach(({ definition }, index) =>
      this.keywords.push({ node: node.plain, keyword: definition.name, slot: start + 2 * index })
    );
    this.size += 2 * keywords.length;
    const examples = listExamples(node).map(({ schema_path, value }) => {
      const slot = this.size++;
      this.tallies.push({ schema_path, slot });
      return { value, slot: slot - start };
    });
    const choices = findChoices(node).map(({ schema_path, alternatives }) => {
      const slot = this.size - start;
      alternatives.forEach((_, index) =>
        this.tallies.push({ schema_path: `${schema_path}/${index}`, slot: this.size++ })
      );
      return { alternatives, slot };
    });
    const slots = this.#classes(node, start);
    const first = memoizes ? this.program.firstCounter(node, this.size - start) : -1;
    const values = slots && this.#counting(slots, first < 0 ? -1 : first + slots.offset);
    this.height = Math.max(this.height, ++this.#depth);
    const evaluate = this.#evaluation(node, keywords, start, first, values);
    this.#depth--;
    const counted = examples.length === 0
      ? evaluate
      : memoizes
      ? memoizedExamples(evaluate, examples, first)
      : countingExamples(evaluate, examples);
    const tallied = choices.length === 0 ? counted : countingChoices(counted, node, choices, first);
    const scoped = this.program.graph.references.dynamic &&
      node.resource !== node.parent?.resource && node.parent !== undefined;
    return scoped ? enterResource(node, tallied) : tallied;
  }

  #classes(node: SchemaNode, start: number): Omit<ClassCounting, "first"> | undefined {
    const classes = this.program.countsValues ? findClasses(node) : undefined;
    if (classes === undefined) return undefined;
    const slot = this.size;
    this.size += classes.counters.length;
    this.classes.push({ node: node.plain, classes, slot });
    return { classes, offset: slot - start };
  }

  /** Shares one object among schemas that count in the same way, so that it stays in the CPU cache. */
  #counting({ classes, offset }: Omit<ClassCounting, "first">, first: number): ClassCounting {
    const counting = { classes, offset, first };
    if (first >= 0 || classes.shareKey === undefined || classes.alternatives.size > 0) {
      return counting;
    }
    return getOrAdd(this.program.sharedCountings, `${offset} ${classes.shareKey}`, () => counting);
  }

  /** Returns the evaluation of a schema; `first` is the number of its first counter if memoized, else negative. */
  #evaluation(
    node: SchemaNode,
    used: readonly UsableKeyword[],
    start: number,
    first: number,
    values: ClassCounting | undefined,
  ): Evaluate {
    const references = this.#references(node, start, first >= 0);
    const compile = (): Evaluate => this.#compileNode(node, used, start, references, first, values);
    const key = references.length === 0 && first < 0 ? sharedKey(node, used) : undefined;
    if (key === undefined) return compile();
    // Classes also depend on `contentMediaType` and `contentEncoding`, which are no tracked keywords.
    const counting = values === undefined ? "" : `${values.offset} ${values.classes.shareKey}`;
    return getOrAdd(this.program.sharedEvaluations, key + counting, compile);
  }

  #compileNode(
    node: SchemaNode,
    used: readonly UsableKeyword[],
    start: number,
    references: readonly Evaluate[],
    first: number,
    values: ClassCounting | undefined,
  ): Evaluate {
    const [reference] = references;
    if (used.length === 0 && references.length === 1 && reference !== undefined && first < 0) {
      return reference;
    }
    // A dynamic target, or `false`, can fail without recording a keyword of its own.
    const leads = references.length === 1 && typeof node.target === "object";
    const entries = references.map((evaluate) =>
      referenceEntry(evaluate, leads ? SCHEMA_FAILURE : UNCLEAR_FAILURE)
    );
    used.forEach((keyword, index) => {
      const { definition, value } = keyword;
      const compiler = new NodeCompiler(this, used, 2 * index, start, first, values);
      const check = this.#check(keyword, node, compiler);
      if (check === undefined) return;
      entries.push({
        check,
        slot: definition.countsItself === true ? -1 : 2 * index,
        types: definition.typesFor?.(value) ?? definition.types,
        phase: definition.phase ?? 0,
        failure: failureMeaning(keyword),
      });
    });
    entries.sort((left, right) =>
      Number(right.failure === DECISIVE_FAILURE) - Number(left.failure === DECISIVE_FAILURE) ||
      left.phase - right.phase
    );
    const counting = values?.classes.hasOnlyAlternatives === true ? undefined : values;
    if (first >= 0) return memoizedLoop(entries, first, counting);
    const [only] = used;
    const types = used.length === 1 && entries.length === 1 && only?.definition.name === "type"
      ? namedTypes(only.value, node)
      : undefined;
    return types === undefined ? checkLoop(entries, counting) : typeCheck(types, counting);
  }

  #check(keyword: UsableKeyword, node: SchemaNode, compiler: Compiler): Check | undefined {
    const { definition, value } = keyword;
    const key = sharedKey(node, [keyword]);
    if (key === undefined) return definition.compile(value, node, compiler);
    let check = this.program.sharedChecks.get(key);
    if (check === undefined) {
      check = definition.compile(value, node, compiler);
      if (check !== undefined) this.program.sharedChecks.set(key, check);
    }
    return check;
  }

  #references(node: SchemaNode, start: number, memoizes: boolean): Evaluate[] {
    const references: Evaluate[] = [];
    const target = node.target;
    if (target !== undefined) references.push(this.referenceTo(target, start, memoizes));
    const dynamic = node.dialect.dynamicReference;
    if (dynamic === undefined || typeof node.schema[dynamic] !== "string") return references;
    const byTarget = new Map<SchemaNode, Evaluate>();
    references.push((value, run, base, text, evaluated) => {
      const schema = node.graph.dynamicTarget(node, run.scope);
      if (typeof schema === "boolean") return schema || refuse(value, run, base, text, evaluated);
      const target = getOrAdd(byTarget, schema, () => this.program.referenceTo(schema, memoizes));
      return target(value, run, base, text, evaluated);
    });
    return references;
  }

  /** Returns the evaluation of another unit from a node whose counters begin at `start`. */
  referenceTo(schema: Subschema, start: number, memoizes: boolean): Evaluate {
    if (typeof schema === "boolean") return schema ? accept : refuse;
    const { program } = this;
    if (program.graph.references.dynamic || hasInPlaceCycle(schema)) {
      return program.referenceTo(schema, memoizes);
    }
    const link = cachedReference(program.unit(schema), start, this.#setPlaces);
    return memoizes ? program.referenceTo(schema, true) : link;
  }
}

class NodeCompiler implements Compiler {
  readonly #unit: UnitCompiler;
  readonly #used: readonly UsableKeyword[];
  readonly #slot: number;
  readonly #start: number;
  readonly #first: number;
  readonly #values: ClassCounting | undefined;

  constructor(
    unit: UnitCompiler,
    used: readonly UsableKeyword[],
    slot: number,
    start: number,
    first: number,
    values: ClassCounting | undefined,
  ) {
    this.#values = values;
    this.#unit = unit;
    this.#used = used;
    this.#slot = slot;
    this.#start = start;
    this.#first = first;
  }

  subschema(schema: Subschema): Branch {
    return this.#branch(schema, this.#first >= 0);
  }

  condition(schema: Subschema): Branch {
    return this.subschema(schema);
  }

  part(schema: Subschema): Branch {
    return this.#partBranch(schema, "part");
  }

  name(schema: Subschema): Branch {
    return this.#partBranch(schema, "name");
  }

  counter(keyword: string): Count {
    const slot = 2 * this.#used.findIndex(({ definition }) => definition.name === keyword);
    const counter = this.#first + slot;
    return this.#first < 0
      ? (run, base, valid) => count(run, base + slot, valid)
      : (run, base, valid) => countOnce(run, counter, base + slot, valid);
  }

  alternative(keyword: string): CountAlternative | undefined {
    return alternativeCounter(this.#values, keyword);
  }

  #partBranch(schema: Subschema, kind: "part" | "name"): Branch {
    if (typeof schema === "boolean") return this.#branch(schema, false);
    const memoizes = this.#first >= 0;
    const starts = !memoizes && !isPlainReference(schema) && pathsConverge(schema);
    const { evaluate, offset } = this.#branch(schema, memoizes || starts);
    if (memoizes) return { evaluate: atPlace(kind, evaluate), offset };
    return { evaluate: starts ? memoize(evaluate) : evaluate, offset };
  }

  #branch(schema: Subschema, memoizes: boolean): Branch {
    if (schema === true) return { evaluate: accept, offset: 0 };
    // `false` has no keyword that can fail: the keyword that holds it fails.
    if (schema === false) return { evaluate: this.#first < 0 ? fail : refuse, offset: this.#slot };
    if (isPlainReference(schema)) {
      return { evaluate: this.#unit.referenceTo(schema.target, this.#start, memoizes), offset: 0 };
    }
    const offset = this.#unit.size - this.#start;
    return { evaluate: this.#unit.node(schema, memoizes), offset };
  }
}

/** Wraps an evaluation to count the alternatives of a `discriminator`; once per place unless `first` is negative. */
function countingChoices(
  evaluate: Evaluate,
  node: SchemaNode,
  choices: readonly { readonly alternatives: readonly Subschema[]; readonly slot: number }[],
  first: number,
): Evaluate {
  return (value, run, base, text, evaluated) => {
    const valid = evaluate(value, run, base, text, evaluated);
    for (const { alternatives, slot } of choices) {
      const index = discriminated(node, alternatives, value);
      if (index === undefined) continue;
      const at = slot + index;
      if (first < 0) count(run, base + at, true);
      else countOnce(run, first + at, base + at, true);
    }
    return valid;
  };
}

/** Returns the meaning of a keyword's failure, consistent with {@linkcode CauseFinder}. */
function failureMeaning({ definition, value }: UsableKeyword): Failure {
  const { name, failure, failsItself, subschemas, countsItself, phase = 0 } = definition;
  if (countsItself === true || phase > 0 || failsItself !== undefined) return UNCLEAR_FAILURE;
  if (failure === "schemas") return value === false ? OWN_FAILURE : SCHEMA_FAILURE;
  if (failure !== undefined || subschemas !== undefined) return UNCLEAR_FAILURE;
  return name === "type" ? DECISIVE_FAILURE : OWN_FAILURE;
}

const accept: Evaluate = () => true;

/** The evaluation of `false`, whose failure may be due to a keyword around it. */
const refuse: Evaluate = (_value, run) => {
  run.failUnclearly();
  return false;
};

/** As {@linkcode refuse}, but the failure is that of the keyword with counters at `base`. */
const fail: Evaluate = (_value, run, base) => {
  run.fail(base);
  return false;
};

function isPlainReference(node: SchemaNode): node is SchemaNode & { readonly target: Subschema } {
  return node.isReferenceOnly && node.target !== undefined;
}

/** Returns a key that schemas with the same evaluation have in common; undefined if the evaluation can't be shared. */
function sharedKey(node: SchemaNode, used: readonly UsableKeyword[]): string | undefined {
  let key = "";
  for (const { definition, value } of used) {
    const part = definition.shareKey?.(value, node);
    if (part === undefined) return undefined;
    key += `${definition.name} ${part} `;
  }
  return key;
}
