import { getOrAdd } from "../values/collections.ts";
import type { Json, RawText } from "../values/json.ts";
import { isReplacedText } from "../values/replaced_text.ts";
import { Cause, type Rule } from "./causes/cause.ts";
import { CauseFinder } from "./causes/cause_finder.ts";
import type { Counters, CounterStore, UnitClasses, UnitKeyword, UnitTally } from "./counters.ts";
import { type CompiledUnit, unitReference } from "./node_evaluation.ts";
import type { Check, Evaluate } from "./keywords/keyword.ts";
import { memoize, memoizedReference } from "./memoized_evaluation.ts";
import { EvaluationContext, referenceWeight } from "./evaluation_context.ts";
import type { SchemaGraph, SchemaNode, Subschema } from "./schema_node.ts";
import { type CompilerProgram, UnitCompiler } from "./unit_compiler.ts";
import type { ClassCounting } from "./value_counting.ts";
import { hasInPlaceCycle, pathsConverge } from "./converging_paths.ts";
import { keywordsHolding } from "../values/keyword_table.ts";

const VALUE_KEYWORDS = new Set(keywordsHolding("values"));

/** Finds the documented values that look like a replacement by a recorder, in entire documents. */
function documentedTexts(documents: Iterable<unknown>): ReadonlySet<string> {
  const texts = new Set<string>();
  const open: (readonly [value: unknown, isSent: boolean])[] = [];
  for (const document of documents) open.push([document, false]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [value, isSent] = next;
    if (typeof value === "string") {
      if (isSent && isReplacedText(value)) texts.add(value);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        open.push([member, isSent || VALUE_KEYWORDS.has(name)]);
      }
    }
  }
  return texts;
}

/** A schema that is compiled as a whole, with everything nested in it, when an instance first reaches it. */
export class SchemaUnit implements CompiledUnit {
  readonly root: SchemaNode;
  readonly #program: SchemaProgram;
  #plain: UnitCompiler | undefined;
  #memoized: UnitCompiler | undefined;
  #evaluate: Evaluate | undefined;
  #entrance: Evaluate | undefined;

  /** Only called by {@linkcode SchemaProgram}. */
  constructor(root: SchemaNode, program: SchemaProgram) {
    this.root = root;
    this.#program = program;
  }

  get size(): number {
    return this.#layout.size;
  }

  get blockLength(): number {
    return this.#layout.room;
  }

  get keywords(): readonly UnitKeyword[] {
    return this.#layout.keywords;
  }

  get tallies(): readonly UnitTally[] {
    return this.#layout.tallies;
  }

  get classes(): readonly UnitClasses[] {
    return this.#layout.classes;
  }

  get evaluate(): Evaluate {
    return this.#evaluate ??= pathsConverge(this.root)
      ? memoize(this.memoized)
      : this.#compilePlain().evaluate;
  }

  get memoized(): Evaluate {
    return this.#compileMemoized().evaluate;
  }

  get weight(): number {
    return referenceWeight(this.#layout.height, this.#program.graph.references.dynamic);
  }

  get entrance(): Evaluate {
    if (this.#entrance === undefined) {
      const plain = !this.#program.graph.references.dynamic && !hasInPlaceCycle(this.root);
      this.#entrance = plain ? this.evaluate : this.#program.referenceTo(this.root);
    }
    return this.#entrance;
  }

  /** The layout of the counters, which is the same in both ways of compiling. */
  get #layout(): UnitCompiler {
    return this.#plain ?? this.#memoized ??
      (pathsConverge(this.root) ? this.#compileMemoized() : this.#compilePlain());
  }

  #compilePlain(): UnitCompiler {
    return this.#plain ??= new UnitCompiler(this.#program, this.root, false);
  }

  #compileMemoized(): UnitCompiler {
    return this.#memoized ??= new UnitCompiler(this.#program, this.root, true);
  }
}

/** The failures that an evaluation recorded: see {@linkcode SchemaProgram.causeOfFault}. */
export interface RecordedFault {
  readonly first: number;
  readonly second: number;
  readonly steps: readonly string[];
  readonly isUnclear: boolean;
}

export interface ProgramOptions {
  readonly countsValues?: boolean;
  /** Returns the documents of the schemas, which are searched for values that look like a replacement by a recorder. */
  readonly documents?: () => Iterable<unknown>;
}

export interface IncompleteReasons {
  nestedTooDeep: boolean;
  /** True if a recorder had replaced a value with a placeholder. */
  replaced: boolean;
  patternUnjudged: boolean;
  tooLong: boolean;
}

export class SchemaProgram implements CompilerProgram {
  readonly graph: SchemaGraph;
  readonly countsValues: boolean;
  readonly #units = new Map<SchemaNode, SchemaUnit>();
  readonly #run: EvaluationContext;
  readonly #documentedTexts: () => ReadonlySet<string>;
  #causeFinder: CauseFinder | undefined;
  readonly sharedChecks: Map<string, Check> = new Map();
  readonly sharedEvaluations: Map<string, Evaluate> = new Map();

  readonly sharedCountings: Map<string, ClassCounting> = new Map();

  readonly #firstCounters = new Map<SchemaNode, number>();
  #counterCount = 0;

  constructor(graph: SchemaGraph, options: ProgramOptions = {}) {
    this.graph = graph;
    let documented: ReadonlySet<string> | undefined;
    this.#documentedTexts = () => documented ??= documentedTexts(options.documents?.() ?? []);
    this.#run = new EvaluationContext(this.#documentedTexts);
    this.countsValues = options.countsValues ?? false;
  }

  unit(node: SchemaNode): SchemaUnit {
    return getOrAdd(this.#units, node, () => new SchemaUnit(node, this));
  }

  evaluate(schema: Subschema, value: Json, counters: Counters, text?: RawText): boolean {
    if (typeof schema === "boolean") return schema;
    return this.evaluateUnit(this.unit(schema), value, counters, text);
  }

  evaluateUnit(
    unit: SchemaUnit,
    value: Json,
    counters: Counters,
    text: RawText | undefined,
  ): boolean {
    return this.enter(unit.entrance, value, counters, counters.store, counters.base(unit), text);
  }

  /** As {@linkcode SchemaProgram.evaluateUnit}, for a unit whose entrance and base are known. */
  enter(
    entrance: Evaluate,
    value: Json,
    counters: Counters,
    store: CounterStore,
    base: number,
    text: RawText | undefined,
  ): boolean {
    const run = this.#run;
    const stepsBefore = run.stepsLeft;
    run.start(counters, store);
    const valid = entrance(value, run, base, text, undefined);
    if (run.stepsLeft >= 0) return valid;
    store.revertValue(() => {
      run.stepsLeft = stepsBefore;
      run.start(counters, store);
      entrance(value, run, base, text, undefined);
    });
    return true;
  }

  /** True if all texts in the next values are known to be ASCII. */
  set isAscii(isAscii: boolean) {
    this.#run.isAscii = isAscii;
  }

  /** Evaluates several values as parts of one body, and finds their causes: they share the limits of one value. */
  share(evaluate: () => void): void {
    this.#run.shareSteps(() => this.causeFinder.share(evaluate));
  }

  get causeFinder(): CauseFinder {
    return this.#causeFinder ??= new CauseFinder(this.#documentedTexts);
  }

  get lastFault(): RecordedFault {
    const { fault, otherFault, faultSteps, hasUnclearFault } = this.#run;
    return { first: fault, second: otherFault, steps: faultSteps, isUnclear: hasUnclearFault };
  }

  /** Returns the only keyword that made an instance invalid, or `several`; undefined if that requires a search. */
  causeOfFault(counters: Counters, fault: RecordedFault): Cause | "several" | undefined {
    const { first, second, steps, isUnclear } = fault;
    if (first < 0 || second < 0 && isUnclear) return undefined;
    const rule = this.#ruleAt(first, counters);
    if (second < 0) return new Cause(rule, steps.toReversed());
    return this.#ruleAt(second, counters) === rule ? undefined : "several";
  }

  #ruleAt(index: number, counters: Counters): Rule {
    const { node, keyword } = counters.keywordAt(index);
    return this.causeFinder.rule(node, keyword);
  }

  get isIncomplete(): boolean {
    const run = this.#run;
    return run.isTooDeep || run.hasSkippedText || run.hasUntestedText || run.stepsLeft < 0;
  }

  isReplaced(text: string): boolean {
    return isReplacedText(text) && this.#run.skipsText(text);
  }

  addIncompleteReasons(reasons: IncompleteReasons): void {
    const run = this.#run;
    if (run.isTooDeep) reasons.nestedTooDeep = true;
    if (run.hasSkippedText) reasons.replaced = true;
    if (run.hasUntestedText) reasons.patternUnjudged = true;
    if (run.stepsLeft < 0) reasons.tooLong = true;
  }

  referenceTo(schema: SchemaNode, memoizes = false): Evaluate {
    const { dynamic } = this.graph.references;
    const createReference = memoizes ? memoizedReference : unitReference;
    return createReference(this.unit(schema), dynamic, hasInPlaceCycle(schema));
  }

  firstCounter(node: SchemaNode, size: number): number {
    const { plain } = node;
    let first = this.#firstCounters.get(plain);
    if (first === undefined) {
      this.#firstCounters.set(plain, first = this.#counterCount);
      this.#counterCount += size;
    }
    return first;
  }
}
