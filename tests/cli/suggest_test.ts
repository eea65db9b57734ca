import assert from "node:assert/strict";
import { join } from "node:path";
import { main } from "../../src/cli/main.ts";
import { fakeHost } from "./fake_host.ts";

const DESCRIPTION = {
  openapi: "3.0.3",
  info: { title: "Shop", version: "1" },
  paths: {
    "/books": {
      get: {
        operationId: "listBooks",
        parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 9 } }],
        responses: { 200: { description: "Books" }, 404: { description: "None" } },
      },
    },
    "/books/{id}": {
      get: {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "A book" } },
      },
    },
  },
};

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "covtool" });
  try {
    await Deno.writeTextFile(join(folder, "openapi.json"), JSON.stringify(DESCRIPTION));
    const interactions = [{
      request: { method: "GET", url: "https://shop.example/api/books/77" },
      response: { status_code: 200 },
    }];
    await Deno.writeTextFile(join(folder, "traffic.json"), JSON.stringify({ interactions }));
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function suggest(...args: string[]) {
  const host = fakeHost({ variables: { COLUMNS: "500" } });
  const code = await main(["suggest", "--no-config", ...args], host);
  return { code, out: host.out(), err: host.err() };
}

Deno.test("suggest writes requests, those that close most first, and says what they come to", async () => {
  await inFolder(async (folder) => {
    const { code, out, err } = await suggest(
      join(folder, "openapi.json"),
      ...["--server", "http://localhost:3000", "--format", "curl", "--operation", "listBooks"],
    );
    assert.equal(code, 0);
    assert.deepEqual(out.split("\n").filter((line) => line.startsWith("curl")), [
      "curl 'http://localhost:3000/books?limit=9'",
      "curl 'http://localhost:3000/books?limit=text'",
      "curl 'http://localhost:3000/books?limit=10'",
    ]);
    assert.equal(err, "3 requests close 6 gaps. None was found for 1 gap.\n");
  });
});

Deno.test("suggest sends requests where most of the traffic went", async () => {
  await inFolder(async (folder) => {
    const schema = join(folder, "openapi.json");
    const traffic = join(folder, "traffic.json");
    const { out } = await suggest(schema, traffic, "--base-path", "/api", "--format", "json");
    const { interactions } = JSON.parse(out);
    assert.equal(interactions[0].request.url, "https://shop.example/api/books?limit=9");
    assert(!out.includes("/books/"));
  });
});

Deno.test("suggest writes a file, and never over its inputs", async () => {
  await inFolder(async (folder) => {
    const schema = join(folder, "openapi.json");
    const output = join(folder, "requests.http");
    const server = ["--server", "http://localhost:3000"];
    const written = await suggest(schema, ...server, "--format", "http", "-o", output);
    assert.equal(written.out, "");
    assert.match(await Deno.readTextFile(output), /^### GET \/books/);
    const refused = await suggest(schema, ...server, "-o", schema);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /would overwrite/);
  });
});

Deno.test("suggest says what is missing or unknown", async () => {
  await inFolder(async (folder) => {
    const schema = join(folder, "openapi.json");
    const wrong: [string[], RegExp][] = [
      [[], /names no server with a host\. Say where requests go: --server http/],
      [["--server", "localhost:3000"], /is not a URL/],
      [["--server", "http://localhost", "--operation", "listBoks"], /Did you mean "listBooks"\?/],
      [["--server", "http://localhost", "--format", "htp"], /Did you mean http\?/],
      [["--server", "http://localhost", "--kinds", "keyword"], /Unknown dimension/],
      [["--server", "http://localhost/v9", "--base-path", "/v1"], /match no operation/],
    ];
    for (const [args, message] of wrong) {
      const { code, err } = await suggest(schema, ...args);
      assert.equal(code, 1, args.join(" "));
      assert.match(err, message);
    }
  });
});
