import { joinPointer } from "../../values/json_pointer.ts";
import type { SchemaNode } from "../schema_node.ts";

/** A keyword that can make instances invalid by itself. */
export class Rule {
  /** The schema that holds the keyword. */
  readonly node: SchemaNode;
  /** Its name. */
  readonly keyword: string;
  #path: string | undefined;

  /** A keyword of a schema. */
  constructor(node: SchemaNode, keyword: string) {
    this.node = node.plain;
    this.keyword = keyword;
  }

  /** The pointer that users see. */
  get path(): string {
    return this.#path ??= this.node.pathOf(this.keyword);
  }
}

/** A keyword that makes an instance invalid by itself. */
export class Cause {
  /** The keyword. */
  readonly rule: Rule;
  readonly #steps: readonly string[];

  /** Takes the names and indexes on the way to the part that the keyword refuses. */
  constructor(rule: Rule, steps: readonly string[]) {
    this.rule = rule;
    this.#steps = steps;
  }

  /**
   * RFC 6901 pointer to the part of the instance that the keyword refuses. `*` stands for undeclared property names:
   * they may be personal data.
   */
  get instance(): string {
    return joinPointer(this.#steps);
  }
}

/** Causes that were found together: a schema that refuses one place names them once, however many ways lead there. */
export interface CauseGroup {
  readonly items: readonly Found[];
}

/** A cause, or several. */
export type Found = Cause | CauseGroup;
