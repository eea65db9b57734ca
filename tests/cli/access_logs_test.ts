import assert from "node:assert/strict";
import { type Ended, runCovtool } from "./fake_host.ts";
import { inFolder } from "../in_folder.ts";
import { apiOf } from "../api_of.ts";

const DESCRIPTION = JSON.stringify(apiOf({
  "/books": {
    get: {
      parameters: [
        { name: "limit", in: "query", schema: { type: "integer" } },
        { name: "X-Tenant", in: "header", schema: { type: "string" } },
      ],
      responses: { 200: { description: "Books" } },
    },
  },
}));

async function run(
  files: Readonly<Record<string, string | Uint8Array>>,
  args: (folder: string) => readonly string[],
): Promise<Ended> {
  return await inFolder(
    { "openapi.json": DESCRIPTION, ...files },
    (folder) => runCovtool(args(folder), { columns: 100, variables: { NO_COLOR: "1" } }),
  );
}

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
