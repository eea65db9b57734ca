import { getOrAdd } from "../../values/collections.ts";
import type { Json, RawText } from "../../values/json.ts";
import { ANY_NUMBER, ANY_TYPE, jsonType } from "../../values/json_type.ts";
import { isReplacedText } from "../../values/replaced_text.ts";
import { EvaluatedParts } from "../evaluated_parts.ts";
import { type Check, type Evaluate, INVALID } from "../keywords/keyword.ts";
import { enterResource } from "../node_evaluation.ts";
import { EvaluationContext, MAX_DEPTH, MEMO_STEPS } from "../evaluation_context.ts";
import { Counters } from "../counters.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import { type UsableKeyword, usableKeywords } from "../usable_keywords.ts";
import { passCauses, referenceCheck, withCauses } from "./attribute_causes.ts";
import { CauseCompiler, type CauseProgram } from "./cause_compiler.ts";
import { hasInPlaceCycle, pathsConverge } from "../converging_paths.ts";
import { type Cause, Rule } from "./cause.ts";
import { CauseCollector, CausePlace } from "./cause_collector.ts";

/** The most dynamic scopes in which a schema is evaluated at one place; in others, its first result is used. */
const MAX_SCOPES = 50;

/** The depth that each schema adds to an evaluation: more than in counting, because it takes more of the stack. */
const SCHEMA_WEIGHT = 3;

interface Entry {
  readonly check: Check;
  /** The cause of a failure; undefined if the check adds its causes to the collector. */
  readonly rule: Rule | undefined;
  readonly types: number;
  readonly phase: number;
  /** True for `type`: if it fails, the other keywords of the schema don't matter. */
  readonly hidesOthers: boolean;
}

/** Finds the keywords that make an instance invalid, by a second evaluation that valid traffic doesn't need. */
export class CauseFinder implements CauseProgram {
  readonly #run: EvaluationContext;
  readonly #counters = new Counters();
  readonly #collector = new CauseCollector();
  readonly #evaluations = new Map<SchemaNode, Evaluate>();
  readonly #targets = new Map<SchemaNode, Evaluate>();
  readonly #rules = new Map<SchemaNode, Map<string, Rule>>();

  /** @param documentedTexts Finds documented values that look like a replacement by a recorder. */
  constructor(documentedTexts: () => ReadonlySet<string>) {
    this.#run = new EvaluationContext(documentedTexts);
  }

  /** Returns the causes in the order of evaluation; `text` is the text from which the instance was decoded. */
  causes(schema: SchemaNode, instance: Json, text?: RawText): Cause[] {
    return this.#find(schema, instance, text, false);
  }

  /** Returns all causes if there is at most one; otherwise some of them, at least two. */
  singleCause(schema: SchemaNode, instance: Json, text?: RawText): Cause[] {
    return this.#find(schema, instance, text, true);
  }

  share<Result>(search: () => Result): Result {
    return this.#run.shareSteps(search);
  }

  /** True if the last search left out anything, so that there may be more causes. */
  get hasLeftOut(): boolean {
    const { isTooDeep, hasSkippedText, hasUntestedText } = this.#run;
    return isTooDeep || hasSkippedText || hasUntestedText || this.wasTooLong;
  }

  get wasTooLong(): boolean {
    return this.#run.stepsLeft < 0;
  }

  #find(schema: SchemaNode, instance: Json, text: RawText | undefined, isSingle: boolean): Cause[] {
    const run = this.#run;
    run.start(this.#counters, this.#counters.store);
    this.#collector.start(isSingle);
    this.referenceTo(schema)(instance, run, 0, text, undefined);
    return run.stepsLeft < 0 ? [] : this.#collector.causes();
  }

  /** Returns the rule of a keyword, always the same object. */
  rule(node: SchemaNode, keyword: string): Rule {
    const { plain } = node;
    const rules = getOrAdd(this.#rules, plain, () => new Map());
    return getOrAdd(rules, keyword, () => new Rule(plain, keyword));
  }

  evaluation(node: SchemaNode): Evaluate {
    let evaluate = this.#evaluations.get(node);
    if (evaluate === undefined) {
      evaluate = this.#compile(node);
      const { parent, graph } = node;
      const isScoped = graph.references.dynamic && parent !== undefined &&
        node.resource !== parent.resource;
      if (isScoped) evaluate = enterResource(node, evaluate);
      this.#evaluations.set(node, evaluate);
    }
    return evaluate;
  }

  /** Returns the evaluation of a referenced schema, which runs once at each place, however many paths lead there. */
  referenceTo(node: SchemaNode): Evaluate {
    return getOrAdd(this.#targets, node, () => this.#compileReference(node));
  }

  #compileReference(node: SchemaNode): Evaluate {
    const collector = this.#collector;
    const target = this.#compileTarget(node);
    const { dynamic } = node.graph.references;
    const memoized: Evaluate = (value, run, base, text, evaluated) => {
      run.stepsLeft -= MEMO_STEPS;
      const place = collector.place ??= new CausePlace();
      const results = getOrAdd(place.results, node, () => []);
      const scope = dynamic ? run.scopeKey : "";
      let known = results.find((result) =>
        result.scope === scope && (evaluated === undefined || result.evaluated !== undefined)
      );
      if (known === undefined && results.length > MAX_SCOPES) {
        run.isTooDeep = true;
        known = results[0];
      }
      if (known !== undefined) {
        if (known.evaluated !== undefined) evaluated?.merge(known.evaluated);
        if (known.causes !== undefined) collector.addAll([known.causes]);
        return known.causes === undefined;
      }
      const { size } = collector;
      const valid = target(value, run, base, text, evaluated);
      const causes = valid ? undefined : collector.groupFrom(size);
      results.push({ causes, evaluated, scope });
      return valid;
    };
    return (value, run, base, text, evaluated) => {
      if (collector.isDone || --run.stepsLeft < 0) return true;
      if (collector.place !== undefined) return memoized(value, run, base, text, evaluated);
      if (!pathsConverge(node)) return target(value, run, base, text, evaluated);
      const valid = memoized(value, run, base, text, evaluated);
      collector.place = undefined;
      return valid;
    };
  }

  #compileTarget(node: SchemaNode): Evaluate {
    const { dynamic } = node.graph.references;
    const isCyclic = hasInPlaceCycle(node);
    const active = new Set<Json>();
    let evaluate: Evaluate | undefined;
    return (value, run, base, text, evaluated) => {
      if (isCyclic && active.has(value)) return true; // A reference to itself in place adds nothing.
      if (isCyclic) active.add(value);
      if (dynamic) run.scope.push(node.resource);
      const valid = (evaluate ??= this.evaluation(node))(value, run, base, text, evaluated);
      if (dynamic) run.scope.pop();
      if (isCyclic) active.delete(value);
      return valid;
    };
  }

  #compile(node: SchemaNode): Evaluate {
    const entries = this.#references(node);
    for (const keyword of usableKeywords(node)) {
      const entry = this.#entry(node, keyword);
      if (entry !== undefined) entries.push(entry);
    }
    entries.sort((left, right) =>
      Number(right.hidesOthers) - Number(left.hidesOthers) || left.phase - right.phase
    );
    const collector = this.#collector;
    const tracksEvaluated = entries.some(({ phase }) => phase > 0);
    const { length } = entries;
    return (value, run, base, text, evaluated) => {
      if (collector.isDone) return true;
      if (typeof value === "string" && isReplacedText(value) && run.skipsText(value)) return true;
      if (run.depth >= MAX_DEPTH) {
        run.isTooDeep = true;
        return true;
      }
      run.depth += SCHEMA_WEIGHT;
      const type = typeof value === "number" ? ANY_NUMBER : jsonType(value);
      const parts = tracksEvaluated && evaluated === undefined ? new EvaluatedParts() : evaluated;
      let valid = true;
      for (let index = 0; index < length; index++) {
        const { types, check, rule, hidesOthers } = entries[index] as Entry; // The index is within bounds.
        if ((types & type) === 0 || check(value, run, base, text, parts) !== INVALID) continue;
        run.stepsLeft -= MEMO_STEPS; // Recording a cause takes about as long.
        if (rule !== undefined) collector.add(rule);
        valid = false;
        if (hidesOthers || collector.isDone) break;
      }
      run.depth -= SCHEMA_WEIGHT;
      return valid;
    };
  }

  #entry(node: SchemaNode, { definition, value }: UsableKeyword): Entry | undefined {
    const collector = this.#collector;
    const check = definition.compile(
      value,
      node,
      new CauseCompiler(this, collector, node, definition),
    );
    if (check === undefined) return undefined;
    const rule = this.rule(node, definition.name);
    const failsAlone = definition.subschemas === undefined && definition.failure === undefined &&
      definition.countsItself !== true;
    return {
      check: failsAlone ? check : withCauses(check, { definition, value }, rule, collector),
      rule: failsAlone ? rule : undefined,
      types: definition.typesFor?.(value) ?? definition.types,
      phase: definition.phase ?? 0,
      hidesOthers: definition.name === "type",
    };
  }

  /** Returns the entries of references, which are transparent: the causes are those of their targets. */
  #references(node: SchemaNode): Entry[] {
    const entries: Entry[] = [];
    const add = (name: string, evaluate: Evaluate) => {
      const check = passCauses(referenceCheck(evaluate), this.rule(node, name), this.#collector);
      entries.push({ check, rule: undefined, types: ANY_TYPE, phase: 0, hidesOthers: false });
    };
    const { target } = node;
    if (target !== undefined) add("$ref", this.#targetEvaluation(target));
    const dynamic = node.dialect.dynamicReference;
    if (dynamic !== undefined && typeof node.schema[dynamic] === "string") {
      const byTarget = new Map<Subschema, Evaluate>();
      add(dynamic, (value, run, base, text, evaluated) => {
        const schema = node.graph.dynamicTarget(node, run.scope);
        const target = getOrAdd(byTarget, schema, () => this.#targetEvaluation(schema));
        return target(value, run, base, text, evaluated);
      });
    }
    return entries;
  }

  #targetEvaluation(target: Subschema): Evaluate {
    return typeof target === "boolean" ? () => target : this.referenceTo(target);
  }
}
