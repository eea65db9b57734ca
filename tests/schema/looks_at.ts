import assert from "node:assert/strict";
import { DRAFT_2020_12 } from "../../src/schema/dialect.ts";
import { References } from "../../src/schema/references.ts";
import { Counters } from "../../src/schema/counters.ts";
import { SchemaGraph } from "../../src/schema/schema_node.ts";
import { SchemaProgram } from "../../src/schema/schema_unit.ts";
import type { Json } from "../../src/values/json.ts";

/** How often an evaluation looks into a value. */
export interface Looks {
  /** To evaluate the value and count keywords. */
  readonly counting: number;
  /** To find all causes of its failure. */
  readonly causes: number;
  /** To find out if there is a single cause. */
  readonly singleCause: number;
}

/** Counts the looks of one of several schemas (2020-12, under `/components/schemas`) into a value. */
export function looksAt(schemas: object, start: string, value: Json): Looks {
  const document = {
    uri: "https://example.org/schemas",
    label: "",
    value: { components: { schemas } },
  };
  const references = new References([document], {
    hasIdentifiers: true,
    ignoresRefSiblings: false,
  });
  const graph = new SchemaGraph(references, DRAFT_2020_12);
  const node = graph.nodeAt({
    value: (schemas as Record<string, unknown>)[start],
    document,
    pointer: `/components/schemas/${start}`,
  });
  assert.ok(typeof node === "object");
  let looks = 0;
  const watched = (part: Json): Json =>
    typeof part !== "object" || part === null ? part : new Proxy(
      Array.isArray(part)
        ? part.map(watched)
        : Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, watched(inner)])),
      {
        get(target, name, receiver) {
          looks++;
          return Reflect.get(target, name, receiver);
        },
        getOwnPropertyDescriptor(target, name) {
          looks++;
          return Reflect.getOwnPropertyDescriptor(target, name);
        },
      },
    );
  const watchedValue = watched(value);
  const count = (work: () => void): number => {
    looks = 0;
    work();
    return looks;
  };
  const program = new SchemaProgram(graph);
  const { causeFinder } = program;
  return {
    counting: count(() => program.evaluate(node, watchedValue, new Counters())),
    causes: count(() => causeFinder.causes(node, watchedValue)),
    singleCause: count(() => causeFinder.singleCause(node, watchedValue)),
  };
}
