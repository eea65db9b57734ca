import type { Branch, Compiler, Count, Evaluate, KeywordDefinition } from "../keywords/keyword.ts";
import { keywordDefinitions } from "../keywords/keyword_definitions.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import { pathsConverge } from "../converging_paths.ts";
import type { Rule } from "./cause.ts";
import { type CauseCollector, CausePlace } from "./cause_collector.ts";

/** The rules and evaluations of all schemas, for the compiler of one schema's keywords. */
export interface CauseProgram {
  readonly formatAnnotates: boolean;
  rule(node: SchemaNode, keyword: string): Rule;
  evaluation(node: SchemaNode): Evaluate;
}

/** The compiler that the keywords of a schema use in the search for causes. */
export class CauseCompiler implements Compiler {
  readonly formatAnnotates: boolean;
  readonly #program: CauseProgram;
  readonly #collector: CauseCollector;
  readonly #node: SchemaNode;
  readonly #definition: KeywordDefinition;

  constructor(
    program: CauseProgram,
    collector: CauseCollector,
    node: SchemaNode,
    definition: KeywordDefinition,
  ) {
    this.formatAnnotates = program.formatAnnotates;
    this.#program = program;
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
          // As in `following()`; for a valid subschema, the keyword itself merges the marks.
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
        const found = collector.takeFrom(size);
        collector.alternatives.at(-1)?.push({ schema, valid, seen, found });
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
        collector.tentative++;
        const valid = evaluate(value, run, base, text, seen);
        collector.tentative--;
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
    const rule = this.#program.rule(this.#node, keyword);
    const failure = keywordDefinitions.get(keyword)?.failure;
    return (_run, _base, valid) => {
      const begun = collector.begun.at(-1);
      if (valid || begun === undefined || failure === "none") return;
      if (failure === "schemas") {
        if (collector.size === begun.size) collector.add(rule);
        return;
      }
      if (!begun.dropped) collector.dropFrom(begun.size);
      begun.dropped = true;
      collector.add(rule);
    };
  }

  #below(
    schema: Subschema,
    below: (place: CausePlace, key: string | number) => CausePlace,
  ): Branch {
    const isDeclared = this.#definition.name === "properties";
    const collector = this.#collector;
    let evaluate: Evaluate | undefined;
    return {
      evaluate: (value, run, base, text, seen, key = "") => {
        evaluate ??= this.#compileSubschema(schema);
        const outer = collector.place;
        if (outer !== undefined) collector.place = below(outer, key);
        // As for references: paths may only converge below this part.
        else if (typeof schema === "object" && pathsConverge(schema)) {
          collector.place = new CausePlace();
        }
        collector.path.push(isDeclared || typeof key === "number" ? String(key) : "*");
        const valid = evaluate(value, run, base, text, seen);
        collector.path.pop();
        collector.place = outer;
        return valid;
      },
      offset: 0,
    };
  }

  #evaluate(schema: Subschema): Evaluate {
    let evaluate: Evaluate | undefined;
    return (value, run, base, text, seen) =>
      (evaluate ??= this.#compileSubschema(schema))(value, run, base, text, seen);
  }

  /** Compiles a subschema. `false` has no keyword that can fail: the keyword that holds it fails. */
  #compileSubschema(schema: Subschema): Evaluate {
    if (schema === true) return () => true;
    if (schema !== false) return this.#program.evaluation(schema);
    if (this.#definition.failure !== "schemas") return () => false;
    const rule = this.#program.rule(this.#node, this.#definition.name);
    return () => {
      this.#collector.add(rule);
      return false;
    };
  }
}
