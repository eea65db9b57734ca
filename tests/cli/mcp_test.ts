// Tests covtool mcp with the client of the official SDK.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import assert from "node:assert/strict";
import { digestCoverage } from "../../src/coverage_map/explain_operation.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { FULL_VISIBILITY } from "../../src/http/visibility.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { inFolder } from "../in_folder.ts";
import { shopApi } from "../shop_api.ts";

const COVTOOL = ["run", "-A", "--no-check", COVTOOL_MODULE];

const KEY = { type: "apiKey", in: "header", name: "X-Key" };
const BOOK = {
  type: "object",
  required: ["title"],
  properties: { title: { type: "string", minLength: 1 } },
};
const DESCRIPTION = shopApi({
  "/books": {
    get: {
      operationId: "listBooks",
      parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 9 } }],
      responses: { 200: { description: "Books" }, 400: { description: "Refused" } },
    },
    post: {
      requestBody: {
        content: { "application/json": { schema: { $ref: "#/components/schemas/Book" } } },
      },
      responses: { 201: { description: "Created" } },
    },
  },
}, {
  openapi: "3.0.3",
  servers: [{ url: "https://shop.example" }],
  security: [{ key: [] }],
  components: {
    schemas: { Book: BOOK, Unused: { type: "null" } },
    securitySchemes: { key: KEY, unused: KEY },
  },
});

const line = (url: string, status_code: number, test: string) =>
  `${JSON.stringify({ request: { method: "GET", url }, response: { status_code }, test })}\n`;

interface Called {
  readonly text: string;
  readonly isError: boolean;
}

type Call = (name: string, given?: Record<string, unknown>) => Promise<Called>;

async function withServer(
  test: (call: Call, client: Client, folder: string) => Promise<void>,
  ...options: readonly string[]
): Promise<void> {
  await inFolder({ "openapi.json": JSON.stringify(DESCRIPTION) }, async (folder) => {
    const client = new Client({ name: "test", version: "1" });
    const transport = new StdioClientTransport({
      command: Deno.execPath(),
      args: [...COVTOOL, "mcp", "openapi.json", "traffic.jsonl", "--no-config", ...options],
      cwd: folder,
      // By default, the client passes on few variables, but Deno may need others to find its libraries.
      env: Deno.env.toObject(),
      stderr: "inherit",
    });
    await client.connect(transport);
    try {
      await test(
        async (name, given = {}) => {
          const result = await client.callTool({ name, arguments: given });
          const [content] = result.content as readonly { readonly text?: string }[];
          return { text: content?.text ?? "", isError: result.isError === true };
        },
        client,
        folder,
      );
    } finally {
      await client.close();
    }
  });
}

interface Listed {
  readonly id: string;
  readonly sentence: string;
}

const gapsIn = ({ text }: Called): readonly Listed[] => JSON.parse(text).gaps;

Deno.test("a client asks for gaps and a test, records traffic, and verifies that the gap is closed", async () => {
  await withServer(async (call, client, folder) => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      ["coverage", "gaps", "suggest_test", "verify", "explain_operation"],
    );
    // No test has written traffic yet.
    const before = JSON.parse((await call("coverage")).text);
    assert.deepEqual(before.coverage.operations, {
      seen: 0,
      total: 2,
      percent: 0,
      succeeded: null,
    });
    assert.deepEqual(before.coverage.values, { seen: 0, total: 5, percent: 0, measured: true });
    await Deno.writeTextFile(
      `${folder}/traffic.jsonl`,
      line("https://shop.example/books?limit=3", 200, "lists books"),
    );
    const after = JSON.parse((await call("coverage", { operation: "listBooks" })).text);
    assert.equal(after.operation, "GET /books");
    assert.equal(after.hits, 1);
    assert.deepEqual(after.coverage.values, { seen: 1, total: 2, percent: 50, measured: true });
    const found = gapsIn(await call("gaps", { operation: "listBooks", kinds: ["keywords"] }));
    const gap = found.find(({ sentence }) => sentence.includes("maximum"))!;
    const test = await call("suggest_test", { gaps: [gap.id], format: "pytest" });
    assert.match(test.text, /def test_.*\n(?:.*\n)*.*limit=10/);
    const open = JSON.parse((await call("verify", { gaps: [gap.id] })).text).gaps[0];
    assert.equal(open.state, "open");
    assert.equal(open.nearest.test, "lists books");
    await Deno.writeTextFile(
      `${folder}/traffic.jsonl`,
      line("https://shop.example/books?limit=10", 400, "refuses large pages"),
      { append: true },
    );
    const closed = JSON.parse((await call("verify", { gaps: [gap.id] })).text).gaps[0];
    assert.equal(closed.state, "closed");
    assert.equal(closed.closed_by.test, "refuses large pages");
  });
});

Deno.test("values have no percentage if hits have none, and are left out if not counted", () => {
  const plain = MeasuredApi.fromDict(DESCRIPTION, { values: false });
  plain.record({ method: "GET", url: "https://shop.example/books?limit=3" });
  const api = MeasuredApi.fromDict(DESCRIPTION);
  api.mergeHits(plain.exportHits());
  const digestValues = (one: MeasuredApi): unknown =>
    (digestCoverage(one, one.report()) as { coverage: { values?: unknown } }).coverage.values;
  assert.deepEqual(digestValues(api), { percent: null, seen: 0, total: 5, measured: false });
  assert.equal(digestValues(plain), undefined);
});

function digestedCoverage(api: MeasuredApi): Readonly<Record<string, unknown>> {
  const { coverage } = digestCoverage(api, api.report()) as {
    readonly coverage: Readonly<Record<string, unknown>>;
  };
  return coverage;
}

Deno.test("percentages are rounded like in reports", () => {
  const paths = Object.fromEntries(["/a", "/b", "/c"].map((path) => [path, { get: {} }]));
  const api = MeasuredApi.fromDict({ ...DESCRIPTION, paths });
  for (const path of ["/a", "/b"]) api.record({ method: "GET", url: path });
  assert.deepEqual(digestedCoverage(api)["operations"], {
    seen: 2,
    total: 3,
    percent: 66.7,
    succeeded: null,
  });
});

Deno.test("figures say which parts the traffic can't show", () => {
  const api = MeasuredApi.fromDict(DESCRIPTION);
  const visibility = { ...FULL_VISIBILITY, query: false, request_body: false };
  const request = { method: "GET", url: "/books", headers: { accept: "*/*" } };
  api.record(request, { status_code: 200 }, undefined, undefined, { visibility });
  assert.deepEqual(digestedCoverage(api)["parameters"], {
    seen: 0,
    total: 0,
    not_measured: 2,
    percent: null,
  });
});

Deno.test("an operation is explained with its references, and is a resource", async () => {
  await withServer(async (call, client) => {
    const explained = JSON.parse(
      (await call("explain_operation", { operation: "POST /books" })).text,
    );
    assert.deepEqual(explained.references, {
      "#/components/schemas/Book": BOOK,
      "#/components/securitySchemes/key": KEY,
    });
    assert.deepEqual(explained.security, [{ key: [] }]);
    assert.equal(explained.coverage.keywords.full, 0);
    const { resources } = await client.listResources();
    const book = resources.find(({ name }) => name === "POST /books");
    const { contents } = await client.readResource({ uri: book?.uri ?? "" });
    const [content] = contents as readonly { readonly text?: string }[];
    assert.equal(JSON.parse(content?.text ?? "").operation, "POST /books");
    await assert.rejects(
      client.readResource({ uri: "covtool://operation/100%zz" }),
      /Unknown operation "100%zz"/,
    );
  });
});

Deno.test("a changed description is read at the next call, and values are only counted on request", async () => {
  await withServer(async (call, _client, folder) => {
    const { coverage } = JSON.parse((await call("coverage")).text);
    assert.deepEqual([coverage.operations.total, coverage.values], [2, undefined]);
    const { get } = DESCRIPTION.paths["/books"];
    const changed = { ...DESCRIPTION, paths: { "/books": { get } } };
    await Deno.writeTextFile(`${folder}/openapi.json`, JSON.stringify(changed));
    assert.equal(JSON.parse((await call("coverage")).text).coverage.operations.total, 1);
    await Deno.writeTextFile(`${folder}/openapi.json`, "{");
    const broken = await call("coverage");
    assert.ok(broken.isError);
    assert.match(broken.text, /^Cannot load .*openapi\.json/);
    await Deno.writeTextFile(`${folder}/openapi.json`, JSON.stringify(DESCRIPTION));
    assert.equal(JSON.parse((await call("coverage")).text).coverage.operations.total, 2);
  }, "--no-values");
});

Deno.test("calls at the same time are answered as one after the other", () =>
  withServer(async (call, _client, folder) => {
    const { gaps } = JSON.parse((await call("gaps")).text);
    const ids = { gaps: gaps.map(({ id }: Listed) => id) };
    for (let round = 0; round < 8; round++) {
      const text = Array.from({ length: 200 * (round + 1) }, () => line("/books", 200, "a")).join(
        "",
      );
      await Deno.writeTextFile(`${folder}/traffic.jsonl`, text);
      const calls = Array.from({ length: 9 }, async (_, index) => {
        await new Promise((resolve) => setTimeout(resolve, index * 7));
        return await (index % 2 === 0 ? call("verify", ids) : call("gaps"));
      });
      for (const { text, isError } of await Promise.all(calls)) assert.equal(isError, false, text);
    }
  }));

Deno.test("wrong arguments get an error message, and the server goes on", async () => {
  await withServer(async (call, _client, folder) => {
    const wrong: readonly [string, Record<string, unknown>, RegExp][] = [
      ["gaps", { limit: 0 }, /limit.*1/],
      ["gaps", { frobnicate: true }, /additional properties/],
      ["gaps", { operation: "nobody" }, /Unknown operation "nobody"/],
      ["suggest_test", { gaps: ["nothing"] }, /"nothing" is not the id of a gap/],
      ["suggest_test", {}, /gaps/],
      ["explain_operation", { operation: "PUT /books" }, /Did you mean "GET \/books"\?/],
    ];
    for (const [name, given, sentence] of wrong) {
      const { text, isError } = await call(name, given);
      assert.ok(isError, name);
      assert.match(text, sentence);
      assert.doesNotMatch(text, /\n\s+at /);
    }
    await assert.rejects(call("probe"), /Tool probe not found/);
    assert.ok(gapsIn(await call("gaps")).length > 0);

    const paths = { "/books": { trace: { responses: { 200: { description: "Fine" } } } } };
    await Deno.writeTextFile(`${folder}/openapi.json`, JSON.stringify(shopApi(paths)));
    const [gap] = gapsIn(await call("gaps"));
    const { text } = await call("suggest_test", { gaps: [gap?.id], format: "vitest" });
    assert.match(text, /vitest cannot send such a request\. Choose another format\./);
  });
});

Deno.test("the server ends with its client, and reports a missing description before it starts", async () => {
  await inFolder({ "openapi.json": JSON.stringify(DESCRIPTION) }, async (cwd) => {
    const run = (description: string) =>
      new Deno.Command(Deno.execPath(), {
        args: [...COVTOOL, "mcp", description, "--no-config"],
        cwd,
        stdin: "null",
        env: { NO_COLOR: "1" },
      }).output();
    const ended = await run("openapi.json");
    assert.deepEqual([ended.code, ended.stdout.length, ended.stderr.length], [0, 0, 0]);
    const { code, stdout, stderr } = await run("gone.json");
    assert.deepEqual([code, stdout.length], [1, 0]);
    assert.match(new TextDecoder().decode(stderr), /^Error: Cannot load .*gone\.json/);
  });
});
