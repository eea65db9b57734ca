import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { shopApi } from "../shop_api.ts";
import { inFolder } from "../in_folder.ts";
import { startServer } from "../proxy/test_server.ts";
import { ERROR_EXIT, fails, succeeds } from "../command_end.ts";
import { type Ended, runCovtool } from "./fake_host.ts";

type Fields = Readonly<Record<string, unknown>>;

const text = { schema: { type: "string" } };
const responses = { 200: { description: "" } };

function describe(paths: Fields, securitySchemes: Fields = {}): Fields {
  return shopApi(paths, { components: { securitySchemes } });
}

/** Probes a server. Returns the requests that it received, and what the command printed and wrote. */
async function probe(
  description: Fields,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  args: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
) {
  const seen: { readonly line: string; readonly headers: IncomingMessage["headers"] }[] = [];
  await using server = await startServer((request, response) => {
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    answer(request, response);
  });
  let traffic = "";
  let ended: Ended | undefined;
  await inFolder({ "openapi.json": description }, async (folder) => {
    const saved = `${folder}/saved.jsonl`;
    ended = await runCovtool([
      ...["probe", `${folder}/openapi.json`, "--server", `http://127.0.0.1:${server.port}`],
      ...["--format", "json", "--save-traffic", saved, "--max", "200", ...args],
    ], { variables: { NO_COLOR: "1", ...variables } });
    traffic = await Deno.readTextFile(saved).catch(() => "");
  });
  const { code = 0, out = "", err = "" } = ended ?? {};
  return { code, err, said: out + err, traffic, seen };
}

const ok = (_: IncomingMessage, response: ServerResponse): void => {
  response.setHeader("Content-Type", "application/json");
  response.end("{}");
};

Deno.test("each security scheme gets the credential of its own variable, even if names share a prefix", async () => {
  const header = (name: string) => ({ type: "apiKey", in: "header", name });
  const { seen, code, said } = await probe(
    describe(
      {
        "/a": { get: { security: [{ bearer: [], bearerAuth: [], bearerAuthTwo: [] }], responses } },
      },
      {
        bearer: header("X-One"),
        bearerAuth: { type: "apiKey", in: "query", name: "two" },
        bearerAuthTwo: { type: "apiKey", in: "cookie", name: "three" },
      },
    ),
    ok,
    [],
    {
      COVTOOL_AUTH_BEARER: "first-1",
      COVTOOL_AUTH_BEARER_AUTH: "second-2",
      COVTOOL_AUTH_BEARER_AUTH_TWO: "third-3",
    },
  );
  assert.equal(code, 0, said);
  assert.ok(
    seen.some(({ line, headers }) =>
      headers["x-one"] === "first-1" && line.includes("two=second-2") &&
      headers.cookie === "three=third-3"
    ),
    JSON.stringify(seen),
  );
  assert.doesNotMatch(JSON.stringify(seen), /first-1_AUTH|second-2_TWO/);
});

Deno.test("a security scheme that is called like a variable doesn't leak the environment", async () => {
  const secret = "planted-environment-1";
  const { seen, said } = await probe(
    describe(
      { "/a": { get: { security: [{ path: [] }, { awsSecretAccessKey: [] }], responses } } },
      {
        path: { type: "apiKey", in: "header", name: "X-Path" },
        awsSecretAccessKey: { type: "http", scheme: "bearer" },
      },
    ),
    ok,
    [],
    { PATH: secret, AWS_SECRET_ACCESS_KEY: secret },
  );
  assert.ok(seen.length > 0);
  assert.doesNotMatch(JSON.stringify(seen), /planted/);
  assert.match(said, /set the environment\s+variables?\s+COVTOOL_AUTH_PATH/);
});

const OVERRIDES: readonly (readonly [place: string, name: string])[] = [
  ...["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", "x-http-method-override"]
    .map((name) => ["header", name] as const),
  ...["_method", "_METHOD", "X-HTTP-Method-Override"].map((name) => ["query", name] as const),
];
Deno.test("without --unsafe, no request overrides its method with DELETE in a header or query", async () => {
  const paths = OVERRIDES.map(([place, name], index) => {
    const override = { name, in: place, required: true, schema: { enum: ["DELETE", "GET"] } };
    return [`/b${index}`, { get: { parameters: [override], responses } }];
  });
  const plain = { get: { parameters: [{ name: "q", in: "query", ...text }], responses } };
  const description = describe({ "/a": plain, ...Object.fromEntries(paths) });
  const asks = ({ line, headers }: { line: string; headers: Fields }) =>
    /=DELETE/.test(line) || OVERRIDES.some(([, name]) => headers[name.toLowerCase()] === "DELETE");
  const safe = await succeeds(probe(description, ok));
  assert.ok(safe.seen.some(({ line }) => line.startsWith("GET /a")));
  assert.deepEqual(safe.seen.filter(asks), []);
  assert.match(safe.said, /left out, as a field such as `_method`/);
  const { seen } = await probe(description, ok, ["--unsafe"]);
  OVERRIDES.forEach((_, index) => {
    const own = seen.filter(({ line }) => new RegExp(`^GET /b${index}\\b`).test(line));
    assert.ok(own.some(asks), JSON.stringify(own));
  });
});

Deno.test("--header that overrides the method of every request needs --unsafe", async () => {
  const description = describe({ "/a": { get: { responses } } });
  const args = ["--header", "X-HTTP-Method-Override: DELETE"];
  const refused = await fails(
    probe(description, ok, args),
    /--header X-HTTP-Method-Override gives .* Add --unsafe/,
  );
  assert.equal(refused.seen.length, 0);
  const sent = await probe(description, ok, [...args, "--unsafe"]);
  assert.equal(sent.seen[0]?.headers["x-http-method-override"], "DELETE");
});

Deno.test("--time ends a request that is waiting for its response", async () => {
  let answers = 0;
  const parameters = [{ name: "limit", in: "query", schema: { type: "integer", maximum: 9 } }];
  const started = performance.now();
  const { code, said } = await probe(
    describe({ "/a": { get: { parameters, responses } } }),
    (request, response) => {
      if (answers++ === 0) ok(request, response);
    },
    ["--time", "1"],
  );
  assert.ok(performance.now() - started < 10_000);
  assert.equal(code, 0, said);
  assert.match(said, /1 request sent to .* Stopped after 1 second \(--time\)\./);
  assert.doesNotMatch(said, /No answer came to/);
});

Deno.test("a probe without any response exits with 1 and says so", async () => {
  const description = describe({ "/a": { get: { responses } } });
  const silent = await fails(
    probe(description, () => {}, ["--time", "1"]),
    /No answer came from http:\S+ within 1 second \(--time\)\. Start the API/,
  );
  assert.ok(silent.said.endsWith(ERROR_EXIT));
  await fails(
    probe(description, (request) => request.socket.destroy()),
    /Cannot reach http:\S+: .*Start the API, or correct --server\./,
  );
  await fails(
    probe(describe({ "/a": { post: { responses } } }), ok),
    /No request was sent to .* --unsafe sends those too\./,
  );
});

Deno.test("values from --header and the environment are masked if a response repeats them", async () => {
  const given = "odd given/77";
  const { code, said, traffic, seen } = await probe(
    describe(
      { "/a": { get: { security: [{ shop: [] }], responses } } },
      { shop: { type: "http", scheme: "basic" } },
    ),
    (_, response) => {
      response.setHeader("Content-Type", "application/json");
      response.setHeader("Location", `/a?next=${encodeURIComponent(given)}&of=odd-hushed-17`);
      response.end(
        JSON.stringify({ at: `/b/${given}`, it: btoa(`x ${given}`), hidden: "odd-hushed-17" }),
      );
    },
    ["--header", `X-Shop: ${given}`, "--header", "Accept: application/json"],
    { COVTOOL_AUTH_SHOP: btoa("ann:odd-hushed-17") },
  );
  assert.equal(code, 0, said);
  assert.equal(seen[0]?.headers["x-shop"], given);
  assert.ok(traffic.includes("application/json"));
  assert.doesNotMatch(traffic + said, /odd given|odd%20given|hushed/);
  assert.ok(!traffic.includes(btoa(`x ${given}`).slice(4, 14)));
});
