import { joinPointer } from "../../values/json_pointer.ts";
import type { SchemaNode } from "../schema_node.ts";

/** A keyword that can make instances invalid by itself. */
export class Rule {
  readonly node: SchemaNode;
  readonly keyword: string;
  #path: string | undefined;

  constructor(node: SchemaNode, keyword: string) {
    this.node = node.plain;
    this.keyword = keyword;
  }

  get path(): string {
    return this.#path ??= this.node.schemaPath(this.keyword);
  }
}

/** A keyword that makes an instance invalid by itself. */
export class Cause {
  readonly rule: Rule;
  readonly #steps: readonly string[];

  constructor(rule: Rule, steps: readonly string[]) {
    this.rule = rule;
    this.#steps = steps;
  }

  /** RFC 6901 pointer to the invalid part; `*` stands for undeclared names, which may be personal data. */
  get instance(): string {
    return joinPointer(this.#steps);
  }
}

/** Causes that were found together, by one schema at one place; shared by all paths that lead there. */
export interface CauseGroup {
  readonly items: readonly CauseOrGroup[];
}

export type CauseOrGroup = Cause | CauseGroup;
