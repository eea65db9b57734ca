import assert from "node:assert/strict";
import { CoverageMap } from "../../../mod.ts";
import { inFolder } from "../../in_folder.ts";
import { regionPath } from "../../../src/report/build/build_annotated_source.ts";
import type { AnnotatedSource } from "../../../src/report/html/page_data.ts";

function annotate(files: Readonly<Record<string, string>>): Promise<AnnotatedSource | undefined> {
  return inFolder(files, async (folder) => {
    const map = await CoverageMap.fromPath(`${folder}/${Object.keys(files)[0]}`);
    return map.descriptionView(map.report()).source;
  });
}

/** The line of text at a position. */
function lineAt(source: AnnotatedSource, path: string): string | undefined {
  const position = source.positions.get(path);
  const region = source.regions.find(({ file, line, text }) =>
    position !== undefined && file === position.file && line <= position.line &&
    position.line < line + text.split("\n").length
  );
  return region?.text.split("\n")[(position?.line ?? 0) - region.line]?.trim();
}

const HEAD = `openapi: 3.0.3
info: { title: A, version: "1" }
`;

Deno.test("only operations and the components that they reach are shown", async () => {
  const source = await annotate({
    "api.yaml": `${HEAD}paths:
  /a:
    parameters:
      - { name: x, in: query, schema: { type: integer } }
    post:
      requestBody:
        content:
          application/json:
            schema: { $ref: "#/components/schemas/Sent" }
      responses: { "200": { $ref: "#/components/responses/Fine" } }
components:
  responses:
    Fine: { description: Fine }
  schemas:
    Sent:
      type: object
      maxProperties: 3
    Returned:
      type: object
`,
  });
  assert.deepEqual(source?.regions.map(({ name, line }) => [name, line]), [
    ["0", 6],
    ["post", 7],
    ["Sent", 17],
  ]);
  assert.ok(source);
  assert.equal(lineAt(source, "/components/schemas/Sent/maxProperties"), "maxProperties: 3");
  assert.equal(lineAt(source, "/paths/~1a/post"), "post:");
  assert.match(lineAt(source, "/paths/~1a/post/responses/200") ?? "", /^responses/);
  // Nothing was sent, so what is missing is listed by parameter.
  assert.deepEqual(source.operations[0]?.missed, [
    ["/paths/~1a/parameters/0/schema/type"],
    ["/components/schemas/Sent/type", "/components/schemas/Sent/maxProperties"],
  ]);
});

Deno.test("a file that is a schema is shown from its first line", async () => {
  const source = await annotate({
    "api.yaml": `${HEAD}paths:
  /a:
    post:
      requestBody: { content: { application/json: { schema: { $ref: user.yaml } } } }
      responses: {}
`,
    "user.yaml": "# A user.\ntype: object\nproperties:\n  name: { type: string, maxLength: 4 }\n",
  });
  const user = source?.regions.find(({ file }) => source.files[file]?.path.endsWith("user.yaml"));
  assert.match(user?.text ?? "", /^# A user\.\ntype: object/);
});

Deno.test("the target of a YAML alias is shown where it is defined", async () => {
  const source = await annotate({
    "api.yaml": `${HEAD}x-shared:
  - a: 1
  - &limit
    type: integer
    maximum: 9
  - b: 1
paths:
  /a:
    get:
      parameters:
        - { name: limit, in: query, schema: *limit }
      responses: {}
`,
  });
  assert.ok(source);
  assert.equal(lineAt(source, "/paths/~1a/get/parameters/0/schema/maximum"), "maximum: 9");
});

Deno.test("single-line JSON and objects are formatted, which the source says", async () => {
  const description = {
    openapi: "3.1.0",
    info: { title: "A".repeat(3000), version: "1" },
    paths: {
      "/a": {
        get: {
          parameters: [{ name: "x", in: "query", schema: { type: "integer", maximum: 5 } }],
          responses: {},
        },
      },
    },
  };
  const written = await annotate({ "api.json": JSON.stringify(description) });
  const map = CoverageMap.fromDict(description);
  const given = map.descriptionView(map.report()).source;
  for (const source of [written, given]) {
    assert.equal(source?.files[0]?.reformatted, true);
    assert.ok(source);
    assert.equal(lineAt(source, "/paths/~1a/get/parameters/0/schema/maximum"), '"maximum": 5');
  }
  const indented = await annotate({ "api.json": JSON.stringify(description, null, 1) });
  assert.equal(indented?.files[0]?.reformatted, false, "one long line is no reason");
});

Deno.test("a description that is too large for the page is left out", async () => {
  const filler = "# filler filler filler filler filler filler filler filler filler\n".repeat(
    260_000,
  );
  const source = await annotate({ "api.yaml": `${HEAD}paths: {}\n${filler}` });
  assert.equal(source, undefined);
});

Deno.test("regionPath() finds the operation, component, table entry or file around a place", () => {
  const operations = new Set(["/paths/~1a/get", "ops.yaml#/list"]);
  const cases: Readonly<Record<string, string>> = {
    "/paths/~1a/get/parameters/0/schema/type": "/paths/~1a/get",
    "/paths/~1a/parameters/0/schema/type": "/paths/~1a/parameters/0",
    "/components/schemas/A/type": "/components/schemas/A",
    "/definitions/A/properties/b/type": "/definitions/A",
    "ops.yaml#/list/responses/200": "ops.yaml#/list",
    "schemas.yaml#/User/type": "schemas.yaml#/User",
    "user.yaml#/type": "user.yaml#",
    "user.yaml#/properties/a/type": "user.yaml#",
    "other.yaml#/components/schemas/A/type": "other.yaml#/components/schemas/A",
    "/x-shared/limit/maximum": "/x-shared",
  };
  for (const [path, region] of Object.entries(cases)) {
    assert.equal(regionPath(path, operations), region);
  }
});
