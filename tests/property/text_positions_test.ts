// Tests that satisfiability agrees with decoded text: a keyword that can't fail never does.
import assert from "node:assert/strict";
import fc from "fast-check";
import { CoverageMap, type HttpRequest } from "../../mod.ts";
import { type DefinedSchema, draftSchemas } from "./schema_arbitrary.ts";
import { assertPossibleCounts } from "../corpus/impossible_counts.ts";
import { shopApi } from "../shop_api.ts";

const PLACE = "/components/schemas";

/** Pieces of text that a style may split further. */
const texts = fc.array(
  fc.constantFrom(
    ...["1", "-2", "1.5", "a", "ab", "b", "true", "null", "", "é", ",", "|", "=", ";", ".", "%20"],
    ...["%2C", "+", "[1]", '{"a":1}'],
  ),
  { maxLength: 4, size: "max" },
).map((pieces) => pieces.join(""));

const keys = fc.constantFrom(
  ...["p", "p", "p[]", "p[a]", "p[b]", "p[0]", "p[a][]", "p[a][b]", "a", "b", "q", ""],
);
const pairs = fc.array(fc.tuple(keys, texts), { minLength: 1, maxLength: 4, size: "max" });

function formText(list: readonly (readonly [string, string])[]): string {
  return list.map(([key, text]) => `${key}=${text.replaceAll(/[&#=\s]/g, encodeURIComponent)}`)
    .join("&");
}

/** A parameter in one notation, and the request with a text or pairs in this notation. */
interface Way {
  readonly parameter: object | undefined;
  readonly body?: string;
  readonly encoding?: object | undefined;
  readonly request: (
    text: string,
    list: readonly (readonly [string, string])[],
  ) => Omit<HttpRequest, "method">;
}

function inQuery(style: string, explode: boolean): Way {
  return {
    parameter: { name: "p", in: "query", style, explode },
    request: (_, list) => ({ url: `/x/1?${formText(list)}` }),
  };
}

function inPath(style: string, explode: boolean): Way {
  return {
    parameter: { name: "id", in: "path", required: true, style, explode },
    request: (text) => ({ url: `/x/${text.replaceAll(/[/?#\\]|^\.*$/g, "x") || "x"}` }),
  };
}

/** Header fields of a part. */
const PART_TYPES = ["", "\r\nContent-Type: application/json", '; filename="f"'];

function asBody(mediaType: string, encoding: object | undefined): Way {
  return {
    parameter: undefined,
    body: mediaType,
    request: (text, list) => {
      if (mediaType === "text/plain") return { url: "/x/1", body: text };
      if (mediaType.startsWith("multipart")) {
        const parts = list.map(([key, value], index) => {
          const type = PART_TYPES[(index + value.length) % PART_TYPES.length] ?? "";
          return `--b\r\nContent-Disposition: form-data; name="${key}"${type}\r\n\r\n${value}\r\n`;
        });
        const headers = { "Content-Type": `${mediaType}; boundary=b` };
        return { url: "/x/1", headers, body: `${parts.join("")}--b--\r\n` };
      }
      return { url: "/x/1", headers: { "Content-Type": mediaType }, body: formText(list) };
    },
    encoding,
  };
}

const ways = fc.oneof(
  fc.tuple(fc.constantFrom("form", "spaceDelimited", "pipeDelimited", "deepObject"), fc.boolean())
    .map(([style, explode]) => inQuery(style, explode)),
  fc.tuple(fc.constantFrom("simple", "label", "matrix"), fc.boolean())
    .map(([style, explode]) => inPath(style, explode)),
  fc.boolean().map((explode): Way => ({
    parameter: { name: "p", in: "header", explode },
    request: (text) => ({ url: "/x/1", headers: { P: text } }),
  })),
  fc.boolean().map((explode): Way => ({
    parameter: { name: "p", in: "cookie", explode },
    request: (text) => ({ url: "/x/1", headers: { Cookie: `p=${text}` } }),
  })),
  fc.tuple(
    fc.constantFrom("application/x-www-form-urlencoded", "multipart/form-data", "text/plain"),
    fc.constantFrom<object | undefined>(
      undefined,
      { p: { style: "deepObject" }, a: { contentType: "application/json" } },
      { p: { explode: true }, a: { style: "pipeDelimited" } },
      { q: { style: "form" }, p: { contentType: "application/json" } },
    ),
  ).map(([mediaType, encoding]) => asBody(mediaType, encoding)),
);

function newMap(way: Way, { schema, definitions }: DefinedSchema, dialect?: string): CoverageMap {
  const operation = way.body === undefined
    ? { parameters: [{ ...way.parameter, schema }], responses: {} }
    : {
      requestBody: { content: { [way.body]: { schema, encoding: way.encoding } } },
      responses: {},
    };
  return CoverageMap.fromDict(
    shopApi({ "/x/{id}": { post: operation } }, {
      ...dialect !== undefined && { jsonSchemaDialect: dialect },
      components: { schemas: definitions },
    }),
  );
}

/** Schemas as frameworks write them for optional parameters. */
function optional(schemas: fc.Arbitrary<DefinedSchema>): fc.Arbitrary<DefinedSchema> {
  const keyword = fc.constantFrom("anyOf", "oneOf");
  return fc.tuple(keyword, schemas).map(([name, { schema, definitions }]) => ({
    schema: { [name]: [schema, { type: "null" }] },
    definitions,
  }));
}

/** Schemas of several drafts: with all keywords, and with names that several schemas describe. */
const schemas = fc.oneof(
  ...([
    ["2020-12", "https://json-schema.org/draft/2020-12/schema"],
    ["2019-09", "https://json-schema.org/draft/2019-09/schema"],
    ["draft-07", "http://json-schema.org/draft-07/schema#"],
  ] as const).map(([draft, dialect]) =>
    fc.oneof(
      draftSchemas(draft, PLACE),
      draftSchemas(draft, PLACE, ["not", "if", "enum", "const", "minItems", "maxItems"]),
      optional(draftSchemas(draft, PLACE)),
    ).map((defined) => ({ defined, dialect }))
  ),
);

Deno.test("no text gives a keyword an outcome that is impossible for text", () => {
  let [positive, negative, counted] = [0, 0, 0];
  fc.assert(
    fc.property(
      ways,
      schemas,
      fc.array(fc.tuple(texts, pairs), { minLength: 4, maxLength: 8 }),
      (way, { defined, dialect }, sent) => {
        const map = newMap(way, defined, dialect);
        for (const [text, list] of sent) map.record({ method: "POST", ...way.request(text, list) });
        assert.equal(map.unmatched().length, 0);
        const report = map.report();
        assertPossibleCounts(report);
        const parameters = report.operations[0]?.parameters ?? [];
        for (const { keywords, keyword_total } of parameters) {
          const normal = keywords.filter(({ satisfiability }) => satisfiability === "Normal");
          if (keywords.length > 0) assert.equal(keyword_total, normal.length);
          for (const { satisfiability, valid, invalid } of keywords) {
            counted += valid + invalid;
            if (satisfiability === "Positive") positive += valid;
            if (satisfiability === "Negative") negative += invalid;
          }
        }
      },
    ),
    { numRuns: 800 },
  );
  const seen = `${counted} counted, ${positive} Positive, ${negative} Negative`;
  assert.ok(counted > 5_000 && positive > 200 && negative > 100, seen);
});
