import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { runCovtool, SOURCES } from "./covtool_process.ts";
import { makeFaultFolder } from "./fault_folder.ts";
import { inFolder } from "../in_folder.ts";

/** What names of files and folders may be on Linux and macOS. */
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

Deno.test("files and folders of every name are read, referred to and written", async (context) => {
  if (Deno.build.os === "windows") return;
  await inFolder({}, async (root) => {
    for (const [index, name] of NAMES.entries()) {
      await context.step(JSON.stringify(name), async () => {
        const folder = makeFaultFolder(`${root}/${index}`);
        const inner = `${folder.work}/${name}`;
        const recordings = `./traffic ${name}`;
        mkdirSync(`${inner}/${recordings}`, { recursive: true });
        const reference = `./${encodeURIComponent(name)}.schema.yaml#/Q`;
        writeFileSync(`${inner}/${name}.yaml`, description(reference));
        writeFileSync(`${inner}/${name}.schema.yaml`, "Q: { type: integer, minimum: 1 }\n");
        writeFileSync(`${inner}/${recordings}/${name}.json`, TRAFFIC);
        const config = {
          schema: `${name}.yaml`,
          traffic: [recordings],
          format: [`json=./${name}.json`, `sarif=./${name}.sarif`],
        };
        writeFileSync(`${inner}/covtool.yaml`, JSON.stringify(config));
        const run = async (args: readonly string[]) => {
          const ended = await runCovtool(SOURCES, { ...folder, work: inner }, { args });
          assert.equal(ended.code, 0, ended.err);
          // Names are no commands: of a terminal or of a build.
          assert.ok(!ended.err.includes("\x1b") && !ended.err.includes("\u202e"));
          assert.doesNotMatch(ended.err, /^::/m);
          return ended;
        };
        await run(["report"]);
        const report = JSON.parse(readFileSync(`${inner}/${name}.json`, "utf8"));
        assert.equal(report.summary.keywords.total, 2);
        assert.equal(report.summary.keywords.partial, 2);
        const { runs } = JSON.parse(readFileSync(`${inner}/${name}.sarif`, "utf8"));
        assert.equal(runs.length, 1);
        // The same by paths of a command line, and by URLs.
        const url = (path: string) => pathToFileURL(`${inner}/${path}`).href;
        await run([
          ...["report", "--no-config", url(`${name}.yaml`), `${recordings}/${name}.json`],
          ...["--format", `hits=./${name}.hits`],
        ]);
        await run([
          ...["merge", "--no-config", `./${name}.yaml`, `./${name}.hits`, "-o", `./sum ${name}`],
          ...["--format", `html=./${name}.html`, "--format", `json=./merged ${name}`],
        ]);
        const merged = JSON.parse(readFileSync(`${inner}/merged ${name}`, "utf8"));
        assert.deepEqual(merged.summary, report.summary);
        await run(["convert", recordings, "-o", `./${name}.jsonl`]);
        assert.equal(
          readFileSync(`${inner}/${name}.jsonl`, "utf8").trimEnd().split("\n").length,
          1,
        );
        assert.equal(readdirSync(inner).length, 12);
      });
    }
  });
});
