import assert from "node:assert/strict";
import type { LoadOptions } from "../../src/openapi/document_source.ts";
import { loadFromDict, loadFromPath, loadFromUrl } from "../../src/openapi/load.ts";
import { locateDiagnostics } from "../../src/openapi/locate.ts";
import { createReferences, readModel } from "../../src/openapi/read_model.ts";
import type { DocumentSet } from "../../src/openapi/document_set.ts";
import { inFolder } from "../in_folder.ts";
import { serve } from "./serve.ts";

/** Writes files into a folder and loads the first. */
async function loadFiles<Result>(
  files: Readonly<Record<string, string>>,
  use: (set: DocumentSet, folder: string) => Result | Promise<Result>,
  options: LoadOptions | ((folder: string) => LoadOptions) = {},
): Promise<Result> {
  return await inFolder(files, async (folder) => {
    const given = typeof options === "function" ? options(folder) : options;
    return await use(await loadFromPath(`${folder}/${Object.keys(files)[0]}`, given), folder);
  });
}

function labels(set: DocumentSet): string[] {
  return [...set.documents.values()].map(({ label }) => label);
}

function problems(set: DocumentSet): string[] {
  return set.problems.map(({ code, schema_path }) => `${code} ${schema_path}`);
}

/** The target of a reference in the entry document. */
function target(set: DocumentSet, reference: string): unknown {
  return createReferences(set).resolve(
    { value: set.entry.value, document: set.entry, pointer: "" },
    reference,
  )?.value;
}

/** An OpenAPI document with one schema. */
function withSchema(schema: unknown, more: object = {}): string {
  return JSON.stringify({
    openapi: "3.1.0",
    paths: {},
    components: { schemas: { A: schema } },
    ...more,
  });
}

Deno.test("loadFromPath() follows references to files, and loads each file once", () =>
  loadFiles({
    "api/openapi.yaml": withSchema({
      anyOf: [{ $ref: "schemas/pet%20one.json#/Pet" }, { $ref: "./schemas/pet one.json#/Toy" }],
    }),
    "api/schemas/pet one.json":
      '{"Pet": {"$ref": "../../shared.yaml#/Id"}, "Toy": {"$ref": "../openapi.yaml#/components/schemas/A"}}',
    "shared.yaml": "Id: {type: integer, items: {$ref: '#/Id'}}",
  }, (set) => {
    assert.deepEqual(labels(set), ["", "schemas/pet one.json", "../shared.yaml"]);
    assert.deepEqual(set.problems, []);
    assert.deepEqual(target(set, "schemas/pet%20one.json#/Pet"), { $ref: "../../shared.yaml#/Id" });
    assert.equal(set.texts.get("../shared.yaml")?.syntax, "yaml");
  }, (folder) => ({ allowRefsOutside: folder })));

Deno.test("loadFromPath() reports a missing file at its reference and continues", () =>
  loadFiles({
    "openapi.yaml": "openapi: 3.0.3\npaths:\n  /a:\n    $ref: none.yaml\n  /b:\n    $ref: b.yaml\n",
    "b.yaml": "get:\n  responses: {}\n",
  }, (set) => {
    const model = readModel(set);
    assert.deepEqual(model.operations.map(({ path, pointer }) => `${path} ${pointer}`), [
      "/b b.yaml#/get",
    ]);
    const [diagnostic, ...others] = locateDiagnostics(set, model.diagnostics);
    assert.deepEqual(others, []);
    assert.equal(diagnostic?.code, "unresolved_reference");
    assert.equal(diagnostic?.schema_path, "/paths/~1a/$ref");
    assert.deepEqual([diagnostic?.line, diagnostic?.column], [4, 5]);
    assert.match(diagnostic?.message ?? "", /none\.yaml: There is no such file/);
  }));

Deno.test("loadFromPath() reports a broken file with the position in it", () =>
  loadFiles({ "openapi.json": withSchema({ $ref: "b.json" }), "b.json": '{"a": 1,}\n{' }, (set) => {
    assert.deepEqual(problems(set), ["unresolved_reference /components/schemas/A/$ref"]);
    assert.match(set.problems[0]?.message ?? "", /Cannot load b\.json: line 1, column 9/);
  }));

Deno.test("loadFromPath() locates diagnostics in other files", () =>
  loadFiles({
    "openapi.yaml": "openapi: 3.0.3\npaths:\n  /a:\n    $ref: a.yaml#/item\n",
    "a.yaml": "item:\n  get:\n    parameters:\n      - name: x\n",
  }, (set) => {
    const [diagnostic] = locateDiagnostics(set, readModel(set).diagnostics);
    assert.equal(diagnostic?.schema_path, "a.yaml#/item/get/parameters/0");
    assert.deepEqual([diagnostic?.line, diagnostic?.column], [4, 9]);
  }));

Deno.test("loadFromPath() ignores references in data, and reports none in extensions and descriptions", () =>
  loadFiles({
    "openapi.json": withSchema({
      default: { $ref: "a.json" },
      enum: [{ $ref: "b.json" }],
      properties: {
        default: { $ref: "c.json" },
        description: { $ref: "f.json" },
        $ref: { type: "string" },
      },
      description: { $ref: "e.md" },
      "x-note": { $ref: "d.json" },
    }, { info: { description: { $ref: "e.md" } } }),
    "e.md": "- [one](two): *three*\n  four: five",
  }, (set) => {
    assert.deepEqual(problems(set), [
      "unresolved_reference /components/schemas/A/properties/default/$ref",
      "unresolved_reference /components/schemas/A/properties/description/$ref",
    ]);
  }));

Deno.test("loadFromPath() reads files that hold all paths or all schemas", () =>
  loadFiles({
    "openapi.yaml":
      "openapi: 3.0.3\npaths:\n  $ref: paths.yaml\ncomponents:\n  schemas:\n    $ref: schemas.yaml\n",
    "paths.yaml": `/a:
  get:
    parameters:
      - { name: q, in: query, schema: { $ref: "openapi.yaml#/components/schemas/Q" } }
`,
    "schemas.yaml": "Q: { type: integer }\n",
  }, (set) => {
    const { operations, diagnostics } = readModel(set);
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(operations.map(({ pointer }) => pointer), ["paths.yaml#/~1a/get"]);
    assert.deepEqual(target(set, "#/components/schemas/Q"), { type: "integer" });
  }));

Deno.test("loadFromPath() fetches remote references only if allowed", async () => {
  const url = "https://example.com/schemas/a.json";
  const files = { "openapi.json": withSchema({ $ref: `${url}#/A` }) };
  const server = serve({ [url]: '{"A": {"type": "null"}}' });
  await loadFiles(files, (set) => {
    assert.deepEqual(problems(set), ["remote_reference /components/schemas/A/$ref"]);
    assert.match(set.problems[0]?.message ?? "", /allowRemoteRefs: true/);
    assert.deepEqual(server.asked, []);
  }, { fetch: server.fetch });
  await loadFiles(files, (set) => {
    assert.deepEqual(problems(set), []);
    assert.deepEqual(labels(set), ["", url]);
    assert.deepEqual(target(set, `${url}#/A`), { type: "null" });
  }, { fetch: server.fetch, allowRemoteRefs: true });
});

Deno.test("loadFromPath() needs no file for an $id that the documents define", () =>
  loadFiles({
    "openapi.json": withSchema({ $ref: "https://example.com/b" }, {
      "x-later": { $ref: "b.json" },
    }),
    "b.json": '{"$defs": {"b": {"$id": "https://example.com/b", "type": "string"}}}',
  }, (set) => assert.deepEqual(set.problems, [])));

Deno.test("loadFromPath() finds files beside a document whose $id or $self is a web address", () =>
  loadFiles({
    "pet.json": JSON.stringify({
      openapi: "3.2.0",
      $self: "https://example.com/api/pet",
      paths: {},
      components: { schemas: { A: { $ref: "toy.json" } } },
    }),
    "toy.json": '{"$id": "https://example.com/api/toy.json", "not": {"$ref": "ball.json"}}',
    "ball.json": '{"type": "object"}',
  }, (set) => {
    assert.deepEqual(set.problems, []);
    assert.equal(set.entry.uri, "https://example.com/api/pet");
    assert.deepEqual(labels(set), ["", "toy.json", "ball.json"]);
    assert.deepEqual(target(set, "ball.json"), { type: "object" });
  }));

Deno.test("before OpenAPI 3.1, loadFromPath() follows references relative to the file despite $id", () =>
  loadFiles({
    "openapi.json": JSON.stringify({ openapi: "3.0.3", paths: {}, A: { $ref: "a/book.json" } }),
    "a/book.json": '{"$id": "https://example.com/book.json", "$defs": {"B": {"$ref": "b.json"}}}',
    "a/b.json": '{"type": "object"}',
  }, (set) => {
    assert.deepEqual(set.problems, []);
    assert.deepEqual(labels(set), ["", "a/book.json", "a/b.json"]);
    assert.deepEqual(target(set, "a/b.json"), { type: "object" });
    assert.deepEqual(target(set, "a/book.json#/$defs/B/type"), "object");
  }));

Deno.test("loadFromPath() reports repeated keys in YAML", () =>
  loadFiles({ "openapi.yaml": "openapi: 3.0.3\npaths:\n  /a: {}\n  /a: {}\n" }, (set) => {
    assert.deepEqual(problems(set), ["repeated_key /paths/~1a"]);
    assert.deepEqual([set.problems[0]?.line, set.problems[0]?.column], [4, 3]);
  }));

Deno.test("loadFromPath() refuses an unreadable file with a message that names it", async () => {
  await assert.rejects(loadFromPath("/nowhere/openapi.yaml"), {
    name: "DescriptionError",
    code: "unreadable",
    message: "Cannot load /nowhere/openapi.yaml: There is no such file: check the path.",
  });
  await assert.rejects(loadFromPath("https://example.com/openapi.yaml"), /fromUrl/);
  await assert.rejects(loadFiles({ "a.raml": "#%RAML 1.0\ntitle: x" }, () => {}), /RAML/);
});

Deno.test("loadFromPath() accepts a file URL", () =>
  loadFiles({ "a b.json": withSchema({}) }, async (_, folder) => {
    const set = await loadFromPath(new URL(`file://${folder}/a%20b.json`));
    assert.equal(set.entry.label, "");
  }));

Deno.test("loadFromUrl() loads over HTTP, and other documents only if allowed", async () => {
  const server = serve({
    "https://example.com/api/openapi.json": withSchema({ $ref: "a.json" }),
    "https://example.com/api/a.json": '{"type": "string"}',
  });
  const url = "https://user:secret@example.com/api/openapi.json";
  const alone = await loadFromUrl(url, { fetch: server.fetch });
  assert.equal(alone.location, "https://example.com/api/openapi.json");
  assert.deepEqual(problems(alone), ["remote_reference /components/schemas/A/$ref"]);
  const set = await loadFromUrl(url, { fetch: server.fetch, allowRemoteRefs: true });
  assert.deepEqual(labels(set), ["", "a.json"]);
  assert.deepEqual(target(set, "a.json"), { type: "string" });
});

Deno.test("loadFromUrl() tells the folder of a description from the description", async () => {
  const entry = withSchema({ $ref: "./" });
  const set = await loadFromUrl("https://example.com/api/openapi.json", {
    allowRemoteRefs: true,
    ...serve({
      "https://example.com/api/openapi.json": entry,
      "https://example.com/api/": '{"type": "string"}',
    }),
  });
  assert.deepEqual(labels(set), ["", "https://example.com/api/"]);
  assert.equal(set.texts.get("")?.text, entry);
});

Deno.test("loadFromUrl() resolves references against the URL after redirects", async () => {
  const texts: Record<string, string> = {
    "https://example.com/latest": withSchema({ $ref: "a.json" }),
    "https://example.com/v2/a.json": '{"type": "string"}',
  };
  const set = await loadFromUrl("https://example.com/latest", {
    allowRemoteRefs: true,
    fetch: (input) => {
      const url = String(input);
      const response = new Response(texts[url]);
      const final = url.endsWith("latest") ? "https://example.com/v2/openapi.json" : url;
      Object.defineProperty(response, "url", { value: final });
      return Promise.resolve(response);
    },
  });
  assert.deepEqual(set.problems, []);
  assert.deepEqual(target(set, "a.json"), { type: "string" });
});

Deno.test("loadFromUrl() never lets a remote document read files", async () => {
  const url = "https://example.com/openapi.json";
  const server = serve({ [url]: withSchema({ $ref: "file:///etc/passwd" }) });
  const set = await loadFromUrl(url, { fetch: server.fetch, allowRemoteRefs: true });
  assert.match(set.problems[0]?.message ?? "", /from the web cannot refer to files/);
});

Deno.test("loadFromUrl() reports the status of a failed request, and an invalid URL", async () => {
  const { fetch } = serve({});
  await assert.rejects(loadFromUrl("https://example.com/none", { fetch }), {
    code: "unreadable",
    message: /^Cannot load https:\/\/example\.com\/none: The server answered with status 404/,
  });
  await assert.rejects(loadFromUrl("openapi.yaml", { fetch }), { code: "not_a_url" });
  await assert.rejects(loadFromUrl("http://localhost:x/", { fetch }), {
    code: "not_a_url",
    message: /This is not a valid URL: check its host and port\.$/,
  });
});

Deno.test("loadFromDict() accepts dereferenced descriptions and never changes them", () => {
  const node: Record<string, unknown> = {};
  node["properties"] = { next: node };
  const value = { openapi: "3.0.3", paths: {}, components: { schemas: { Node: node } } };
  const set = loadFromDict(value, "my api");
  assert.equal(set.location, "my api");
  assert.deepEqual(target(set, "#/components/schemas/Node/properties/next"), {
    $ref: "#/components/schemas/Node",
  });
  assert.equal((node["properties"] as Record<string, unknown>)["next"], node);
});

Deno.test("loadFromDict() reports references to files, but not those to an $id", () => {
  const set = loadFromDict({
    openapi: "3.1.0",
    components: {
      schemas: {
        A: { $ref: "a.yaml#/A" },
        B: { $ref: "https://example.com/c" },
        C: { $id: "https://example.com/c" },
      },
    },
  });
  assert.deepEqual(problems(set), ["unresolved_reference /components/schemas/A/$ref"]);
  assert.match(set.problems[0]?.message ?? "", /fromPath/);
});
