import assert from "node:assert/strict";
import { compileBody } from "../../../src/http/body.ts";
import type { Shape } from "../../../src/http/shape.ts";
import { Redactor } from "../../../src/redact/redactor.ts";
import { writeXml } from "../../../src/suggest/write/write_xml.ts";
import { ARRAY, INTEGER, OBJECT, STRING } from "../../../src/values/json_type.ts";
import { NO_HINTS } from "../../http/make_shape.ts";
import type { Random } from "../../corpus/random.ts";
import { encode, type FuzzTarget } from "../fuzz_target.ts";
import { mutateBytes } from "../mutate_bytes.ts";

const NAMES = ["a", "b", "list", "p:a", "é", "password", "x-1"];
const TEXTS = ["", " ", "1", "null", "text", "&amp;", "&#65;", "<![CDATA[<]]>", "<!-- a -->", "\r"];
const FIELDS = ["", ' b="1"', ' xsi:nil="true"', ' xmlns:p="urn:p"'];
const PROLOGS = ["", '<?xml version="1.0"?>', '<?xml version="1.0" encoding="latin1"?>'];

function element(random: Random, depth: number): string {
  const name = random.pick(NAMES);
  let content = random.pick(TEXTS);
  for (let count = depth > 0 ? random.below(4) : 0; count > 0; count--) {
    content += element(random, depth - 1) + random.pick(TEXTS);
  }
  const end = random.oneIn(200) ? "" : `</${name}>`;
  return `<${name}${random.pick(FIELDS)}>${content}${end}`;
}

function makeShape(types: number, property: (name: string) => Shape, names: string[] = []): Shape {
  const shape: Shape = {
    types,
    propertyNames: new Set(names),
    patterns: [],
    open: true,
    describesUndeclared: false,
    tupleLength: 0,
    property,
    undeclared: () => any,
    item: () => names.length > 0 ? shape : any,
  };
  return shape;
}

const any: Shape = makeShape(0, () => any);
const PARTS: Readonly<Record<string, () => Shape>> = {
  a: () => makeShape(INTEGER, () => any),
  b: () => ({ ...makeShape(STRING, () => any), xml: { ...NO_HINTS, node: "attribute" } }),
  list: () => ({ ...tree, types: ARRAY, xml: { ...NO_HINTS, wrapped: true } }),
};
const tree: Shape = makeShape(OBJECT, (name) => PARTS[name]?.() ?? any, Object.keys(PARTS));

/** XML bodies, damaged or not: values can be written again, and masking secrets keeps them well-formed. */
export const xmlBodies: FuzzTarget = {
  name: "xml-bodies",
  make(random) {
    const bytes = encode(random.pick(PROLOGS) + element(random, 4));
    return random.oneIn(2) ? bytes : mutateBytes(bytes, random);
  },
  check(input) {
    for (const shape of [tree, any]) {
      const decode = compileBody({ shape, properties: {} });
      const decoded = decode(input, "application/xml; charset=utf-8");
      assert.notEqual(decoded, "unsupported");
      if (typeof decoded !== "object") continue;
      const written = writeXml(shape, decoded.value);
      const read = written === undefined ? decoded : decode(written, "text/xml");
      assert.deepEqual(typeof read === "object" && read.value, decoded.value);
      const masked = new Redactor().content(new TextDecoder().decode(input), "application/xml");
      assert.equal(typeof decode(masked, "text/xml"), "object", masked);
    }
  },
};
