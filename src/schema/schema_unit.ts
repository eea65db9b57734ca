import type { Json } from "../values/json.ts";
import type { RawText } from "../values/raw_text.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { Cause } from "./causes/cause.ts";
import { CauseFinder } from "./causes/cause_finder.ts";
import { documentedTexts } from "./documented_texts.ts";
import type { UnitExample, UnitKeyword } from "./counted_unit.ts";
import { type CompiledUnit, crossing } from "./crossing.ts";
import { hasInPlaceCycle } from "./in_place_cycle.ts";
import type { Check, Evaluate } from "./keywords/keyword.ts";
import { rememberingCrossing, starting } from "./remembering.ts";
import type { Counters, CounterStore } from "./run.ts";
import { Run, weightOf } from "./run.ts";
import type { SchemaGraph, SchemaNode, Subschema } from "./schema_node.ts";
import { type CompilerProgram, UnitCompiler } from "./unit_compiler.ts";
import { waysMeet } from "./ways_meet.ts";

/**
 * A schema that is compiled as a whole: the schema of a parameter, or one that a reference leads to, with all that is
 * written inside it. Compiled when an instance first reaches it.
 */
export class SchemaUnit implements CompiledUnit {
  /** The schema. */
  readonly root: SchemaNode;
  readonly #program: SchemaProgram;
  #plain: UnitCompiler | undefined;
  #remembering: UnitCompiler | undefined;
  #evaluate: Evaluate | undefined;
  #entrance: Evaluate | undefined;

  /** Made by {@linkcode SchemaProgram} alone. */
  constructor(root: SchemaNode, program: SchemaProgram) {
    this.root = root;
    this.#program = program;
  }

  /** The number of the unit's counters. */
  get size(): number {
    return this.#layout.size;
  }

  /** The length of the unit's block: its counters, then a place for each reference that leads out of it. */
  get room(): number {
    return this.#layout.room;
  }

  /** Its keywords. */
  get keywords(): readonly UnitKeyword[] {
    return this.#layout.keywords;
  }

  /** Its examples. */
  get examples(): readonly UnitExample[] {
    return this.#layout.examples;
  }

  /** The evaluation of the schema; `base` is where the unit's block begins. */
  get evaluate(): Evaluate {
    return this.#evaluate ??= waysMeet(this.root)
      ? starting(this.remembering)
      : this.#compilePlain().evaluate;
  }

  /** The evaluation of the schema at a place that several ways may lead to. */
  get remembering(): Evaluate {
    return this.#compileRemembering().evaluate;
  }

  /** What a reference to the schema adds to the depth of an evaluation. */
  get weight(): number {
    return weightOf(this.#layout.height, this.#program.graph.references.dynamic);
  }

  /** The evaluation of the schema as that of a whole value. */
  get entrance(): Evaluate {
    if (this.#entrance === undefined) {
      const plain = !this.#program.graph.references.dynamic && !hasInPlaceCycle(this.root);
      this.#entrance = plain ? this.evaluate : this.#program.crossing(this.root);
    }
    return this.#entrance;
  }

  /** The layout of its counters, which is the same however it is compiled. */
  get #layout(): UnitCompiler {
    return this.#plain ?? this.#remembering ??
      (waysMeet(this.root) ? this.#compileRemembering() : this.#compilePlain());
  }

  #compilePlain(): UnitCompiler {
    return this.#plain ??= new UnitCompiler(this.#program, this.root, false);
  }

  #compileRemembering(): UnitCompiler {
    return this.#remembering ??= new UnitCompiler(this.#program, this.root, true);
  }
}

/** A keyword that made a whole instance invalid, and the place of its counters. */
export interface CountedCause {
  /** The place of its counters in their store. */
  readonly at: number;
  /** The keyword. */
  readonly cause: Cause;
}

/** Options of a program. */
export interface ProgramOptions {
  /** True if `format` is an annotation only, as JSON Schema itself has it. */
  readonly formatAnnotates?: boolean;
  /** The values of the documents that the schemas are in, for the rare text that could mean something else. */
  readonly documents?: () => Iterable<unknown>;
}

/** The units of a description. */
export class SchemaProgram implements CompilerProgram {
  /** The schemas. */
  readonly graph: SchemaGraph;
  /** True if `format` is an annotation only, as JSON Schema itself has it. */
  readonly formatAnnotates: boolean;
  readonly #units = new Map<SchemaNode, SchemaUnit>();
  readonly #run: Run;
  readonly #documentedTexts: () => ReadonlySet<string>;
  #causeFinder: CauseFinder | undefined;
  /** Checks of keywords that say the same, by what they say. */
  readonly checks: Map<string, Check> = new Map();
  /** Evaluations of schemas that say the same, by what they say. */
  readonly shared: Map<string, Evaluate> = new Map();

  readonly #counters = new Map<SchemaNode, number>();
  #lastCounter = 0;

  /** Starts without units. */
  constructor(graph: SchemaGraph, options: ProgramOptions = {}) {
    this.graph = graph;
    let documented: ReadonlySet<string> | undefined;
    this.#documentedTexts = () => documented ??= documentedTexts(options.documents?.() ?? []);
    this.#run = new Run(this.#documentedTexts);
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

  /** Evaluates a schema on an instance, counting into the counters; true if the instance is valid. */
  evaluate(schema: Subschema, value: Json, counters: Counters, text?: RawText): boolean {
    if (typeof schema === "boolean") return schema;
    return this.evaluateUnit(this.unit(schema), value, counters, text);
  }

  /** As {@linkcode SchemaProgram.evaluate}, for a schema whose unit is known. */
  evaluateUnit(
    unit: SchemaUnit,
    value: Json,
    counters: Counters,
    text: RawText | undefined,
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
    text: RawText | undefined,
  ): boolean {
    const run = this.#run;
    run.start(counters, store);
    return entrance(value, run, base, text, undefined);
  }

  /** Finds the keywords that make instances invalid; counts nothing. */
  get causeFinder(): CauseFinder {
    return this.#causeFinder ??= new CauseFinder({
      formatAnnotates: this.formatAnnotates,
      documentedTexts: this.#documentedTexts,
    });
  }

  /**
   * What the last evaluation noted of its failure, without a search: the keyword that alone made the instance invalid, as
   * a cause; `several` if there are more of them; undefined where only a search can tell.
   *
   * @param known A cause that was found so before, of the same counters.
   */
  faultOf(counters: Counters, known?: CountedCause): CountedCause | "several" | undefined {
    const { fault, otherFault, hasUnclearFault } = this.#run;
    if (fault < 0) return undefined;
    if (otherFault < 0) {
      if (hasUnclearFault) return undefined;
      if (known?.at === fault) return known;
    }
    const keyword = counters.keywordAt(fault);
    if (keyword === undefined) return undefined;
    if (otherFault < 0) {
      const rule = this.causeFinder.rule(keyword.node, keyword.keyword);
      return { at: fault, cause: new Cause(rule, []) };
    }
    const other = counters.keywordAt(otherFault);
    if (other === undefined) return undefined;
    const isSame = other.node === keyword.node && other.keyword === keyword.keyword;
    return isSame ? undefined : "several";
  }

  /** True if the last evaluation left out anything, for whatever reason. */
  get hasLeftOut(): boolean {
    const run = this.#run;
    return run.tooDeep || run.replaced || run.unjudged;
  }

  /** True if the last evaluation left out a text that a recorder had put in the place of a value. */
  get wasReplaced(): boolean {
    return this.#run.replaced;
  }

  /** True if a text is one that a recorder has put in the place of a value. */
  isReplaced(text: string): boolean {
    return isReplacedText(text) && this.#run.leavesOut(text);
  }

  /** True if the last evaluation met an instance that nests deeper than is evaluated. */
  get wasTooDeep(): boolean {
    return this.#run.tooDeep;
  }

  /** True if the last evaluation did not hold a text against a pattern, as that would have taken too long. */
  get wasUnjudged(): boolean {
    return this.#run.unjudged;
  }

  /** The evaluation of a schema that counts in its own unit's block; at a place that several ways may lead to, or not. */
  crossing(schema: SchemaNode, remembers = false): Evaluate {
    const { dynamic } = this.graph.references;
    const cross = remembers ? rememberingCrossing : crossing;
    return cross(this.unit(schema), dynamic, hasInPlaceCycle(schema));
  }

  /** The number of a schema's first counter, the same in all units that it is compiled in. */
  counterOf(node: SchemaNode, size: number): number {
    const { plain } = node;
    let first = this.#counters.get(plain);
    if (first === undefined) {
      this.#counters.set(plain, first = this.#lastCounter);
      this.#lastCounter += size;
    }
    return first;
  }
}
