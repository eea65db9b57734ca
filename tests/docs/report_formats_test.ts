import assert from "node:assert/strict";
import { ROOT } from "../../scripts/source_files.ts";
import { formatList, REPORT_FORMATS, REPORTERS } from "../../src/report/reporters.ts";

async function read(path: string): Promise<string> {
  return await Deno.readTextFile(`${ROOT}/${path}`);
}

Deno.test("the table of report formats has every reporter with its default file", async () => {
  const page = await read("docs/report-formats.md");
  const rows = [...page.matchAll(/^\| `(\w+)` +\|[^|]+\| `([\w.]+)` +\|$/gm)];
  const listed = rows.map(([, name, file]) => `${name} ${file}`).toSorted();
  assert.deepEqual(listed, REPORTERS.map(({ name, file }) => `${name} ${file}`).toSorted());
});

Deno.test("the action offers every format, and writes each to its default file", async () => {
  assert.ok((await read("action.yml")).includes(` - ${REPORT_FORMATS.join(", ")}.`));
  const script = await read("action/measure.sh");
  const names = [...script.matchAll(/^ {4}(\w+)\) echo (\S+) ;;$/gm)];
  assert.deepEqual(
    names.map(([, name, file]) => [name, file]),
    REPORTERS.map(({ name, file }) => [name, file]),
  );
});

Deno.test("help and the options of test runners list every format", async () => {
  const commands = (await read("docs/commands.md")).replaceAll(/\s+/g, " ");
  const listed = formatList(REPORT_FORMATS).replace("html", "html (default)");
  assert.ok(commands.includes(listed), listed);
  const options = (await read("src/runners/run_options.ts")).replaceAll(/\s+\*?\s*/g, " ");
  const inCode = formatList(
    REPORT_FORMATS.filter((name) => name !== "text").map((name) => `\`${name}\``),
  );
  assert.ok(options.includes(inCode), inCode);
});
