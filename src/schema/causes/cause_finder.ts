import type { Json } from "../../values/json.ts";
import { ANY_NUMBER, ANY_TYPE, typeOf } from "../../values/json_type.ts";
import type { RawText } from "../../values/raw_text.ts";
import { isReplacedText } from "../../values/replaced_text.ts";
import { Evaluated } from "../evaluated.ts";
import { hasInPlaceCycle } from "../in_place_cycle.ts";
import type {
  Branch,
  Check,
  Compiler,
  Count,
  Evaluate,
  KeywordDefinition,
} from "../keywords/keyword.ts";
import { INVALID, VALID } from "../keywords/keyword.ts";
import { keywordDefinitions } from "../keywords/keyword_definitions.ts";
import { entering } from "../node_evaluation.ts";
import { Counters, MAX_DEPTH, Run } from "../run.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import { usableKeywords, type UsedKeyword } from "../usable_keywords.ts";
import {
  type Cause,
  CauseCollector,
  type CausePlace,
  type PlaceResult,
} from "./cause_collector.ts";
import { chooseAlternative } from "./choose_alternative.ts";

/** The most dynamic scopes in which a schema is evaluated at one place; in others its result is taken to be the same. */
const MAX_SCOPES = 50;

/** Options of {@linkcode CauseFinder}. */
export interface CauseFinderOptions {
  /** True if `format` is an annotation only. */
  readonly formatAnnotates: boolean;
  /** The texts in the description that look as if a recorder had written them. */
  readonly documentedTexts: () => ReadonlySet<string>;
}

/** A check of a schema; it adds its causes to the collector. */
interface Entry {
  readonly check: Check;
  readonly types: number;
  readonly phase: number;
  /** True for `type`: where it fails, the schema says nothing else of the instance. */
  readonly hidesOthers: boolean;
}

/**
 * Finds the keywords that make instances invalid. It evaluates a second time, for failing instances alone: what counts
 * keywords needn't know about causes, so valid traffic doesn't pay for them.
 */
export class CauseFinder {
  readonly #options: CauseFinderOptions;
  readonly #run: Run;
  readonly #counters = new Counters();
  readonly #collector = new CauseCollector();
  readonly #evaluations = new Map<SchemaNode, Evaluate>();

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
    const run = this.#run;
    run.start(this.#counters, this.#counters.store);
    this.#collector.start();
    this.crossing(schema)(instance, run, 0, text, undefined);
    return this.#collector.causes();
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
    const collector = this.#collector;
    const { dynamic } = node.graph.references;
    const isCyclic = hasInPlaceCycle(node);
    const active = new Set<Json>();
    let evaluate: Evaluate | undefined;
    return (value, run, base, text, seen) => {
      const results = collector.place.resultsOf(node);
      const scope = dynamic ? run.scopeKey : "";
      const known = find(results, scope, seen !== undefined);
      if (known !== undefined) {
        if (known.evaluated !== undefined) seen?.merge(known.evaluated);
        if (known.causes !== undefined) collector.addFound([known.causes]);
        return known.causes === undefined;
      }
      if (isCyclic && active.has(value)) return true; // it says nothing more
      if (run.depth >= MAX_DEPTH || results.length > MAX_SCOPES) {
        run.tooDeep = true;
        return results[0]?.causes === undefined;
      }
      if (isCyclic) active.add(value);
      if (dynamic) run.scope.push(node.resource);
      run.depth++;
      const size = collector.size;
      const valid = (evaluate ??= this.evaluation(node))(value, run, base, text, seen);
      run.depth--;
      if (dynamic) run.scope.pop();
      if (isCyclic) active.delete(value);
      const causes = valid ? undefined : collector.groupFrom(size);
      results.push({ causes, evaluated: seen, scope });
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
    const closes = entries.some(({ phase }) => phase > 0);
    return (value, run, base, text, seen) => {
      if (typeof value === "string" && isReplacedText(value) && run.leavesOut(value)) return true;
      const type = typeof value === "number" ? ANY_NUMBER : typeOf(value);
      const own = closes && seen === undefined ? new Evaluated() : seen;
      let valid = true;
      for (const { check, types, hidesOthers } of entries) {
        if ((types & type) === 0 || check(value, run, base, text, own) !== INVALID) continue;
        valid = false;
        if (hidesOthers) break;
      }
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
    return {
      check: attributing(check, { definition, value }, node, collector),
      types: definition.typesOf?.(value) ?? definition.types,
      phase: definition.phase ?? 0,
      hidesOthers: definition.name === "type",
    };
  }

  /** References are transparent: what their targets say is said here. */
  #references(node: SchemaNode): Entry[] {
    const entries: Entry[] = [];
    const add = (name: string, evaluate: Evaluate) => {
      const check = passingOn(following(evaluate), node, name, this.#collector);
      entries.push({ check, types: ANY_TYPE, phase: 0, hidesOthers: false });
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

/**
 * The check of a reference. Even a failing target evaluates properties and items here: otherwise a failure in one part of
 * a schema would make its `unevaluatedProperties` fail too, and look like two.
 */
function following(evaluate: Evaluate): Check {
  return (value, run, base, text, seen) => {
    const own = seen === undefined ? undefined : new Evaluated();
    const valid = evaluate(value, run, base, text, own);
    if (own !== undefined) seen?.merge(own);
    return valid ? VALID : INVALID;
  };
}

/** A check whose failure is that of the schemas in it; its own where none of them has a cause. */
function passingOn(
  check: Check,
  node: SchemaNode,
  keyword: string,
  collector: CauseCollector,
  failsItself: (instance: Json) => boolean = () => false,
): Check {
  return (value, run, base, text, seen) => {
    const { size } = collector;
    collector.marked.push(seen);
    const outcome = check(value, run, base, text, seen);
    collector.marked.pop();
    if (outcome !== INVALID) collector.dropFrom(size);
    else if (collector.size === size || failsItself(value)) collector.add(node, keyword);
    return outcome;
  };
}

/** A check that adds the causes of its failure, as its keyword has them. */
function attributing(
  check: Check,
  { definition, value }: UsedKeyword,
  node: SchemaNode,
  collector: CauseCollector,
): Check {
  if (definition.countsItself === true) return countingForSeveral(check, collector);
  if (definition.failure === "schemas") {
    const failsItself = definition.failsItself;
    return passingOn(
      check,
      node,
      definition.name,
      collector,
      failsItself && ((instance) => failsItself(value, node, instance)),
    );
  }
  if (definition.failure === "alternatives") {
    return choosing(check, node, definition.name, collector);
  }
  return (instance, run, base, text, seen) => {
    const { size } = collector;
    const outcome = check(instance, run, base, text, seen);
    collector.dropFrom(size);
    if (outcome === INVALID) collector.add(node, definition.name);
    return outcome;
  };
}

/** A check that counts for several keywords, which add their causes when they are counted. */
function countingForSeveral(check: Check, collector: CauseCollector): Check {
  return (value, run, base, text, seen) => {
    const { size } = collector;
    collector.begun.push({ size, dropped: false });
    collector.marked.push(seen);
    const outcome = check(value, run, base, text, seen);
    collector.marked.pop();
    collector.begun.pop();
    if (outcome !== INVALID) collector.dropFrom(size);
    return outcome;
  };
}

/** The check of `anyOf` or `oneOf`: its failure is that of the alternative that was meant, else its own. */
function choosing(
  check: Check,
  node: SchemaNode,
  keyword: string,
  collector: CauseCollector,
): Check {
  return (value, run, base, text, seen) => {
    const { size } = collector;
    const alternatives: typeof collector.alternatives[number] = [];
    collector.alternatives.push(alternatives);
    const outcome = check(value, run, base, text, seen);
    collector.alternatives.pop();
    collector.dropFrom(size);
    if (outcome !== INVALID) return outcome;
    const schemas = alternatives.map(({ schema }) => schema);
    const chosen = alternatives.some(({ valid }) => valid)
      ? undefined
      : chooseAlternative(node, schemas, value, run.scope);
    const found = chosen === undefined ? [] : alternatives[chosen]?.found ?? [];
    if (found.length > 0) collector.addFound(found);
    else collector.add(node, keyword);
    return outcome;
  };
}

/** The services that the keywords of one schema are compiled with. */
class CauseCompiler implements Compiler {
  readonly formatAnnotates: boolean;
  readonly #finder: CauseFinder;
  readonly #collector: CauseCollector;
  readonly #node: SchemaNode;
  readonly #definition: KeywordDefinition;

  constructor(
    finder: CauseFinder,
    collector: CauseCollector,
    node: SchemaNode,
    definition: KeywordDefinition,
  ) {
    this.formatAnnotates = finder.formatAnnotates;
    this.#finder = finder;
    this.#collector = collector;
    this.#node = node;
    this.#definition = definition;
  }

  subschema(schema: Subschema): Branch {
    const evaluate = this.#evaluate(schema);
    const collector = this.#collector;
    const { failure } = this.#definition;
    if (failure === undefined) return { evaluate, offset: 0 };
    if (failure !== "alternatives") {
      return {
        evaluate: (value, run, base, text, seen) => {
          const valid = evaluate(value, run, base, text, seen);
          // As following() says; what is valid is marked by the keyword itself.
          if (!valid && seen !== undefined) collector.marked.at(-1)?.merge(seen);
          return valid;
        },
        offset: 0,
      };
    }
    return {
      evaluate: (value, run, base, text, seen) => {
        const { size } = collector;
        const valid = evaluate(value, run, base, text, seen);
        collector.alternatives.at(-1)?.push({ schema, valid, found: collector.takeFrom(size) });
        return valid;
      },
      offset: 0,
    };
  }

  condition(schema: Subschema): Branch {
    const collector = this.#collector;
    const evaluate = this.#evaluate(schema);
    return {
      evaluate: (value, run, base, text, seen) => {
        const { size } = collector;
        const valid = evaluate(value, run, base, text, seen);
        collector.dropFrom(size);
        return valid;
      },
      offset: 0,
    };
  }

  part(schema: Subschema): Branch {
    return this.#below(schema, (place, key) => place.part(key));
  }

  name(schema: Subschema): Branch {
    return this.#below(schema, (place, key) => place.name(key));
  }

  counter(keyword: string): Count {
    const collector = this.#collector;
    const node = this.#node;
    const failure = keywordDefinitions.get(keyword)?.failure;
    return (_run, _base, valid) => {
      const begun = collector.begun.at(-1);
      if (valid || begun === undefined || failure === "none") return;
      if (failure === "schemas") {
        if (collector.size === begun.size) collector.add(node, keyword);
        return;
      }
      if (!begun.dropped) collector.dropFrom(begun.size);
      begun.dropped = true;
      collector.add(node, keyword);
    };
  }

  #below(
    schema: Subschema,
    below: (place: CausePlace, key: string | number) => CausePlace,
  ): Branch {
    const collector = this.#collector;
    const evaluate = this.#evaluate(schema);
    return {
      evaluate: (value, run, base, text, seen, key = "") => {
        const outer = collector.place;
        collector.place = below(outer, key);
        const valid = evaluate(value, run, base, text, seen);
        collector.place = outer;
        return valid;
      },
      offset: 0,
    };
  }

  /** A schema `false` has no keyword that fails: the one that holds it does. */
  #evaluate(schema: Subschema): Evaluate {
    if (schema === true) return () => true;
    if (schema !== false) {
      let evaluate: Evaluate | undefined;
      return (value, run, base, text, seen) =>
        (evaluate ??= this.#finder.evaluation(schema))(value, run, base, text, seen);
    }
    const isPassedOn = this.#definition.failure === "schemas";
    return () => {
      if (isPassedOn) this.#collector.add(this.#node, this.#definition.name);
      return false;
    };
  }
}
