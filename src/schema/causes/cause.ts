import type { SchemaNode } from "../schema_node.ts";

/** A keyword that makes an instance invalid by itself. */
export interface Cause {
  /** The schema that holds the keyword. */
  readonly node: SchemaNode;
  /** Its name. */
  readonly keyword: string;
  /**
   * RFC 6901 pointer to the part of the instance that it refuses. `*` stands for names of undeclared properties: they
   * may be personal data.
   */
  readonly instance: string;
}

/** Causes that were found together: a schema that refuses one place names them once, however many ways lead there. */
export interface CauseGroup {
  readonly items: readonly Found[];
}

/** A cause, or several. */
export type Found = Cause | CauseGroup;
