import assert from "node:assert/strict";
import process from "node:process";
import { inWorkingFolder } from "../in_folder.ts";
import { startServer } from "../proxy/test_server.ts";
import { fails, succeeds } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { shopApi } from "../shop_api.ts";

const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
const ok = { responses: { 200: { description: "Fine" }, 201: { description: "Made" } } };
const order = { type: "object", required: ["book"], properties: { book: { type: "string" } } };
const DESCRIPTION = shopApi({
  "/loans": {
    post: {
      requestBody: { required: true, content: { "application/json": { schema: order } } },
      ...ok,
    },
  },
  "/loans/{id}": { get: { ...ok, parameters: [id] } },
  "/loans/{id}/notes": { get: { ...ok, parameters: [id] } },
  "/reports": { get: ok },
}, {
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } } },
  security: [{ key: [] }],
});

const CONFIG = `identities:
  alice: { header: X-Api-Key, valueFromEnv: PROBE_ALICE }
  bob: { header: X-Api-Key, valueFromEnv: PROBE_BOB }
access:
  "/loans/**": ["alice:own", "bob:own"]
  GET /reports: [alice]
`;

const LOAN = {
  request: {
    method: "POST",
    url: "http://recorded.example/loans",
    headers: { "X-Api-Key": "key-of-alice", "Content-Type": "application/json" },
    body: '{"book":"Momo"}',
  },
  response: {
    status_code: 201,
    headers: { "Content-Type": "application/json" },
    body: '{"id":"l/7"}',
  },
};

/** An API that lets everybody read loans, and notes who asked for what. */
async function withApi(
  test: (url: string, seen: readonly string[]) => Promise<void>,
  config = CONFIG,
): Promise<void> {
  const seen: string[] = [];
  let loans = 0;
  const names: Readonly<Record<string, string>> = { "key-of-alice": "alice", "key-of-bob": "bob" };
  await using server = await startServer((request, response) => {
    const by = names[String(request.headers["x-api-key"])];
    seen.push(`${by ?? "nobody"} ${request.method} ${request.url}`);
    const isRefused = by === undefined || request.url === "/reports" && by !== "alice";
    const status = isRefused ? 403 : request.method === "POST" ? 201 : 200;
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ id: `n${++loans}` }));
  });
  process.env["PROBE_ALICE"] = "key-of-alice";
  process.env["PROBE_BOB"] = "key-of-bob";
  try {
    const files = {
      "openapi.json": DESCRIPTION,
      "covtool.yaml": config,
      "traffic.json": { interactions: [LOAN] },
    };
    await inWorkingFolder(files, () => test(`http://127.0.0.1:${server.port}`, seen));
  } finally {
    delete process.env["PROBE_ALICE"];
    delete process.env["PROBE_BOB"];
  }
}

async function probe(url: string, options = "") {
  const { code, out, err } = await runCovtool(
    `probe openapi.json traffic.json --server ${url} --identities ${options}`,
  );
  return { code, out, err: err.replace(/\s+/g, " ") };
}

Deno.test("probe --identities requests objects of one identity as the others, and reports findings", () =>
  withApi(async (url, seen) => {
    const { out, err } = await fails(probe(
      url,
      "--format text --save-traffic sent.jsonl --fail-on allowed_unexpectedly",
    ));
    assert.deepEqual([...seen].sort(), [
      ...["alice GET /loans/l%2F7", "alice GET /loans/l%2F7/notes", "alice GET /reports"],
      ...["bob GET /loans/l%2F7", "bob GET /loans/l%2F7/notes", "bob GET /reports"],
      ...["nobody GET /loans/l%2F7", "nobody GET /loans/l%2F7/notes", "nobody GET /reports"],
    ]);
    assert.match(out, /GET \/loans\/\{id\}: bob read an object of alice once/);
    assert.match(err, /2 expectations stay open: POST changes data: --unsafe sends it\./);
    assert.match(err, /no object that bob created is known/);
    const sent = await Deno.readTextFile("sent.jsonl");
    assert.ok(!/key-of/.test(sent + out + err));
    assert.match(sent, /"identity":"bob"/);
  }));

Deno.test("probe --identities --dry-run lists the requests, and sends none", () =>
  withApi(async (url, seen) => {
    const { out } = await succeeds(probe(url, "--dry-run"));
    assert.deepEqual(seen, []);
    assert.match(
      out,
      /^bob: GET http:\/\/127\S+\/loans\/l%2F7 \(to refuse, an object of alice\)$/m,
    );
    assert.match(out, /^anonymous: GET http:\/\/127\S+\/reports \(to refuse\)$/m);
    assert.match(out, /9 requests, none of them sent\.\n$/);
    assert.ok(!out.includes("key-of"));
  }));

Deno.test("probe --identities --unsafe creates objects, and requests them too", () =>
  withApi(async (url, seen) => {
    const { err } = await probe(url, "--unsafe");
    assert.ok(seen.includes("bob POST /loans"), seen.join("\n"));
    assert.ok(seen.some((line) => /^bob GET \/loans\/n\d+$/.test(line)), seen.join("\n"));
    assert.ok(seen.some((line) => /^alice GET \/loans\/n\d+$/.test(line)), seen.join("\n"));
    assert.match(err, /Created: POST \/loans \(1\)/);
    assert.doesNotMatch(err, /stay open/);
  }));

Deno.test("probe --identities deletes as the allowed identities last, and requests nothing that was deleted", async () => {
  const loans = new Set<string>();
  const removed: string[] = [];
  await using server = await startServer(({ method, url = "", headers }, response) => {
    const by = String(headers["x-api-key"] ?? "").slice(7);
    const status = loans.has(url) && by !== "" ? 200 : 404;
    if (method === "DELETE") removed.push(`${by} ${url} ${status}`);
    if (method === "DELETE" && status === 200) loans.delete(url);
    response.writeHead(status).end();
  });
  const sent = (method: string, url: string, Location = "") => ({
    request: { ...LOAN.request, method, url },
    response: { status_code: 200, headers: { Location } },
  });
  const made = ["/loans/7", "/loans/8", "/loans/9"].map((url) => sent("POST", "/loans", url));
  const gone = sent("DELETE", "/loans/9");
  const cases = [
    ["alice, bob", [...made, gone], [" /loans/8 404", "bob /loans/8 200"]],
    ["alice, bob", [gone, ...made.slice(2)], [" /loans/9 404", "bob /loans/9 200"]],
    ["alice, bob", [gone], []],
    ["alice, bob", made, [" /loans/9 404", "alice /loans/9 200", "bob /loans/8 200"]],
    ["alice", made.slice(0, 2), [" /loans/8 404", "bob /loans/8 200", "alice /loans/7 200"]],
  ] as const;
  for (const [allow, interactions, expected] of cases) {
    removed.length = 0;
    for (const { response } of made) loans.add(response.headers.Location);
    const access = `access: { "/**": { allow: [${allow}], refusesWith: 404 } }`;
    await withApi(async () => {
      const operation = { parameters: [id], ...ok };
      const paths = { "/loans": { post: ok }, "/loans/{id}": { delete: operation } };
      await Deno.writeTextFile("openapi.json", JSON.stringify(shopApi(paths)));
      await Deno.writeTextFile("traffic.json", JSON.stringify({ interactions }));
      await probe(`http://127.0.0.1:${server.port}`, "--unsafe");
      assert.deepEqual(removed, expected);
    }, CONFIG.replace(/access:[^]*/, access));
  }
});

Deno.test("probe --identities reports expectations that stay open without a credential", () =>
  withApi(async (url, seen) => {
    const { err } = await probe(url);
    assert.ok(seen.length > 0 && !seen.some((line) => line.startsWith("bob")));
    assert.match(err, /the variable PROBE_NOBODY is not set/);
    assert.match(err, /\d expectations stay open: the credential of bob is not known/);
    const report = await runCovtool("report openapi.json traffic.json");
    assert.match(report.err, /covtool\.yaml:3: .*the variable PROBE_NOBODY is not set/);
  }, CONFIG.replace("PROBE_BOB", "PROBE_NOBODY")));

Deno.test("probe --identities sends no requests for objects that an identity may see anyway", () =>
  withApi(async (url) => {
    const { out } = await succeeds(probe(url, "--dry-run"));
    assert.match(out, /no object that somebody else created is known to ask for as bob/);
    assert.doesNotMatch(out, /^bob: GET \S+loans/m);
  }, CONFIG.replace("alice:own", "alice")));

Deno.test("probe --identities sends a recorded query unchanged, but no other identity's credential", () =>
  withApi(
    async (url, seen) => {
      const key = { name: "X-Api-Key", in: "header", schema: { type: "string" } };
      const search = { name: "q", in: "query", required: true, schema: { type: "string" } };
      const description = shopApi({ "/search": { get: { ...ok, parameters: [search, key] } } });
      await Deno.writeTextFile("openapi.json", JSON.stringify(description));
      const headers = { "X-Api-Key": "key-of-alice" };
      const request = { method: "GET", url: "http://recorded.example/search?q=who?&x=1", headers };
      const interactions = [{ request, response: { status_code: 200 } }];
      await Deno.writeTextFile("traffic.json", JSON.stringify({ interactions }));
      await probe(url);
      assert.deepEqual([...seen].sort(), [
        "nobody GET /search?q=who?&x=1",
        "nobody GET /search?q=who?&x=1&token=key-of-bob",
      ]);
    },
    CONFIG.replace("bob: { header: X-Api-Key", "bob: { query: token").replace(
      /access:[^]*/,
      "access:\n  GET /search: [alice]\n",
    ),
  ));

Deno.test("probe --identities sends recorded bodies unchanged, and none that was cut off", async () => {
  const bodies: string[] = [];
  await using server = await startServer(async (request, response) => {
    const chunks: Uint8Array[] = await Array.fromAsync(request);
    const encoding = request.headers["content-encoding"];
    const hex = chunks.map((chunk) => chunk.toHex()).join("");
    bodies.push(`${request.headers["x-api-key"] ?? ""} ${request.url} ${encoding} ${hex}`);
    response.writeHead(403).end();
  });
  await withApi(
    async () => {
      const upload = { requestBody: { required: true, content: { "image/png": {} } }, ...ok };
      const paths = { "/cut": { post: upload }, "/icons": { post: upload } };
      await Deno.writeTextFile("openapi.json", JSON.stringify(shopApi(paths)));
      const headers = { ...LOAN.request.headers, "Content-Type": "image/png" };
      const request = { method: "POST", headers, body_base64: "/wCA" };
      const [url, cut] = ["http://recorded.example/icons", "http://recorded.example/cut"];
      const encoded = { ...headers, "Content-Encoding": "gzip" };
      const interactions = [
        { request: { ...request, url, headers: encoded }, response: { status_code: 201 } },
        { request: { ...request, url: cut, body_truncated: true }, response: { status_code: 201 } },
      ];
      await Deno.writeTextFile("traffic.json", JSON.stringify({ interactions }));
      const { err } = await probe(`http://127.0.0.1:${server.port}`, "--unsafe");
      assert.deepEqual(bodies.sort(), [" /icons gzip ff0080", "key-of-bob /icons gzip ff0080"]);
      assert.match(err, /2 expectations stay open: no valid request is known for POST \/cut/);
    },
    CONFIG.replace(/access:[^]*/, `access: { "/**": [alice] }`),
  );
});

Deno.test("probe --identities sends uploads of any size", async () => {
  const sizes: number[] = [];
  await using server = await startServer(async (request, response) => {
    let size = 0;
    for await (const chunk of request) size += chunk.length;
    sizes.push(size);
    response.writeHead(403).end();
  });
  await withApi(async () => {
    const paths = { "/icons": { post: { requestBody: { content: { "image/png": {} } }, ...ok } } };
    await Deno.writeTextFile("openapi.json", JSON.stringify(shopApi(paths)));
    const headers = { ...LOAN.request.headers, "Content-Type": "image/png" };
    const body_base64 = "/wCA".repeat(15e6);
    const request = { method: "POST", url: "http://recorded.example/icons", headers, body_base64 };
    const response = { status_code: 201 };
    const interactions = [{ request, response }];
    await Deno.writeTextFile("traffic.json", JSON.stringify({ interactions }));
    await probe(`http://127.0.0.1:${server.port}`, "--unsafe");
    assert.deepEqual(sizes, [45e6, 45e6]);
  }, CONFIG.replace(/access:[^]*/, `access: { "/**": [alice] }`));
});

Deno.test("--identities needs identities, and --dry-run needs --identities", () =>
  withApi(async (url, seen) => {
    assert.match((await probe(url)).err, /the config file, which has none/);
    const args = `probe openapi.json --server ${url} --dry-run`;
    assert.match((await runCovtool(args)).err, /--dry-run lists what --identities would send/);
    assert.deepEqual(seen, []);
  }, "title: Library\n"));
