import assert from "node:assert/strict";
import { CoverageMap } from "../../../mod.ts";
import type { Keyword, Model } from "../../../src/report/html/app/model/model.ts";
import {
  branchLabel,
  type SchemaBranch,
  schemaTree,
} from "../../../src/report/html/app/model/schema_tree.ts";
import { sampleReport } from "../../browser/sample_report.ts";
import { pageModel } from "../page_model.ts";
import { shopApi } from "../../shop_api.ts";

function makeModel(map: CoverageMap): Model {
  const report = map.report();
  return pageModel(report, map.descriptionView(report));
}

function branchKeywords({ keywords, children }: SchemaBranch): Keyword[] {
  return [...keywords, ...children.flatMap(branchKeywords)];
}

function outline(branch: SchemaBranch): string {
  const { step, component, repeated, chosen, keywords, children } = branch;
  const label = branchLabel(step);
  const names = keywords.map(({ keyword }) => keyword).join(" ");
  const below = children.map(outline).join(" ");
  return `${label}${component && `:${component}`}${repeated ? "^" : ""}${
    chosen === null ? "" : `=${chosen}`
  }(${names}${below && ` ${below}`})`;
}

function drawTree(body: unknown, schemas: Record<string, unknown>, sent: unknown): string {
  const map = CoverageMap.fromDict(shopApi({
    "/things": {
      post: { requestBody: { content: { "application/json": { schema: body } } }, responses: {} },
    },
  }, { components: { schemas } }));
  const headers = { "content-type": "application/json" };
  map.record({ method: "POST", url: "/things", headers, body: JSON.stringify(sent) });
  const model = makeModel(map);
  const [parameter] = model.operations[0]?.parameters ?? [];
  assert.ok(parameter);
  const trees = schemaTree(model, parameter);
  const shown = trees.flatMap(branchKeywords).map(({ row }) => row).sort((a, b) => a - b);
  assert.deepEqual(shown, shown.map((_, index) => index), "each keyword stands in the tree once");
  assert.equal(shown.length, map.report().operations[0]?.parameters[0]?.keywords.length);
  return trees.map(outline).join(" ");
}

Deno.test("schemaTree() nests schemas, and follows references in place", () => {
  const owner = { $ref: "#/components/schemas/Person" };
  assert.equal(
    drawTree(
      { type: "object", properties: { owner, tags: { type: "array", items: { maxLength: 3 } } } },
      { Person: { type: "object", properties: { name: { minLength: 1 } } } },
      {},
    ),
    "body(type properties owner:Person(type properties name(minLength)) tags(type items [](maxLength)))",
  );
});

Deno.test("schemaTree() shows a repeated or recursive component once", () => {
  const node = { $ref: "#/components/schemas/Node" };
  assert.equal(
    drawTree(node, { Node: { type: "object", properties: { left: node, right: node } } }, {}),
    "body:Node(type properties left:Node^() right:Node^())",
  );
});

Deno.test("schemaTree() keeps keywords beside a reference together with its target", () =>
  assert.equal(
    drawTree(
      { $ref: "#/components/schemas/Base", minProperties: 1, allOf: [{ maxProperties: 4 }] },
      { Base: { required: ["id"] } },
      {},
    ),
    "body:Base(minProperties allOf required allOf[0](maxProperties))",
  ));

Deno.test("schemaTree() has every keyword even if the report doesn't say how schemas are connected", () => {
  const model = pageModel(sampleReport("shop"));
  for (const { parameters } of model.operations) {
    for (const parameter of parameters) {
      const trees = schemaTree(model, parameter);
      const rows = trees.flatMap(branchKeywords).map(({ row }) => row);
      assert.equal(new Set(rows).size, rows.length);
      assert.equal(rows.length, parameter.keywords.length);
    }
  }
});

Deno.test("schemaTree() writes steps between schemas like the names of places", () => {
  const map = CoverageMap.fromDict(shopApi({
    "/things": {
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: { properties: { "user/name": { anyOf: [{ items: { maxLength: 3 } }] } } },
            },
          },
        },
        responses: {},
      },
    },
  }));
  const headers = { "content-type": "application/json" };
  map.record({ method: "POST", url: "/things", headers, body: "{}" });
  const model = makeModel(map);
  const [parameter] = model.operations[0]?.parameters ?? [];
  assert.ok(parameter);
  const steps = (branch: SchemaBranch): string[] => [
    branch.step,
    ...branch.children.flatMap(steps),
  ];
  const trees = schemaTree(model, parameter);
  assert.deepEqual(trees.flatMap(steps), [" body", ".user/name", " anyOf[0]", "[]"]);
});

Deno.test("branchLabel() writes one step", () => {
  const labels = [".user/name", "[]", "./^x-/", " anyOf[0]", ".*"].map(branchLabel);
  assert.deepEqual(labels, ["user/name", "[]", "/^x-/", "anyOf[0]", "*"]);
});

Deno.test("schemaTree() shows how often a discriminator selected an alternative", () => {
  const alternative = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  assert.equal(
    drawTree(
      { oneOf: [alternative("Cat"), alternative("Dog")], discriminator: { propertyName: "kind" } },
      { Cat: { type: "object" }, Dog: { type: "object" } },
      { kind: "Cat" },
    ),
    "body(oneOf oneOf[0]:Cat=1(type) oneOf[1]:Dog=0(type))",
  );
});
