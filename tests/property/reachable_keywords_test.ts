// Tests with all values of small schemas that every Normal keyword can be reached.
import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap, type HttpRequest } from "../../mod.ts";
import { shopApi } from "../shop_api.ts";

type Schema = Readonly<Record<string, unknown>>;
type Request = Omit<HttpRequest, "method">;

const TYPES = ["string", "integer", "boolean", "object", "array"];
const NAMES = ["a", "b"];
const ENUM = ["x", 1, true];

const types = fc.oneof(
  fc.constant<Schema>({}),
  fc.constantFrom(...TYPES).map((type) => ({ type })),
  fc.subarray(TYPES, { minLength: 2, maxLength: 2 }).map((type) => ({ type })),
);

/** Schemas up to a depth; `properties` and `items` may be anywhere, even where no value has any. */
function nestedSchemas(depth: number): fc.Arbitrary<Schema> {
  const own = fc.tuple(types, fc.constantFrom<Schema>({}, {}, { enum: ENUM }))
    .map(([type, values]) => ({ ...type, ...values }));
  if (depth === 0) return own;
  const below = nestedSchemas(depth - 1);
  const members = fc.oneof(
    fc.constant<Schema>({}),
    fc.dictionary(fc.constantFrom(...NAMES), below, { minKeys: 1, maxKeys: 2 })
      .map((properties) => ({ properties })),
    below.map((items) => ({ items })),
  );
  return fc.oneof(
    fc.tuple(own, members, members).map((parts) => Object.assign({}, ...parts)),
    fc.tuple(own, fc.array(below, { minLength: 1, maxLength: 2 })).map(([schema, anyOf]) => ({
      ...schema,
      anyOf,
    })),
  );
}

function nestedValues(depth: number): unknown[] {
  if (depth === 0) return [1];
  const below = nestedValues(depth - 1);
  return [1, ...below.map((value) => ({ a: value, b: value })), ...below.map((value) => [value])];
}

const TEXTS = [
  ...["1", "x", "1,2", "a,1", "b,1", "a=1", "b=1", "1.x", "1|2", "a|1", "b|1", "1 2", "a 1", "b 1"],
];
const JSON_TEXTS = nestedValues(3).map((value) => JSON.stringify(value));

function bracketPaths(depth: number): string[] {
  if (depth === 0) return [""];
  const below = bracketPaths(depth - 1);
  return ["", ...["", ...NAMES].flatMap((name) => below.map((path) => `[${name}]${path}`))];
}

/** Every name that a pair can have, as far as schemas distinguish names. */
const KEYS = [
  ...NAMES,
  ...["p", ...NAMES].flatMap((root) => bracketPaths(3).map((path) => root + path)),
];
const PAIRS = KEYS.flatMap((key) => TEXTS.slice(0, 2).map((text) => [key, text] as const))
  .concat(["p", ...NAMES].flatMap((key) => TEXTS.map((text) => [key, text] as const)))
  .map(([key, text]) => `${key}=${encodeURIComponent(text).replaceAll("%2C", ",")}`);
const JSON_PAIRS = ["p", ...NAMES].flatMap((key) =>
  JSON_TEXTS.map((text) => `${key}=${encodeURIComponent(text)}`)
);

function part(pair: string): string {
  const [name = "", value = ""] = pair.split("=");
  const isJson = /^[[{]/.test(decodeURIComponent(value));
  const type = isJson ? "\r\nContent-Type: application/json" : "";
  return `--b\r\nContent-Disposition: form-data; name="${name}"${type}\r\n\r\n` +
    `${decodeURIComponent(value)}\r\n`;
}

/** Ways to send a value, each with every request of this kind. */
const WAYS: readonly (readonly [parameter: Schema, requests: readonly Request[]])[] = [
  ...["form", "spaceDelimited", "pipeDelimited", "deepObject"].flatMap((style) =>
    [true, false].map((explode) =>
      [
        { name: "p", in: "query", style, explode },
        PAIRS.flatMap((pair) => [pair, `${pair}&${pair}`])
          .map((query) => ({ url: `/x/1?${query}` })),
      ] as const
    )
  ),
  ...["simple", "label", "matrix"].flatMap((style) =>
    [true, false].map((explode) =>
      [
        { name: "id", in: "path", required: true, style, explode },
        TEXTS.flatMap((text) => {
          const [own, plain] = [`;id=${text}`, `;${text}`];
          return [text, `.${text}`, own, own + own, plain, plain + plain];
        }).map((text) => ({ url: `/x/${text}` })),
      ] as const
    )
  ),
  ...["application/x-www-form-urlencoded", "multipart/form-data"].map((mediaType) =>
    [
      { mediaType },
      [...PAIRS, ...JSON_PAIRS].flatMap((pair) => [[pair], [pair, pair]]).map((pairs) => {
        const isForm = mediaType.startsWith("application");
        const type = isForm ? mediaType : `${mediaType}; boundary=b`;
        const body = isForm ? pairs.join("&") : `${pairs.map(part).join("")}--b--\r\n`;
        return { url: "/x/1", headers: { "Content-Type": type }, body };
      }),
    ] as const
  ),
];

Deno.test("every Normal type and enum in text can be reached, and no Positive one fails", () => {
  let [normal, reached, unreached] = [0, 0, 0];
  fc.assert(
    fc.property(fc.constantFrom(...WAYS), nestedSchemas(2), ([parameter, requests], schema) => {
      const { mediaType } = parameter;
      const operation = typeof mediaType === "string"
        ? { requestBody: { content: { [mediaType]: { schema } } } }
        : { parameters: [{ ...parameter, schema }] };
      const map = CoverageMap.fromDict(shopApi({ "/x/{id}": { post: operation } }));
      for (const request of requests) map.record({ method: "POST", ...request });
      for (const { keywords } of map.report().operations[0]?.parameters ?? []) {
        for (const { keyword, schema_path, satisfiability, valid, invalid } of keywords) {
          if (satisfiability === "Positive") assert.equal(invalid, 0, schema_path);
          if (satisfiability === "Negative") assert.equal(valid, 0, schema_path);
          if (valid + invalid > 0) reached++;
          if (keyword !== "type" && keyword !== "enum") continue;
          if (satisfiability === "Normal") {
            normal++;
            assert.ok(valid + invalid > 0, `${schema_path} is Normal, and nothing reaches it`);
          } else if (valid + invalid === 0) unreached++;
        }
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(normal > 300 && reached > 500 && unreached > 100, `${normal} ${reached} ${unreached}`);
});
