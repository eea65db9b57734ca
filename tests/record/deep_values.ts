/**
 * Records deep values of several shapes and prints what was counted. A program of its own: the size of the stack can
 * only be set when a program starts.
 *
 * @module
 */
import { CoverageMap, type HttpRequest } from "../../mod.ts";
import type { Raw } from "../corpus/raw_description.ts";
import { shopApi } from "../shop_api.ts";

const NODE = { $ref: "#/components/schemas/Node" };

/** A schema that refers to itself, and the text of one level of a value, with `*` for the next. */
interface Shape {
  readonly node: Raw;
  readonly level: string;
}

/** Ways in which schemas refer to themselves. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  property: {
    node: { type: "object", required: [], properties: { next: NODE } },
    level: '{"next":*}',
  },
  items: { node: { type: ["array", "object"], items: NODE }, level: "[*]" },
  "many keywords": {
    node: {
      type: "object",
      minProperties: 0,
      maxProperties: 9,
      properties: { next: NODE },
      additionalProperties: false,
    },
    level: '{"next":*}',
  },
  "list of children": {
    node: {
      type: "object",
      properties: { next: { type: "array", items: NODE } },
      propertyNames: { maxLength: 8 },
    },
    level: '{"next":[*]}',
  },
  alternatives: {
    node: { type: "object", properties: { next: { oneOf: [NODE, { type: "string" }] } } },
    level: '{"next":*}',
  },
  unevaluated: {
    node: { type: "object", allOf: [{ properties: { next: NODE } }], unevaluatedProperties: false },
    level: '{"next":*}',
  },
  "schema that applies twice": {
    node: {
      type: "object",
      properties: { next: { allOf: [NODE, { anyOf: [NODE, { type: "string" }] }] } },
    },
    level: '{"next":*}',
  },
  dynamic: {
    node: {
      $id: "https://example.com/node",
      $dynamicAnchor: "node",
      type: "object",
      properties: { next: { type: "array", items: { $dynamicRef: "#node" } } },
      propertyNames: { maxLength: 8 },
    },
    level: '{"next":[*]}',
  },
  nested: {
    node: {
      type: "object",
      properties: {
        next: { type: "object", oneOf: [{ properties: { next: { anyOf: [NODE] } } }] },
      },
    },
    level: '{"next":{"next":*}}',
  },
};

/** A description whose only operation takes a body with this schema. */
export function describe(node: Raw): Raw {
  return shopApi({
    "/deep": {
      post: {
        requestBody: { content: { "application/json": { schema: NODE } } },
        responses: { 200: { description: "OK" } },
      },
    },
  }, { components: { schemas: { Node: node } } });
}

/** A request with a value of this many levels. */
export function deepValue(level: string, depth: number, last: string): HttpRequest {
  let body = last;
  for (let count = 0; count < depth; count++) body = level.replace("*", body);
  return { method: "POST", url: "/deep", headers: { "content-type": "application/json" }, body };
}

function countHits({ node, level }: Shape): readonly (readonly number[])[] {
  const map = CoverageMap.fromDict(describe(node));
  for (let round = 0; round < 100; round++) {
    map.record(deepValue(level, 395, "{}"), { status_code: 200 });
  }
  const [parameter] = map.report().operations[0]?.parameters ?? [];
  return parameter?.keywords.map(({ valid, invalid }) => [valid, invalid]) ?? [];
}

if (import.meta.main) {
  for (const [name, shape] of Object.entries(SHAPES)) {
    // deno-lint-ignore no-console -- what the test reads
    console.log(name, JSON.stringify(countHits(shape)));
  }
}
