// Tests the command that a report prints to find more requests.
import { runOrThrow } from "../../scripts/run.ts";
import assert from "node:assert/strict";
import { readRunOptions } from "../../src/runners/run_options.ts";
import { echo, startServer } from "../proxy/test_server.ts";
import { fails, succeeds } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { startCommand } from "./running_command.ts";
import { inShop, SHOP_DESCRIPTION } from "./shop_files.ts";

/** A description with enough parameters for more requests than a report shows. */
const MANY = SHOP_DESCRIPTION.replace(
  /^( +)parameters:\n/m,
  (found, indent: string) =>
    found +
    "abcdefgh".split("").map((name) =>
      `${indent}  - { name: ${name}, in: query, schema: { type: integer, minimum: 1 } }\n`
    ).join(""),
);

async function inManyShop(test: (folder: string) => Promise<void>): Promise<void> {
  await inShop(test, { "openapi.yaml": MANY });
}

async function run(...args: readonly string[]): Promise<string> {
  const { out } = await succeeds(runCovtool(args, { columns: 80, variables: { NO_COLOR: "1" } }));
  return out;
}

/** The words that a shell reads in a command without variables. */
async function shellWords(command: string): Promise<string[]> {
  const script = `printf '%s\\n' ${command.replace(/^covtool /, "")}`;
  return (await runOrThrow("sh", ["-c", script])).trimEnd().split("\n");
}

Deno.test("the next command reads the same files, and its requests close the remaining gaps", () =>
  inManyShop(async () => {
    const schema = "open api.yaml";
    const traffic = "it's $traffic.json";
    await Deno.writeTextFile(schema, MANY);
    await Deno.copyFile("traffic.json", traffic);
    const files = [schema, traffic];
    for (const options of [[], ["--base-path", "/v1", "--no-config"], ["--jobs", "1"]]) {
      const text = await run("report", ...files, "--format", "text", ...options);
      const [, command = ""] = /^# More: (.*)$/m.exec(text) ?? [];
      const kept = options[0] === "--jobs" ? [] : ["--no-config", "--base-path", "/v1"];
      const expected = ["suggest", ...files, ...(options.length === 0 ? [] : kept)];
      assert.deepEqual(await shellWords(command), expected);
      const page = await run("report", ...files, "--format", "markdown", ...options);
      assert.ok(page.includes(command));
      await run(...await shellWords(command));
    }
  }));

Deno.test("with testFormat, reports print the command that writes tests", () =>
  inManyShop(async () => {
    const config = "my.yaml";
    const lines = "schema: openapi.yaml\ntraffic: traffic.json\ntestFormat: pytest\n";
    await Deno.writeTextFile(config, lines);
    const command = `covtool suggest --config ${config} --format pytest -o FOLDER`;
    const text = await run("report", "--config", config, "--format", "text");
    assert.ok(text.includes(`\n# As tests: ${command}\n`));
    const page = await run("report", "--config", config, "--format", "markdown");
    assert.ok(page.includes(command));
  }));

Deno.test("the next command is short if a config file names the description and recordings", () =>
  inManyShop(async () => {
    const config = "my.yaml";
    await Deno.writeTextFile(config, "schema: openapi.yaml\ntraffic: traffic.json\n");
    const text = await run("report", "--config", config, "--format", "text");
    assert.match(text, new RegExp(`^# More: covtool suggest --config ${config}$`, "m"));
  }));

Deno.test("the next command repeats all options that decide what is read and counted", () =>
  inManyShop(async () => {
    const files = ["openapi.yaml", "traffic.json"];
    const options = ["--allow-remote-refs", "--exclude", "POST /books", "--carry"];
    const text = await run("report", ...files, "--format", "text", ...options);
    const [, command = ""] = /^# More: (.*)$/m.exec(text) ?? [];
    assert.deepEqual(await shellWords(command), ["suggest", ...files, ...options]);
    await run(...await shellWords(command));
  }));

Deno.test("after the proxy, the next command reads what the proxy saved", async () => {
  await using server = await startServer(echo);
  await inManyShop(async (folder) => {
    const proxied = async (...options: readonly string[]): Promise<string | undefined> => {
      const call = `curl -s "$COVTOOL_URL/v1/books?limit=1" > /dev/null`;
      const command = startCommand(folder, [
        ...["proxy", ...options, "-p", "0", "--reverse", `http://127.0.0.1:${server.port}`],
        ...["--export-ca", "ca.pem", "--", "sh", "-c", call],
      ]);
      assert.equal(await command.exitCode(), 0, command.err());
      const text = await Deno.readTextFile("coverage.txt");
      return /^# More: (.*)$/m.exec(text)?.[1];
    };
    const text = ["--format", "text=coverage.txt"];
    const saving = ["openapi.yaml", ...text, "--save-traffic", "it's new.jsonl"];
    assert.equal(await proxied(...saving), `covtool suggest openapi.yaml 'it'\\''s new.jsonl'`);
    const hits = ["openapi.yaml", ...text, "--format", "hits"];
    assert.equal(await proxied(...hits), "covtool suggest openapi.yaml coverage.hits");
    await Deno.writeTextFile(
      "covtool.yaml",
      "schema: openapi.yaml\ntraffic: new.jsonl\nproxy: { saveTraffic: new.jsonl }\n",
    );
    assert.equal(await proxied(...text), "covtool suggest");
    const kept = [...text, "--save-traffic", "other.jsonl"];
    assert.equal(await proxied(...kept), "covtool suggest openapi.yaml other.jsonl");
  });
});

Deno.test("after run, the next command reads the hits", () =>
  inManyShop(async () => {
    const [schema, hits, text] = ["openapi.yaml", "api.hits", "coverage.txt"] as const;
    const options = ["--format", `hits=${hits}`, "--format", `text=${text}`, "--no-config"];
    await run("run", schema, ...options, "--", "true");
    const [, command = ""] = /^# More: (.*)$/m.exec(await Deno.readTextFile(text)) ?? [];
    assert.deepEqual(await shellWords(command), ["suggest", schema, hits, "--no-config"]);
    await run(...await shellWords(command));

    const given = { schema, format: [`hits=${hits}`], exclude: "POST /books" };
    assert.deepEqual(readRunOptions({ ...given, config: false }, "covtool").options.inputs, {
      words: [schema, hits, "--no-config", "--exclude", "POST /books"],
      haveTraffic: true,
    });
  }));

Deno.test("if nothing was saved, the report says how the next command can know what is covered", () =>
  inManyShop(async () => {
    const told = /hits \(--format hits\) or recordings behind\s(?:# )?the description/;
    for (const format of ["text", "markdown"]) {
      const output = "report";
      const reports = ["--format", `${format}=${output}`, "--no-config", "--base-path", "/v7"];
      await run("run", "openapi.yaml", ...reports, "--", "true");
      const report = await Deno.readTextFile(output);
      assert.match(report, told);
      const command = "covtool suggest openapi.yaml --no-config --base-path /v7";
      assert.ok(report.includes(`More: ${command}\n`), report);
      assert.match(await run(...await shellWords(command)), /\/v7\/books/);
      const files = ["openapi.yaml", "traffic.json"];
      assert.doesNotMatch(await run("report", ...files, "--format", format), told);
    }
  }));

Deno.test("each of several APIs has its own next command, which reads its part of the hits", () =>
  inManyShop(async () => {
    const billing = MANY.replace("Shop", "Billing").replaceAll("/books", "/bills");
    await Deno.writeTextFile("billing.yaml", billing);
    const overlay = `overlay: 1.0.0
info: { title: O, version: "1" }
actions: [{ target: $.info, update: { summary: Books } }]
`;
    await Deno.writeTextFile("o.yaml", overlay);
    const config = "my.yaml";
    await Deno.writeTextFile(
      config,
      `exclude: GET /health
apis:
  - { name: A, schema: openapi.yaml, overlay: o.yaml, include: GET /books, exclude: [deprecated] }
  - { name: B, schema: billing.yaml, basePath: /b }
`,
    );
    const hits = "a.hits";
    await run("report", "--format", `hits=${hits}`, "--config", config, "traffic.json");
    const { options } = readRunOptions({ config, format: `hits=${hits}` }, "covtool");
    assert.deepEqual(options.apis?.map(({ inputs }) => inputs?.words), [
      [
        ...["openapi.yaml", hits, "--config", config],
        ...["--overlay", "o.yaml", "--include", "GET /books", "--exclude", "deprecated"],
      ],
      ["billing.yaml", hits, "--config", config, "--base-path", "/b"],
    ]);
    for (const { inputs } of options.apis ?? []) await run("suggest", ...inputs?.words ?? []);
    const lines = (await Deno.readTextFile(hits)).split("\n");
    await Deno.writeTextFile(hits, `${lines[1]}\n`);
    await fails(
      runCovtool(`suggest openapi.yaml ${hits} --no-config`),
      /hits of a different description: "Billing"/,
    );
  }));
