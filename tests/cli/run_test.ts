import assert from "node:assert/strict";
import { startError } from "../../src/cli/run_child.ts";
import type { Report } from "../../src/report/report.ts";
import { fails, succeeds } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { inShop } from "./shop_files.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);
const DENO = Deno.execPath();

/** A program that calls the shop like a test suite, and ends as requested. */
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
if (end === "interrupt") {
  await shop(new Request("http://localhost/v1/books?limit=7")); // without reading the body
  Deno.kill(Deno.pid, "SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}
if (end === "cut") Deno.writeTextFileSync(Deno.env.get("COVTOOL_TRAFFIC") + "/1-0-a.jsonl", '{"request":{"met');
Deno.exit(Number(end ?? 0));
`;

/** Runs `covtool run` with options, and with arguments for the program. */
async function run(options: string, args: string) {
  await Deno.writeTextFile("tests.ts", PROGRAM);
  const program = `${DENO} run -A --config ${ROOT}deno.json tests.ts ${args}`;
  const { code, err } = await runCovtool(
    `run openapi.yaml --format json=coverage.json ${options} -- ${program}`,
  );
  const report = JSON.parse(await Deno.readTextFile("coverage.json")) as Report;
  return { code, report, err };
}

Deno.test("run reports what the command's processes collect, with the names of tests", () =>
  inShop(async () => {
    const { report, err } = await succeeds(run("", "500"));
    assert.deepEqual(report.tests, ["asks for 500"]);
    assert.deepEqual(report.operations[0]?.covered_by, [0]);
    assert.deepEqual(
      report.operations[0]?.parameters[0]?.keywords.map(({ keyword, covered_by }) => [
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

Deno.test("run fails if a threshold is not met, and keeps the command's own exit code", () =>
  inShop(async () => {
    await fails(run("--fail-under-operations 60", "1"), /Threshold not met:\n {2}operations/);
    const failed = await run("--fail-under-operations 60", "1 3");
    assert.equal(failed.code, 3);
    assert.ok(
      failed.err.endsWith(
        "\ncovtool: exit 3: the command failed with this code; besides, requirements not met (threshold of operations)\n",
      ),
      failed.err,
    );
    const own = await run("", "1 3");
    assert.ok(own.err.endsWith("\ncovtool: exit 3: the command failed with this code\n"), own.err);
  }));

Deno.test("run reports what a killed process had recorded", () =>
  inShop(async () => {
    const { code, report } = await run("", "1 die");
    assert.equal(code, 137);
    assert.equal(report.traffic.matched, 1);
  }));

Deno.test("run reports what a process sent before Ctrl+C, with a warning", () =>
  inShop(async () => {
    const { code, report, err } = await run("", "1 interrupt");
    assert.equal(code, 130);
    assert.equal(report.traffic.matched, 2);
    // The code alone may also be a number of failed tests.
    assert.match(err, /Warning: The command may have been interrupted; if so, this is what it had/);
    const withShell = (script: string) =>
      runCovtool(["run", "openapi.yaml", "-o", "page.html", "--", "sh", "-c", script]);
    const cut = await withShell('trap "exit 1" TERM; kill -TERM $PPID; sleep 0.3');
    assert.match(cut.err, /Warning: The command was interrupted, so this is what it had sent/);
    const whole = await withShell('trap "" TERM; kill -TERM $PPID; sleep 0.3');
    assert.equal(whole.code, 0);
    assert.doesNotMatch(whole.err, /interrupted/, "it went on to its end");
    const { err: nothing } = await withShell("kill -TERM $$");
    assert.match(nothing, /^Warning: No traffic was recorded, for the reason below\.\n/);
    assert.match(nothing, /\nWarning: The command may have been interrupted; if so/);
  }));

Deno.test("run warns about a process that couldn't finish, and keeps the rest", () =>
  inShop(async () => {
    const { report, err } = await run("", "1 cut");
    assert.equal(report.traffic.recorded, 1);
    assert.match(err, /Warning: .*Process 1\b/);
  }));

Deno.test("run warns if nothing was collected", () =>
  inShop(async () => {
    const tests = `-o page.html -- ${DENO} --version`;
    const { err } = await succeeds(runCovtool(`run openapi.yaml ${tests}`));
    assert.match(err, /^Warning: No traffic was recorded/);
    await fails(
      runCovtool(`run openapi.yaml --fail-on no-traffic ${tests}`),
      /\nFailed on no-traffic:\n {2}The traffic contains no requests\.\n/,
    );
  }));

Deno.test("run doesn't suggest a recorder if one was used whose version can't be read", () =>
  inShop(async () => {
    const line = '{"covtool": 9, "recorder": "rust 2"}\\n';
    const file = 'Deno.env.get("COVTOOL_TRAFFIC") + "/traffic-1-0123456789ab.ndjson"';
    const { err } = await succeeds(runCovtool([
      ...["run", "openapi.yaml", "-o", "page.html", "--", DENO, "eval"],
      `Deno.writeTextFileSync(${file}, '${line}')`,
    ]));
    assert.match(
      err,
      /^Warning: No traffic was recorded, for the reason below\.\n[^]*rust 2 wrote version 9/,
    );
  }));

Deno.test("run distinguishes tests that sent nothing from tests without a recorder", () =>
  inShop(async () => {
    const line = '{"covtool": 1, "recorder": "pytest 0.1.0"}';
    for (const [file, content] of [["traffic-1-01234567.ndjson", line], ["1-0-a.jsonl", ""]]) {
      const script = `printf '%s' '${content}' > "$COVTOOL_TRAFFIC/${file}"`;
      const { err } = await runCovtool(
        ["run", "openapi.yaml", "-o", "page.html", "--", "sh", "-c", script],
      );
      assert.match(err, /^Warning: No traffic was recorded\. covtool was loaded in the tests, but/);
    }
  }));

Deno.test("run doesn't start the command without a valid description or baseline", () =>
  inShop(async () => {
    await fails(runCovtool("run openapi.yaml"), /^Error: No test command given\./);
    const program = 'Deno.writeTextFileSync("ran","")';
    await fails(runCovtool(`run nothing.yaml -- ${DENO} eval ${program}`), /There is no such file/);
    const base = await runCovtool(
      `run openapi.yaml --baseline nope.json -- ${DENO} eval ${program}`,
    );
    assert.match(base.err, /Cannot compare with nope\.json/);
    await assert.rejects(Deno.stat("ran"));
  }));

Deno.test("run says what is wrong with a command that isn't found", () => {
  const missing = Object.assign(new Error("spawn ENOENT"), { code: "ENOENT" });
  for (
    const [command, advice] of [
      ["gotest", "Check its name and that it is installed."],
      ["/opt/my tools/gotest", "Check its name and that it is installed."],
      ["go test ./...", "Leave out the quotes around the whole command: -- go test ./..."],
    ] as const
  ) {
    const { message } = startError([command], missing);
    assert.equal(message, `Command not found: ${command}. ${advice}`);
  }
});
