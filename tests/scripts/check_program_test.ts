import assert from "node:assert/strict";
import { outcomeOf } from "../../scripts/program/outcome.ts";
import { programCases } from "../../scripts/program/program_cases.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { inFolder } from "../in_folder.ts";

Deno.test("the program is compared by every command, every worked fixture and every kind of recording", async () => {
  const cases = await programCases(ROOT);
  const commands = new Set(cases.map(({ args }) => args[0]));
  for (const command of ["report", "proxy", "convert", "completion", "--version"]) {
    assert.ok(commands.has(command), command);
  }
  const texts = cases.map(({ args }) => args.join(" "));
  for (const folder of ["worked", "recordings"]) {
    for await (const { name, isDirectory } of Deno.readDir(`${ROOT}/tests/fixtures/${folder}`)) {
      if (isDirectory) assert.ok(texts.some((text) => text.includes(`${folder}/${name}`)), name);
    }
  }
});

Deno.test("an outcome is code, streams and files, without free ports and times", () =>
  inFolder({}, async (folder) => {
    const script = `
      await Deno.writeTextFile(Deno.args[0], await new Response(Deno.stdin.readable).text());
      console.log(Deno.env.get("SOURCE_DATE_EPOCH"));
      console.error("http://127.0.0.1:4711/, 2026-11-21 02:45:46 to 02:46:00");
      Deno.exit(7);
    `;
    const outcome = await outcomeOf(Deno.execPath(), ["eval", script, "OUT/copy.txt"], {
      root: ROOT,
      folder: `${folder}/out`,
      stdin: "LICENSE",
    });
    assert.deepEqual(outcome, {
      code: 7,
      out: "1700000000\n",
      err: "http://127.0.0.1:PORT/, TIME\n",
      files: new Map([["copy.txt", await Deno.readTextFile(`${ROOT}/LICENSE`)]]),
    });
  }));
