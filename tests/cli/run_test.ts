import assert from "node:assert/strict";
import { main } from "../../src/cli/main.ts";
import type { Report } from "../../src/report/report.ts";
import { fakeHost } from "./fake_host.ts";
import { inShop } from "./shop_files.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);
const DENO = Deno.execPath();

/** A program that calls the shop, as a test suite would, and ends as told. */
const PROGRAM = `
import { TrafficCollector } from "${ROOT}src/entries/collect.ts";
const collector = TrafficCollector.shared();
const shop = collector.handler.trackClient((_request: Request) => Response.json([]));
const [limit, end] = Deno.args;
await collector.tests.run("asks for " + limit, async () => {
  await shop(new Request("http://localhost/v1/books?limit=" + limit)).text();
});
await collector.settled();
if (end === "die") Deno.kill(Deno.pid, "SIGKILL");
if (end === "cut") Deno.writeTextFileSync(Deno.env.get("COVTOOL_TRAFFIC") + "/1-0-a.jsonl", '{"request":{"met');
Deno.exit(Number(end ?? 0));
`;

async function run(
  folder: string,
  options: readonly string[],
  args: readonly string[],
): Promise<{ code: number; report: Report | undefined; err: string }> {
  await Deno.writeTextFile(`${folder}/tests.ts`, PROGRAM);
  const host = fakeHost();
  const command = [DENO, "run", "-A", "--config", `${ROOT}deno.json`, `${folder}/tests.ts`];
  const code = await main(
    ["run", `${folder}/openapi.yaml`, "--format", `json=${folder}/coverage.json`, ...options]
      .concat("--", command, args),
    host,
  );
  const text = await Deno.readTextFile(`${folder}/coverage.json`).catch(() => undefined);
  return { code, report: text === undefined ? undefined : JSON.parse(text), err: host.err() };
}

Deno.test("run reports what the command's processes collect, and which test it was", () =>
  inShop(async (folder) => {
    const { code, report, err } = await run(folder, [], ["500"]);
    assert.equal(code, 0);
    assert.deepEqual(report?.tests, ["asks for 500"]);
    assert.deepEqual(report?.operations[0]?.covered_by, [0]);
    assert.deepEqual(
      report?.operations[0]?.parameters[0]?.keywords.map(({ keyword, covered_by }) => [
        keyword,
        covered_by,
      ]),
      [
        ["type", { valid: [0], invalid: [] }],
        ["minimum", { valid: [0], invalid: [] }],
        ["maximum", { valid: [], invalid: [0] }],
      ],
    );
    assert.match(err, /\n1 request: 1 matched, 0 unmatched/);
  }));

Deno.test("run fails where a threshold is not met, and passes the command's own code on", () =>
  inShop(async (folder) => {
    const short = await run(folder, ["--fail-under-operations", "60"], ["1"]);
    assert.equal(short.code, 1);
    assert.match(short.err, /Threshold not met:\n {2}operations/);
    const failed = await run(folder, ["--fail-under-operations", "60"], ["1", "3"]);
    assert.equal(failed.code, 3);
    assert.ok(
      failed.err.endsWith(
        "\ncovtool: exit 3: the command failed with this code; besides, requirements not met (threshold of operations)\n",
      ),
      failed.err,
    );
    const own = await run(folder, [], ["1", "3"]);
    assert.ok(own.err.endsWith("\ncovtool: exit 3: the command failed with this code\n"), own.err);
  }));

Deno.test("run reports what a killed process had completed", () =>
  inShop(async (folder) => {
    const { code, report } = await run(folder, [], ["1", "die"]);
    assert.equal(code, 137);
    assert.equal(report?.traffic.matched, 1);
  }));

Deno.test("run says what a process could not finish, and keeps the rest", () =>
  inShop(async (folder) => {
    const { report, err } = await run(folder, [], ["1", "cut"]);
    assert.equal(report?.traffic.recorded, 1);
    assert.match(err, /Warning: .*Process 1\b/);
  }));

Deno.test("run warns if nothing was collected", () =>
  inShop(async (folder) => {
    const host = fakeHost();
    const args = ["run", `${folder}/openapi.yaml`, "-o", `${folder}/page.html`];
    assert.equal(await main([...args, "--", DENO, "--version"], host), 0);
    assert.match(host.err(), /^Warning: No traffic was recorded/);
    const failing = fakeHost();
    const condition = ["--fail-on", "no-traffic"];
    assert.equal(await main([...args, ...condition, "--", DENO, "--version"], failing), 1);
    assert.match(
      failing.err(),
      /\nFailed on no-traffic:\n {2}The traffic contains no requests\.\n/,
    );
  }));

Deno.test("run asks for no recorder where one says that it can't be read", () =>
  inShop(async (folder) => {
    const host = fakeHost();
    const line = '{"covtool": 9, "recorder": "rust 2"}\\n';
    const file = 'Deno.env.get("COVTOOL_TRAFFIC") + "/traffic-1-0123456789ab.ndjson"';
    const command = ["--", DENO, "eval", `Deno.writeTextFileSync(${file}, '${line}')`];
    const args = ["run", `${folder}/openapi.yaml`, "-o", `${folder}/page.html`];
    assert.equal(await main([...args, ...command], host), 0);
    assert.match(
      host.err(),
      /^Warning: No traffic was recorded, for the reason below\.\n[^]*rust 2 wrote version 9/,
    );
  }));

Deno.test("run without a command, or without a valid description, runs nothing", () =>
  inShop(async (folder) => {
    const none = fakeHost();
    assert.equal(await main(["run", `${folder}/openapi.yaml`], none), 1);
    assert.match(none.err(), /^Error: No test command given\./);
    const wrong = fakeHost();
    const command = ["--", DENO, "eval", `Deno.writeTextFileSync("${folder}/ran", "")`];
    assert.equal(await main(["run", `${folder}/nothing.yaml`, ...command], wrong), 1);
    assert.match(wrong.err(), /There is no such file/);
    await assert.rejects(Deno.stat(`${folder}/ran`));
  }));
