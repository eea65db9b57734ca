import { type Ended, run as runCommand } from "../../scripts/run.ts";
import assert from "node:assert/strict";
import { succeeds } from "../command_end.ts";
import { inShop } from "./shop_files.ts";

const ROOT = new URL("../../", import.meta.url);
const CLI = decodeURIComponent(new URL("cli.ts", ROOT).pathname);

const VARIABLES = { SOURCE_DATE_EPOCH: "1700000000", NO_COLOR: "1", FORCE_COLOR: "" };

async function run(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  return await runCommand(command, args, { cwd, env: VARIABLES });
}

const REPORT = ["report", "openapi.yaml", "traffic.json"];

Deno.test("the program ends with the code of its command, and keeps its streams apart", () =>
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
    const command = `"${Deno.execPath()}" run -A "${CLI}" report openapi.yaml - --format text`;
    const { out, err } = await succeeds(run("sh", ["-c", `${command} < traffic.json`], folder));
    assert.match(out, /^Shop\n/);
    assert.equal(err, "");
  }));

Deno.test("the program waits for what other programs write into pipes that are named as files", async () => {
  if (Deno.build.os === "windows") return;
  await inShop(async (folder) => {
    const program = `"${Deno.execPath()}" run -A "${CLI}" report`;
    const late = "<(sleep 0.5; cat openapi.yaml) <(sleep 1; cat traffic.json)";
    const command = `${program} ${late} <(gzip -c traffic.json) --format json`;
    const { out } = await succeeds(run("bash", ["-c", command], folder));
    const { schema, traffic } = JSON.parse(out);
    const direct = await run(
      "sh",
      ["-c", `${program} ${REPORT.slice(1).join(" ")} --format json`],
      folder,
    );
    const once = JSON.parse(direct.out);
    assert.deepEqual(schema, { ...once.schema, location: schema.location });
    assert.equal(traffic.matched, 2 * once.traffic.matched);
    assert.ok(once.traffic.matched > 0);
  });
});

Deno.test("a closed pipe is not a failure", () =>
  inShop(async (folder) => {
    const command = `"${Deno.execPath()}" run -A "${CLI}" ${REPORT.join(" ")} --format json`;
    const script = `{ ${command}; echo "code $?" >&2; } | true`;
    const { err } = await run("sh", ["-c", script], folder);
    assert.equal(err, "code 0\n");
  }));

Deno.test("a full disk under standard output is a sentence and the code 1, under standard error nothing", async () => {
  if (Deno.build.os !== "linux") return;
  await inShop(async (folder) => {
    const program = `"${Deno.execPath()}" run -A "${CLI}"`;
    const report = `${program} ${REPORT.join(" ")}`;
    const commands = [
      `${report} --format json`,
      `${report} --format text`,
      `${program} convert traffic.json`,
      `${program} --help`,
      `${program} --version`,
    ];
    for (const command of commands) {
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

Deno.test("what Deno does not allow is a sentence, and the environment is not needed", () =>
  inShop(async (folder) => {
    const allowed = (permissions: readonly string[], args: readonly string[]) =>
      run(Deno.execPath(), ["run", "--no-prompt", ...permissions, CLI, ...args], folder);
    const files = ["--allow-read", "--allow-write"];
    for (let time = 0; time < 2; time++) {
      const { code, err } = await allowed(files, [...REPORT, "-o", "page.html"]);
      assert.equal(code, 0, err);
    }
    const converted = await allowed([...files, "--allow-env"], [
      ...["convert", "traffic.json", "-o", "traffic.jsonl"],
    ]);
    assert.equal(converted.code, 0, converted.err);
    for (
      const [permissions, args] of [
        [[], REPORT],
        [["--allow-read"], REPORT],
        [[], ["convert", "traffic.json"]],
        [files, ["proxy", "openapi.yaml", "--", "true"]],
        [files, ["run", "openapi.yaml", "--", "true"]],
      ] as const
    ) {
      const { code, err } = await allowed(permissions, args);
      assert.equal(code, 1);
      const [error = "", ...end] = err.split("\n").slice(-3);
      assert.match(error, /^Error: .*Deno doesn't permit .*: add --allow-\w+\S* to its options\./);
      assert.deepEqual(end, ["covtool: exit 1: error", ""], err);
      assert.doesNotMatch(err, /^\s+at /m);
    }
  }));

Deno.test("bundled, the program writes the same bytes on Deno and on Node.js", () =>
  inShop(async (folder) => {
    const bundle = `${folder}/covtool.mjs`;
    await succeeds(run(
      Deno.execPath(),
      ["bundle", "--quiet", "--platform", "browser", "--minify", "--output", bundle, CLI],
      decodeURIComponent(ROOT.pathname),
    ));
    const args = [...REPORT, "--format", "json", "--format", "html=page.html"];
    const source = await run(Deno.execPath(), ["run", "-A", CLI, ...args], folder);
    const page = await Deno.readTextFile(`${folder}/page.html`);
    for (
      const [command, before] of [[Deno.execPath(), ["run", "-A", bundle]], ["node", [
        bundle,
      ]]] as const
    ) {
      const { out } = await succeeds(run(command, [...before, ...args], folder));
      assert.equal(out, source.out);
      assert.equal(await Deno.readTextFile(`${folder}/page.html`), page);
    }
  }));
