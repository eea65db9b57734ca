import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { succeeds } from "../command_end.ts";
import { runCovtool } from "../cli/fake_host.ts";
import { inWorkingFolder } from "../in_folder.ts";

/** Possible names of files and folders on Linux and macOS. */
const NAMES = [
  "--schema=two words # 50% off? %20%23% ",
  "-line\nfeed\ttab 😀 é é \u202eevil",
  "~",
  `back\\slash:x * [x] {y,z} quo'te"s $HOME a;b&c|d>e`,
  "::warning::x \x1b[31mred",
];

function description(reference: string): string {
  return `openapi: 3.1.0
info: { title: Names, version: "1" }
servers: [{ url: http://localhost }]
paths:
  /a:
    get:
      parameters: [{ name: q, in: query, schema: { $ref: ${JSON.stringify(reference)} } }]
      responses: { 200: { description: Fine } }
`;
}

const TRAFFIC = JSON.stringify({
  interactions: [{
    request: { method: "GET", url: "http://localhost/a?q=0" },
    response: { status_code: 200 },
  }],
});

Deno.test("files and folders with any name can be read, referred to and written", async (context) => {
  if (Deno.build.os === "windows") return;
  for (const name of NAMES) {
    await context.step(
      JSON.stringify(name),
      () =>
        inWorkingFolder({}, async (folder) => {
          const recordings = `./traffic ${name}`;
          mkdirSync(`${name}/${recordings}`, { recursive: true });
          process.chdir(`./${name}`);
          const reference = `./${encodeURIComponent(name)}.schema.yaml#/Q`;
          writeFileSync(`${name}.yaml`, description(reference));
          writeFileSync(`${name}.schema.yaml`, "Q: { type: integer, minimum: 1 }\n");
          writeFileSync(`${recordings}/${name}.json`, TRAFFIC);
          const config = {
            schema: `${name}.yaml`,
            traffic: [recordings],
            format: [`json=./${name}.json`, `sarif=./${name}.sarif`],
          };
          writeFileSync("covtool.yaml", JSON.stringify(config));
          const run = async (...args: readonly string[]) => {
            const { err } = await succeeds(runCovtool(args));
            // Names don't act as commands for a terminal or a build server.
            assert.ok(!err.includes("\x1b") && !err.includes("\u202e"));
            assert.doesNotMatch(err, /^::/m);
          };
          await run("report");
          const report = JSON.parse(readFileSync(`${name}.json`, "utf8"));
          assert.equal(report.summary.keywords.total, 2);
          assert.equal(report.summary.keywords.partial, 2);
          const { runs } = JSON.parse(readFileSync(`${name}.sarif`, "utf8"));
          assert.equal(runs.length, 1);
          // The same with paths on the command line and with URLs.
          await run(
            ...["report", "--no-config", pathToFileURL(`${name}.yaml`).href],
            ...[`${recordings}/${name}.json`, "--format", `hits=./${name}.hits`],
          );
          await run(
            ...["merge", "--no-config", `./${name}.yaml`, `./${name}.hits`, "-o", `./sum ${name}`],
            ...["--format", `html=./${name}.html`, "--format", `json=./merged ${name}`],
          );
          const merged = JSON.parse(readFileSync(`merged ${name}`, "utf8"));
          assert.deepEqual(merged.summary, report.summary);
          await run("convert", recordings, "-o", `./${name}.jsonl`);
          assert.equal(readFileSync(`${name}.jsonl`, "utf8").trimEnd().split("\n").length, 1);
          assert.equal(readdirSync(`${folder}/${name}`).length, 12);
        }),
    );
  }
});
