import type { Json } from "../../values/json.ts";
import { ANY_NUMBER, ANY_TYPE, typeOf } from "../../values/json_type.ts";
import type { RawText } from "../../values/raw_text.ts";
import { isReplacedText } from "../../values/replaced_text.ts";
import { Evaluated } from "../evaluated.ts";
import { hasInPlaceCycle } from "../in_place_cycle.ts";
import type { Check, Evaluate } from "../keywords/keyword.ts";
import { INVALID } from "../keywords/keyword.ts";
import { entering } from "../node_evaluation.ts";
import { Counters, MAX_DEPTH, Run } from "../run.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import { usableKeywords, type UsedKeyword } from "../usable_keywords.ts";
import { attributing, following, passingOn } from "./attribute_causes.ts";
import { CauseCompiler, type CauseProgram } from "./cause_compiler.ts";
import { waysMeet } from "../ways_meet.ts";
import { type Cause, Rule } from "./cause.ts";
import { CauseCollector } from "./cause_collector.ts";
import { CausePlace, type PlaceResult } from "./cause_place.ts";

/** The most dynamic scopes in which a schema is evaluated at one place; in others its result is taken to be the same. */
const MAX_SCOPES = 50;

/** What each schema adds to the depth of an evaluation: more than where keywords are counted, since it takes more of the stack. */
const SCHEMA_WEIGHT = 3;

/** Options of {@linkcode CauseFinder}. */
export interface CauseFinderOptions {
  /** True if `format` is an annotation only. */
  readonly formatAnnotates: boolean;
  /** The texts in the description that look as if a recorder had written them. */
  readonly documentedTexts: () => ReadonlySet<string>;
}

/** A check of a schema. */
interface Entry {
  readonly check: Check;
  /** The cause of its failure; undefined where the check adds its causes to the collector. */
  readonly rule: Rule | undefined;
  readonly types: number;
  readonly phase: number;
  /** True for `type`: where it fails, the schema says nothing else of the instance. */
  readonly hidesOthers: boolean;
}

/**
 * Finds the keywords that make instances invalid. It evaluates a second time, for failing instances alone: what counts
 * keywords needn't know about causes, so valid traffic doesn't pay for them.
 */
export class CauseFinder implements CauseProgram {
  readonly #options: CauseFinderOptions;
  readonly #run: Run;
  readonly #counters = new Counters();
  readonly #collector = new CauseCollector();
  readonly #evaluations = new Map<SchemaNode, Evaluate>();
  readonly #crossings = new Map<SchemaNode, Evaluate>();
  readonly #rules = new Map<SchemaNode, Map<string, Rule>>();

  /** Starts without compiled schemas. */
  constructor(options: CauseFinderOptions) {
    this.#options = options;
    this.#run = new Run(options.documentedTexts);
  }

  /**
   * The causes in the order of evaluation; none if the schema accepts the instance.
   *
   * @param text The text that the instance was decoded from.
   */
  causes(schema: SchemaNode, instance: Json, text?: RawText): Cause[] {
    return this.#find(schema, instance, text, false);
  }

  /** The same if there is one at most; else some of them, two at least. */
  singleCause(schema: SchemaNode, instance: Json, text?: RawText): Cause[] {
    return this.#find(schema, instance, text, true);
  }

  /** True if the last search left out anything, so that there may be more causes. */
  get hasLeftOut(): boolean {
    const { tooDeep, replaced, unjudged } = this.#run;
    return tooDeep || replaced || unjudged;
  }

  #find(
    schema: SchemaNode,
    instance: Json,
    text: RawText | undefined,
    isSingle: boolean,
  ): Cause[] {
    const run = this.#run;
    run.start(this.#counters, this.#counters.store);
    this.#collector.start(isSingle);
    this.crossing(schema)(instance, run, 0, text, undefined);
    return this.#collector.causes();
  }

  /** A keyword of a schema, always the same object. */
  rule(node: SchemaNode, keyword: string): Rule {
    const { plain } = node;
    let rules = this.#rules.get(plain);
    if (rules === undefined) this.#rules.set(plain, rules = new Map());
    let rule = rules.get(keyword);
    if (rule === undefined) rules.set(keyword, rule = new Rule(plain, keyword));
    return rule;
  }

  /** The evaluation of a schema and everything that is written inside it. */
  evaluation(node: SchemaNode): Evaluate {
    let evaluate = this.#evaluations.get(node);
    if (evaluate === undefined) {
      evaluate = this.#compile(node);
      const { parent, graph } = node;
      const isScoped = graph.references.dynamic && parent !== undefined &&
        node.resource !== parent.resource;
      if (isScoped) evaluate = entering(node, evaluate);
      this.#evaluations.set(node, evaluate);
    }
    return evaluate;
  }

  /** The evaluation of a schema that references lead to: at each place once, however many ways lead there. */
  crossing(node: SchemaNode): Evaluate {
    let cross = this.#crossings.get(node);
    if (cross === undefined) this.#crossings.set(node, cross = this.#compileCrossing(node));
    return cross;
  }

  #compileCrossing(node: SchemaNode): Evaluate {
    const collector = this.#collector;
    const cross = this.#entering(node);
    const { dynamic } = node.graph.references;
    const remembering: Evaluate = (value, run, base, text, seen) => {
      const place = collector.place ??= new CausePlace();
      const results = place.resultsOf(node);
      const scope = dynamic ? run.scopeKey : "";
      let known = find(results, scope, seen !== undefined);
      if (known === undefined && results.length > MAX_SCOPES) {
        run.tooDeep = true;
        known = results[0];
      }
      if (known !== undefined) {
        if (known.evaluated !== undefined) seen?.merge(known.evaluated);
        if (known.causes !== undefined) collector.addFound([known.causes]);
        return known.causes === undefined;
      }
      const { size } = collector;
      const valid = cross(value, run, base, text, seen);
      const causes = valid ? undefined : collector.groupFrom(size);
      results.push({ causes, evaluated: seen, scope });
      return valid;
    };
    return (value, run, base, text, seen) => {
      if (collector.isDone) return true;
      if (collector.place !== undefined) return remembering(value, run, base, text, seen);
      if (!waysMeet(node)) return cross(value, run, base, text, seen);
      const valid = remembering(value, run, base, text, seen);
      collector.place = undefined;
      return valid;
    };
  }

  #entering(node: SchemaNode): Evaluate {
    const { dynamic } = node.graph.references;
    const isCyclic = hasInPlaceCycle(node);
    const active = new Set<Json>();
    let evaluate: Evaluate | undefined;
    return (value, run, base, text, seen) => {
      if (isCyclic && active.has(value)) return true; // it says nothing more
      if (isCyclic) active.add(value);
      if (dynamic) run.scope.push(node.resource);
      const valid = (evaluate ??= this.evaluation(node))(value, run, base, text, seen);
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
    const closes = entries.some(({ phase }) => phase > 0);
    const { length } = entries;
    return (value, run, base, text, seen) => {
      if (collector.isDone) return true;
      if (typeof value === "string" && isReplacedText(value) && run.leavesOut(value)) return true;
      if (run.depth >= MAX_DEPTH) {
        run.tooDeep = true;
        return true;
      }
      run.depth += SCHEMA_WEIGHT;
      const type = typeof value === "number" ? ANY_NUMBER : typeOf(value);
      const own = closes && seen === undefined ? new Evaluated() : seen;
      let valid = true;
      for (let index = 0; index < length; index++) {
        const { types, check, rule, hidesOthers } = entries[index] as Entry; // within its bounds
        if ((types & type) === 0 || check(value, run, base, text, own) !== INVALID) continue;
        if (rule !== undefined) collector.add(rule);
        valid = false;
        if (hidesOthers || collector.isDone) break;
      }
      run.depth -= SCHEMA_WEIGHT;
      return valid;
    };
  }

  #entry(node: SchemaNode, { definition, value }: UsedKeyword): Entry | undefined {
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
      check: failsAlone ? check : attributing(check, { definition, value }, rule, collector),
      rule: failsAlone ? rule : undefined,
      types: definition.typesOf?.(value) ?? definition.types,
      phase: definition.phase ?? 0,
      hidesOthers: definition.name === "type",
    };
  }

  /** References are transparent: what their targets report is reported here. */
  #references(node: SchemaNode): Entry[] {
    const entries: Entry[] = [];
    const add = (name: string, evaluate: Evaluate) => {
      const check = passingOn(following(evaluate), this.rule(node, name), this.#collector);
      entries.push({ check, rule: undefined, types: ANY_TYPE, phase: 0, hidesOthers: false });
    };
    const { target } = node;
    if (target !== undefined) add("$ref", this.#target(target));
    const dynamic = node.dialect.dynamicReference;
    if (dynamic !== undefined && typeof node.schema[dynamic] === "string") {
      const crossings = new Map<Subschema, Evaluate>();
      add(dynamic, (value, run, base, text, seen) => {
        const found = node.graph.dynamicTarget(node, run.scope);
        let cross = crossings.get(found);
        if (cross === undefined) crossings.set(found, cross = this.#target(found));
        return cross(value, run, base, text, seen);
      });
    }
    return entries;
  }

  #target(target: Subschema): Evaluate {
    return typeof target === "boolean" ? () => target : this.crossing(target);
  }

  /** True if `format` is an annotation only. */
  get formatAnnotates(): boolean {
    return this.#options.formatAnnotates;
  }
}

function find(
  results: readonly PlaceResult[],
  scope: string,
  evaluated: boolean,
): PlaceResult | undefined {
  return results.find((result) =>
    result.scope === scope && (!evaluated || result.evaluated !== undefined)
  );
}
