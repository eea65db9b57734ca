import assert from "node:assert/strict";
import { inShop } from "./shop_files.ts";

const ROOT = new URL("../../", import.meta.url);
const CLI = decodeURIComponent(new URL("cli.ts", ROOT).pathname);

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    cwd,
    env: { SOURCE_DATE_EPOCH: "1700000000", NO_COLOR: "1", FORCE_COLOR: "" },
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

const REPORT = ["report", "openapi.yaml", "traffic.json"];

Deno.test("the program ends with the code of its command, and keeps its streams apart", async () => {
  await inShop(async (folder) => {
    const source = (args: readonly string[]) =>
      run(Deno.execPath(), ["run", "-A", CLI, ...args], folder);
    const good = await source([...REPORT, "--format", "json"]);
    assert.equal(good.code, 0, good.err);
    assert.equal(good.err, "");
    assert.ok(good.out.startsWith("{\n"));
    const short = await source([...REPORT, "--format", "json", "--fail-under", "99"]);
    assert.equal(short.code, 1);
    assert.equal(short.out, good.out);
    assert.match(short.err, /^Thresholds not met:\n/);
  });
});

Deno.test("the program reads standard input", async () => {
  await inShop(async (folder) => {
    const command = `"${Deno.execPath()}" run -A "${CLI}" report openapi.yaml - --format text`;
    const { code, out, err } = await run("sh", ["-c", `${command} < traffic.json`], folder);
    assert.equal(code, 0);
    assert.match(out, /^Shop\n/);
    assert.equal(err, "");
  });
});

Deno.test("a reader that has left is no failure", async () => {
  await inShop(async (folder) => {
    const command = `"${Deno.execPath()}" run -A "${CLI}" ${REPORT.join(" ")} --format json`;
    const script = `{ ${command}; echo "code $?" >&2; } | true`;
    const { err } = await run("sh", ["-c", script], folder);
    assert.equal(err, "code 0\n");
  });
});

Deno.test("bundled, the program writes the same bytes on Deno and on Node.js", async () => {
  await inShop(async (folder) => {
    const bundle = `${folder}/covtool.mjs`;
    const bundled = await run(
      Deno.execPath(),
      ["bundle", "--quiet", "--platform", "browser", "--minify", "--output", bundle, CLI],
      decodeURIComponent(ROOT.pathname),
    );
    assert.equal(bundled.code, 0, bundled.err);
    const args = [...REPORT, "--format", "json", "--format", "html=page.html"];
    const source = await run(Deno.execPath(), ["run", "-A", CLI, ...args], folder);
    const page = await Deno.readTextFile(`${folder}/page.html`);
    for (
      const [command, before] of [[Deno.execPath(), ["run", "-A", bundle]], ["node", [
        bundle,
      ]]] as const
    ) {
      const { code, out, err } = await run(command, [...before, ...args], folder);
      assert.equal(code, 0, err);
      assert.equal(out, source.out);
      assert.equal(await Deno.readTextFile(`${folder}/page.html`), page);
    }
  });
});
