import assert from "node:assert/strict";
import { CoverageMap, type Finding } from "../../mod.ts";
import { readYaml } from "../../src/openapi/read_yaml.ts";
import { inFolder } from "../in_folder.ts";
import { shopApi } from "../shop_api.ts";

type Interaction = readonly [
  request: string,
  status: number,
  type?: string | undefined,
  sent?: string,
];

/** Records requests such as `POST /path`, each with the media types of the response and the request. */
function record(map: CoverageMap, interactions: readonly Interaction[]): void {
  for (const [request, status_code, type, sent] of interactions) {
    const [method = "", path = ""] = request.split(" ");
    map.record(
      {
        method,
        url: `http://localhost${path}`,
        headers: sent === undefined ? {} : { "Content-Type": sent },
        ...(sent !== undefined && { body: "a,b" }),
      },
      {
        status_code,
        ...(type !== undefined && {
          headers: type === "" ? { "X-A": "1" } : { "Content-Type": type },
          body: "text",
        }),
      },
    );
  }
}

function undocumented(findings: readonly Finding[]): string[] {
  return findings.map(({ kind }) => kind).filter((kind) => kind.startsWith("undocumented"));
}

function otherNames(map: CoverageMap): string[] {
  return map.report().operations.flatMap(({ undocumented_parameters = [] }) =>
    undocumented_parameters.map(({ parameter }) => parameter)
  );
}

const TRAFFIC: readonly Interaction[] = [
  ["GET /it's", 503, "application/problem+json"],
  ["GET /it's", 503, "text/html"],
  ["GET /it's", 418],
  ["GET /it's", 429, ""],
  ["GET /it's", 200, "text/csv"],
  ["GET /it's", 200, "text/csv"],
  ["GET /it's", 404, "text/plain"],
  ["GET /it's", 202, "image/png"],
  ["POST /it's", 201, "text/csv", "text/csv"],
  ["PUT /it's?known=1&sort=up&deep[a]=1&deep[]=2&_=3&x%20y=4", 200, undefined, "text/csv"],
  ["PUT /other?down=1", 200],
];

const DESCRIPTIONS: Readonly<Record<string, object>> = {
  "OpenAPI 3.1": shopApi({
    "/it's": {
      get: {
        responses: {
          200: { description: "OK", content: { "application/json": {} } },
          "2XX": { description: "Others" },
          404: { $ref: "#/components/responses/None" },
        },
      },
      post: { requestBody: { $ref: "#/components/requestBodies/It" } },
      put: { parameters: [{ name: "known", in: "query", schema: {} }], responses: {} },
    },
  }, {
    components: {
      responses: { None: { description: "None" } },
      requestBodies: { It: { content: { "application/json": {} } } },
    },
  }),
  "OpenAPI 3.1 with a shared path item and with nothing behind keys": shopApi({
    "/it's": { $ref: "#/components/pathItems/It" },
    "/other": { $ref: "#/components/pathItems/It" },
  }, {
    components: {
      pathItems: {
        It: {
          get: {
            responses: { 200: { description: "OK", content: { "text/html": null } }, 404: null },
          },
          post: { requestBody: null, responses: { 201: { description: "OK", content: null } } },
          put: { parameters: null, requestBody: { content: null }, responses: null },
        },
      },
    },
  }),
  "Swagger 2.0": {
    swagger: "2.0",
    info: { title: "Shop", version: "1" },
    produces: ["application/json"],
    consumes: ["application/json"],
    paths: {
      "/it's": {
        get: {
          responses: {
            200: { description: "OK", schema: {} },
            202: { description: "Accepted" },
            404: { $ref: "#/responses/None" },
          },
        },
        post: {
          consumes: ["application/xml"],
          parameters: [{ name: "it", in: "body", schema: {} }],
          responses: {},
        },
        put: { responses: {} },
      },
    },
    responses: { None: { description: "None" } },
  },
};

const WITHOUT_LISTS: object = {
  ...DESCRIPTIONS["Swagger 2.0"],
  produces: undefined,
  consumes: undefined,
};

Deno.test("a description with the proposals applied has no findings about undocumented parts", () => {
  const kinds = new Set<string>();
  const all = { ...DESCRIPTIONS, "Swagger 2.0 without lists": WITHOUT_LISTS };
  for (const [name, description] of Object.entries(all)) {
    const map = CoverageMap.fromDict(description);
    // Swagger 2.0 can't describe a body without a media type.
    const traffic = TRAFFIC.filter(([, , type]) => type !== "" || !name.startsWith("Swagger"));
    record(map, traffic);
    const before = undocumented(map.findings());
    for (const kind of before) kinds.add(kind);
    const known = CoverageMap.fromDict(description);
    known.mergeHits(map.exportHits());
    assert(otherNames(known).includes("sort") && otherNames(known).includes("x y"), name);
    assert.equal(otherNames(known).includes("known"), name !== "OpenAPI 3.1");
    assert.equal(otherNames(known).includes("_"), false);
    const overlay = readYaml(map.generateReport({ format: "overlay" })).value as object;
    const proposed = CoverageMap.fromDict(description, { overlay });
    record(proposed, traffic);
    assert.deepEqual(undocumented(proposed.findings()), [], name);
    assert.deepEqual(otherNames(proposed), [], name);
    assert.deepEqual(proposed.diagnostics().filter(({ code }) => code.startsWith("overlay")), []);
    assert.equal(proposed.statistic().operations.total, map.statistic().operations.total);
    // Without proposals, the report is still a valid overlay.
    const nothing = readYaml(proposed.generateReport({ format: "overlay" })).value as object;
    const { length } = CoverageMap.fromDict(description).diagnostics();
    assert.equal(
      CoverageMap.fromDict(description, { overlay: nothing }).diagnostics().length,
      length,
    );
  }
  assert.equal(kinds.size, 3);
});

Deno.test("proposals have a comment with their number of occurrences", () => {
  const map = CoverageMap.fromDict(DESCRIPTIONS["OpenAPI 3.1"]);
  record(map, TRAFFIC.slice(0, 2));
  assert.equal(
    map.generateReport({ format: "overlay" }).replace(/[^]*actions:/, ""),
    `
  - target: "$.paths['/it\\\\'s'].get"
    update:
      responses:
        "503":
          description: "Undocumented: came 2 times."
          x-covtool-proposal:
            count: 2
          content:
            application/problem+json:
              x-covtool-proposal:
                count: 1
            text/html:
              x-covtool-proposal:
                count: 1
`,
  );
});

Deno.test("a body of a shared response is proposed there, and nothing else is updated or left", async () => {
  const content = { "application/json": {} };
  const item = { get: { responses: { 200: { $ref: "api.json#/components/responses/Book" } } } };
  const description = shopApi({ "/book": { $ref: "paths.json" } }, {
    components: { responses: { Book: { description: "A book", content } } },
  });
  const files = { "api.json": JSON.stringify(description), "paths.json": JSON.stringify(item) };
  const map = await inFolder(files, (folder) => CoverageMap.fromPath(`${folder}/api.json`));
  record(map, [["GET /book", 200, "text/csv"]]);
  const { info, actions } = readYaml(map.generateReport({ format: "overlay" })).value as {
    info: { description: string };
    actions: unknown;
  };
  assert.doesNotMatch(info.description, /cannot be proposed/);
  assert.deepEqual(actions, [{
    target: "$.components.responses.Book",
    update: { content: { "text/csv": { "x-covtool-proposal": { count: 1 } } } },
  }]);
});

Deno.test("query names are kept up to a limit, the same in any order, and without those that may be data", () => {
  const paths = { "/a": { get: { responses: { 200: { description: "" } } } } };
  const description = { openapi: "3.1.0", info: { title: "A", version: "1" }, paths };
  const names = Array.from(
    { length: 300 },
    (_, index) => `n${String.fromCodePoint(0x4e00 + index)}`,
  );
  const lists = [names, names.toReversed()].map((order) => {
    const map = CoverageMap.fromDict(description);
    for (const name of [...order, ...order]) {
      map.record({ method: "GET", url: `/a?${encodeURIComponent(name)}=1&id12345=2&a@b.example` });
    }
    const merged = CoverageMap.fromDict(description);
    merged.mergeHits(map.exportHits());
    assert.deepEqual(merged.report().operations, map.report().operations);
    return map.report().operations[0]?.undocumented_parameters;
  });
  assert.deepEqual(lists[0], lists[1]);
  assert.equal(lists[0]?.length, 200);
  assert(lists[0]?.every(({ hits }) => hits === 2));
});
