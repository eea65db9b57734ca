import type { Branch, Compiler, Count, Evaluate, KeywordDefinition } from "../keywords/keyword.ts";
import { keywordDefinitions } from "../keywords/keyword_definitions.ts";
import type { SchemaNode, Subschema } from "../schema_node.ts";
import { pathsConverge } from "../converging_paths.ts";
import type { Rule } from "./cause.ts";
import { type CauseCollector, CausePlace } from "./cause_collector.ts";

export interface CauseProgram {
  rule(node: SchemaNode, keyword: string): Rule;
  evaluation(node: SchemaNode): Evaluate;
}

export class CauseCompiler implements Compiler {
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
    this.#program = program;
    this.#collector = collector;
    this.#node = node;
    this.#definition = definition;
  }

  subschema(schema: Subschema): Branch {
    const evaluate = this.#evaluate(schema);
    const collector = this.#collector;
    const { failure } = this.#definition;
    if (failure === undefined) return toBranch(evaluate);
    if (failure !== "alternatives") {
      return toBranch((value, run, base, text, evaluated) => {
        const valid = evaluate(value, run, base, text, evaluated);
        // As in `referenceCheck()`; for a valid subschema, the keyword itself merges the marks.
        if (!valid && evaluated !== undefined) collector.evaluatedParts.at(-1)?.merge(evaluated);
        return valid;
      });
    }
    return toBranch((value, run, base, text, evaluated) => {
      const { size } = collector;
      const valid = evaluate(value, run, base, text, evaluated);
      const causes = collector.removeFrom(size);
      collector.alternatives.at(-1)?.push({ schema, valid, evaluated, causes });
      return valid;
    });
  }

  condition(schema: Subschema): Branch {
    const collector = this.#collector;
    const evaluate = this.#evaluate(schema);
    return toBranch((value, run, base, text, evaluated) => {
      const { size } = collector;
      collector.tentativeLevels++;
      const valid = evaluate(value, run, base, text, evaluated);
      collector.tentativeLevels--;
      collector.dropFrom(size);
      return valid;
    });
  }

  part(schema: Subschema): Branch {
    return this.#partBranch(schema, "part");
  }

  name(schema: Subschema): Branch {
    return this.#partBranch(schema, "name");
  }

  counter(keyword: string): Count {
    const collector = this.#collector;
    const rule = this.#program.rule(this.#node, keyword);
    const failure = keywordDefinitions.get(keyword)?.failure;
    return (_run, _base, valid) => {
      const check = collector.openChecks.at(-1);
      if (valid || check === undefined || failure === "none") return;
      if (failure === "schemas") {
        if (collector.size === check.size) collector.add(rule);
        return;
      }
      if (!check.dropped) collector.dropFrom(check.size);
      check.dropped = true;
      collector.add(rule);
    };
  }

  #partBranch(schema: Subschema, kind: "part" | "name"): Branch {
    const isDeclared = this.#definition.name === "properties";
    const collector = this.#collector;
    let evaluate: Evaluate | undefined;
    return toBranch((value, run, base, text, evaluated, key = "") => {
      evaluate ??= this.#compileSubschema(schema);
      const outer = collector.place;
      if (outer !== undefined) collector.place = outer[kind](key);
      // As for references: paths may only converge below this part.
      else if (typeof schema === "object" && pathsConverge(schema)) {
        collector.place = new CausePlace();
      }
      collector.path.push(isDeclared || typeof key === "number" ? String(key) : "*");
      const valid = evaluate(value, run, base, text, evaluated);
      collector.path.pop();
      collector.place = outer;
      return valid;
    });
  }

  #evaluate(schema: Subschema): Evaluate {
    let evaluate: Evaluate | undefined;
    return (value, run, base, text, evaluated) =>
      (evaluate ??= this.#compileSubschema(schema))(value, run, base, text, evaluated);
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

/** Returns a branch without an offset: nothing is counted in the search for causes. */
function toBranch(evaluate: Evaluate): Branch {
  return { evaluate, offset: 0 };
}
