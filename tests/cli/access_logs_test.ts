import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { type Ended, runCovtool } from "./fake_host.ts";
import { inFolder } from "../in_folder.ts";

const DESCRIPTION = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/books": {
      get: {
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer" } },
          { name: "X-Tenant", in: "header", schema: { type: "string" } },
        ],
        responses: { 200: { description: "Books" } },
      },
    },
  },
});

const COMBINED =
  '203.0.113.77 - ada [21/Nov/2026:10:00:00 +0000] "GET /books?limit=5 HTTP/1.1" 200 12 "https://referrer.example/" "x"\n';

async function run(
  files: Readonly<Record<string, string | Uint8Array>>,
  args: (folder: string) => readonly string[],
): Promise<Ended> {
  return await inFolder(
    { "openapi.json": DESCRIPTION, ...files },
    (folder) => runCovtool(args(folder), { columns: 100, variables: { NO_COLOR: "1" } }),
  );
}

Deno.test("rotated and compressed logs of a folder are read together", async () => {
  const { code, out } = await run({
    "logs/access.log": COMBINED,
    "logs/access.log.1": COMBINED,
    "logs/access.log.2.gz": new Uint8Array(gzipSync(COMBINED)),
    "logs/access.log.3.gz": new Uint8Array(gzipSync(COMBINED)).subarray(0, 80),
    "logs/error.log": "2026/11/21 10:00:00 [notice] 1#1: start worker processes\n",
  }, (folder) => ["report", `${folder}/openapi.json`, `${folder}/logs`, "--format", "json"]);
  assert.equal(code, 0);
  const report = JSON.parse(out);
  assert.ok(report.traffic.recorded >= 3, out);
  assert.equal(report.summary.parameters.seen, 1);
  assert.equal(report.summary.parameters.total, 1, "a header isn't measured by an access log");
});

Deno.test("--log-format reads a format of one's own, and the config file's logFormat too", async () => {
  const line = "GET|/books?limit=5|200\nnonsense\n";
  const format = "$request_method|$request_uri|$status";
  const given = await run(
    { "logs/a.log": line },
    (folder) => [
      "report",
      `${folder}/openapi.json`,
      `${folder}/logs/a.log`,
      "--log-format",
      format,
      "--format",
      "json",
    ],
  );
  assert.equal(JSON.parse(given.out).traffic.matched, 1);
  assert.match(
    given.err.replace(/\s+/g, " "),
    /a line that doesn't fit --log-format at .* is left out \(at line 2\)/,
  );
  const configured = await run(
    { "logs/a.log": line, "covtool.yaml": `logFormat: "${format}"\n` },
    (folder) => [
      "report",
      `${folder}/openapi.json`,
      `${folder}/logs/a.log`,
      "--config",
      `${folder}/covtool.yaml`,
      "--format",
      "json",
    ],
  );
  assert.equal(JSON.parse(configured.out).traffic.matched, 1);
});

Deno.test("a log format without requests is an error before anything is read", async () => {
  const { code, err } = await run({}, (folder) => [
    "report",
    `${folder}/openapi.json`,
    `${folder}/none.log`,
    "--log-format",
    "$status",
  ]);
  assert.notEqual(code, 0);
  assert.match(err.replace(/\s+/g, " "), /needs the method and the URL of requests: \$request/);
});

Deno.test("a log of nothing but noise is a warning, not an error", async () => {
  const { code, err } = await run(
    { "logs/a.log": COMBINED.replace("GET /books?limit=5 HTTP/1.1", "-") },
    (folder) => ["report", `${folder}/openapi.json`, `${folder}/logs/a.log`, "--format", "json"],
  );
  assert.equal(code, 0);
  assert.match(
    err.replace(/\s+/g, " "),
    /whose request is empty or isn't HTTP is left out \(at line 1\)/,
  );
});

Deno.test("convert writes no client, user, referrer or secret of a log, even without masking", async () => {
  const { out } = await run(
    { "logs/a.log": COMBINED.replace("limit=5", "limit=5&api_key=t0ken-s3cret-99") },
    (folder) => ["convert", `${folder}/logs/a.log`, "--no-redact"],
  );
  assert.match(out, /limit=5&api_key=a1aaa-a1aaaa-11/);
  assert.doesNotMatch(out, /203\.0|ada|referrer|t0ken/);
});
