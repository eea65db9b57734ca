import { type Ended, run as runCommand } from "../../scripts/run.ts";
import assert from "node:assert/strict";
import { succeeds } from "../command_end.ts";
import { bundledProgram, COVTOOL_MODULE } from "../covtool_module.ts";
import { inShop } from "./shop_files.ts";

const ROOT = new URL("../../", import.meta.url);
/** The sources. Other tests use COVTOOL_MODULE, which starts faster. */
const CLI = decodeURIComponent(new URL("cli.ts", ROOT).pathname);
const PROGRAM = `"${Deno.execPath()}" run -A "${COVTOOL_MODULE}"`;

const VARIABLES = { SOURCE_DATE_EPOCH: "1700000000", NO_COLOR: "1", FORCE_COLOR: "" };

async function run(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  return await runCommand(command, args, { cwd, env: VARIABLES });
}

const REPORT = ["report", "openapi.yaml", "traffic.json"];

Deno.test("the program exits with the code of its command, and separates its streams", () =>
  inShop(async (folder) => {
    const source = (args: readonly string[]) =>
      run(Deno.execPath(), ["run", "-A", CLI, ...args], folder);
    const good = await source([...REPORT, "--format", "json"]);
    assert.equal(good.code, 0, good.err);
    assert.equal(good.err, "");
    assert.ok(good.out.startsWith("{\n"));
    const short = await source([...REPORT, "--format", "json", "--fail-under", "99"]);
    assert.equal(short.code, 1);
    const { verdict, ...others } = JSON.parse(short.out);
    assert.deepEqual(others, JSON.parse(good.out));
    assert.equal(verdict.passed, false);
    assert.match(short.err, /^Thresholds not met:\n/);
  }));

Deno.test("the program reads standard input", () =>
  inShop(async (folder) => {
    const command = `${PROGRAM} report openapi.yaml - --format text`;
    const { out, err } = await succeeds(run("sh", ["-c", `${command} < traffic.json`], folder));
    assert.match(out, /^Shop\n/);
    assert.equal(err, "");
  }));

Deno.test("the program waits for data from named pipes", async () => {
  if (Deno.build.os === "windows") return;
  await inShop(async (folder) => {
    const late = "<(sleep 0.5; cat openapi.yaml) <(sleep 1; cat traffic.json)";
    const command = `${PROGRAM} report ${late} <(gzip -c traffic.json) --format json`;
    const { out } = await succeeds(run("bash", ["-c", command], folder));
    const { schema, traffic } = JSON.parse(out);
    const report = `${PROGRAM} ${REPORT.join(" ")} --format json`;
    const direct = await run("sh", ["-c", report], folder);
    const once = JSON.parse(direct.out);
    assert.deepEqual(schema, { ...once.schema, location: schema.location });
    assert.equal(traffic.matched, 2 * once.traffic.matched);
    assert.ok(once.traffic.matched > 0);
  });
});

Deno.test("a full disk is an error with code 1 under standard output, and silent under standard error", async () => {
  if (Deno.build.os !== "linux") return;
  await inShop(async (folder) => {
    const report = `${PROGRAM} ${REPORT.join(" ")}`;
    // The version is printed by other code.
    for (const command of [`${report} --format json`, `${PROGRAM} --version`]) {
      const full = await run("sh", ["-c", `${command} > /dev/full`], folder);
      assert.equal(full.code, 1, command);
      assert.equal(
        full.err,
        "Error: Cannot write to standard output: The disk is full: free some space, or choose a file on another disk.\ncovtool: exit 1: error\n",
      );
    }
    await succeeds(run("sh", ["-c", `${report} -o page.html 2> /dev/full`], folder));
    const file = await run("sh", ["-c", `${report} -o /dev/full`], folder);
    assert.match(file.err, /^Error: Cannot write \/dev\/full: The disk is full/);
  });
});

Deno.test("the bundled program writes the same bytes on Deno and Node.js", () =>
  inShop(async (folder) => {
    const bundle = await bundledProgram();
    const args = [...REPORT, "--format", "json", "--format", "html=page.html"];
    const source = await run(Deno.execPath(), ["run", "-A", CLI, ...args], folder);
    const page = await Deno.readTextFile(`${folder}/page.html`);
    for (const [command, ...before] of [[Deno.execPath(), "run", "-A"], ["node"]] as const) {
      const { out } = await succeeds(run(command, [...before, bundle, ...args], folder));
      assert.equal(out, source.out);
      assert.equal(await Deno.readTextFile(`${folder}/page.html`), page);
    }
  }));
