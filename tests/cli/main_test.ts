import assert from "node:assert/strict";
import { sentenceList } from "../../src/report/wording/amounts.ts";
import { FAIL_ON_KINDS } from "../../src/run/fail_on.ts";
import { VERSION } from "../../src/values/version.ts";
import { inWorkingFolder } from "../in_folder.ts";
import { fails, succeeds } from "../command_end.ts";
import { type FakeHostOptions, runCovtool } from "./fake_host.ts";

Deno.test("covtool without arguments, with --help, -h or help prints help on standard output", async () => {
  for (const args of [[], ["--help"], ["-h"], ["help"]]) {
    const { out, err } = await succeeds(runCovtool(args));
    assert.match(out, /^Measures how much of an API/);
    assert.match(out, /\n {2}report +Report how much of an API/);
    assert.match(out, /covtool report openapi\.yaml traffic\.json/);
    assert.equal(err, "");
  }
});

Deno.test("covtool --version and -V print the version", async () => {
  for (const option of ["--version", "-V"]) {
    const { out } = await succeeds(runCovtool(option));
    assert.equal(out, `covtool ${VERSION}\n`);
  }
});

Deno.test("covtool completion prints a script for each shell, and completes formats", async () => {
  for (const shell of ["bash", "zsh", "fish", "nu", "pwsh"]) {
    const { out } = await succeeds(runCovtool(`completion ${shell}`));
    assert.ok(out.includes("covtool"), shell);
    // A declaration in a loop would be printed among the completions.
    if (shell === "zsh") {
      assert.match(out, /^#compdef.+\n.+\{\n {2}setopt local_options typeset_silent\n/);
    }
  }
  assert.ok((await runCovtool("completion bash report --format j")).out.includes("json"));
});

const CONDITIONS = sentenceList(FAIL_ON_KINDS.map(({ name }) => name), "or");

/** Command lines that fail, with the error message or a part of it. */
const WRONG: Readonly<
  Record<string, readonly (readonly [string | readonly string[], string | RegExp])[]>
> = {
  "a wrong command line exits with 1 and one line of advice on standard error": [
    ["repot", 'Unknown command "repot". Did you mean report?'],
    ["frobnicate", 'Unknown command "frobnicate". See covtool --help.'],
    ["--verison", "Unknown option --verison. Did you mean --version?"],
    [
      "report",
      "No OpenAPI description given. Name a file or URL, followed by recordings. See covtool report --help.",
    ],
    [
      "report a.yaml",
      "No traffic given. Name at least one recording, or - for standard input. See covtool report --help.",
    ],
    ["report a b --formt json", "Unknown option --formt. Did you mean --format?"],
    [
      "report a b --fail-udner=3",
      "Unknown option --fail-udner=3. Did you mean --fail-under?",
    ],
    [
      "report a b --format pdf",
      '--format: Unknown format "pdf". Choose html, json, text, markdown, lcov, cobertura, sarif, junit, badge, overlay or hits.',
    ],
    [
      "report a b --fail-under 101",
      "--fail-under: Expected a percentage from 0 to 100, but got 101. See covtool report --help.",
    ],
    [
      "report a b --show-missing bodies",
      '--show-missing: Unknown dimension "bodies". Did you mean parameters? Choose operations, parameters, keywords, examples, responses or all.',
    ],
    [
      "report a b --fail-on no-trafic",
      `--fail-on: Unknown condition "no-trafic". Did you mean no-traffic? Choose ${CONDITIONS}.`,
    ],
    ...[
      ["server-errors", "server_error"],
      ["credential_not_required", "credentials_not_required"],
      ["findings", "all"],
      ["regressions", "new-gaps"],
    ].map(([given, meant]): [string, string] => [
      `report a b --fail-on ${given}`,
      `--fail-on: Unknown condition "${given}". Did you mean ${meant}? Choose ${CONDITIONS}.`,
    ]),
    [
      "report a b --fail-on no-traffic=5",
      "--fail-on: no-traffic takes no value, but got 5. See covtool report --help.",
    ],
    [
      "report a b --fail-on decrease=keyword",
      '--fail-on: Unknown dimension "keyword". Did you mean keywords? Choose operations, parameters, keywords, examples, responses, keywords-full, succeeded, enforcement, response-keywords, noticed, access, values or tcl.',
    ],
    ["report a b -o", "-o requires PATH. See covtool report --help."],
    [
      "report a b -o x --output y",
      "--output cannot be used multiple times. See covtool report --help.",
    ],
  ],
  "the error for another command's option names that command": [
    [
      "report a b --verbose",
      "--verbose is an option of covtool proxy, not of covtool report. See covtool report --help.",
    ],
    [
      "report a b -v",
      "-v is an option of covtool proxy, not of covtool report. See covtool report --help.",
    ],
    [
      "proxy a --jobs=3",
      "--jobs is an option of covtool report, covtool merge and covtool compare, not of covtool proxy. See covtool proxy --help.",
    ],
    [
      "convert a --title Shop",
      "--title is an option of covtool report, covtool run, covtool proxy, covtool merge, covtool compare, covtool probe, covtool mutate and covtool check, not of covtool convert. See covtool convert --help.",
    ],
    [
      "report a b --save-trafic c",
      "Unknown option --save-trafic. Did you mean --save-traffic, an option of covtool proxy and covtool probe?",
    ],
    ["report a b --json", "Unknown option --json. Did you mean --format json?"],
    ["report a b --frobnicate", "Unknown option --frobnicate. See covtool report --help."],
    [
      "--format json openapi.yaml traffic.json",
      "No command given. --format is an option of covtool report, covtool run, covtool proxy, covtool merge, covtool compare, covtool suggest, covtool gaps, covtool verify, covtool mcp, covtool probe, covtool mutate and covtool convert: write covtool report --format …",
    ],
  ],
  "files without a command start a report, or a run if a command follows": [
    [
      "openapi.yaml traffic.json",
      "No command given. Did you mean covtool report openapi.yaml traffic.json?",
    ],
    ["openapi.yaml", "No command given. Did you mean covtool report openapi.yaml TRAFFIC?"],
    [
      "https://a.example/openapi -",
      "No command given. Did you mean covtool report https://a.example/openapi -?",
    ],
    [
      ["openapi.yaml", "my traffic.json"],
      "No command given. Did you mean covtool report openapi.yaml …?",
    ],
    [
      "openapi.yaml -- npm test",
      "No command given. Did you mean covtool run openapi.yaml -- npm test or covtool proxy openapi.yaml -- npm test?",
    ],
  ],
  "values with fixed names suggest the name that was meant": [
    ["report a b --format txt", /". Did you mean text\? Choose /],
    ["report a b --format md=a.md", /". Did you mean markdown\? Choose /],
    ["report a b --format jsn", /". Did you mean json\? Choose /],
    ["report a b --show-missing params", /". Did you mean parameters\? Choose /],
    ["report a b --show-missing operations,resp", /". Did you mean responses\? Choose /],
    ["report a b --badge-dimensions endpoints", /". Did you mean operations\? Choose /],
    ["convert a --format jsnl", /". Did you mean jsonl\? Choose /],
  ],
};

for (const [name, lines] of Object.entries(WRONG)) {
  Deno.test(name, async () => {
    for (const [args, said] of lines) {
      const { out } = await fails(runCovtool(args), said);
      assert.equal(out, "");
    }
  });
}

Deno.test("--errors json prints any error as a line of JSON with code, message, advice and place", () =>
  inWorkingFolder({
    "api.json": { openapi: "3.1.0", info: { title: "a", version: "1" }, paths: {} },
    "broken.json": "{\n]",
    "config/covtool.yaml": "schema: a.yaml\nfailUner: 80\n",
  }, async () => {
    const cases: readonly [string, unknown][] = [
      ["repot", {
        code: "usage",
        sentence: 'Unknown command "repot".',
        what_to_do: "Did you mean report?",
      }],
      ["mcp", {
        code: "usage",
        sentence: "No OpenAPI description given.",
        what_to_do: "Name a file or URL. See covtool mcp --help.",
      }],
      ["report nowhere.yaml a.har", {
        code: "unreadable",
        sentence: "Cannot load nowhere.yaml: There is no such file: check the path.",
        at: { file: "nowhere.yaml" },
      }],
      ["report --config config/covtool.yaml", {
        code: "config",
        sentence: 'Cannot use config/covtool.yaml: line 2, column 1: Unknown key "failUner".',
        what_to_do: "Did you mean failUnder?",
        at: { file: "config/covtool.yaml", line: 2, column: 1 },
      }],
      ["verify api.json", {
        code: "usage",
        sentence:
          "Say which gap to verify: --gap g-7f3k2p0c. covtool gaps lists gaps with their ids.",
      }],
      ["compare api.json --tests a.har", {
        code: "usage",
        sentence: "No production traffic given.",
        what_to_do: "Name recordings, logs or hits with --production. See covtool compare --help.",
      }],
      ["run api.json", {
        code: "usage",
        sentence: "No test command given.",
        what_to_do: "Put it after --: covtool run api.json -- npm test",
      }],
      // A variable without a value would make the proxy run for ever.
      ["proxy api.json --", {
        code: "usage",
        sentence: "There is no command after --.",
        what_to_do: "If it comes from a variable, that is empty.",
      }],
      ["suggest api.json --gap 7", {
        code: "unknown_gap",
        sentence: '"7" is not the id of a gap, such as g-7f3k2p0c.',
        what_to_do: "List gaps with their ids: covtool gaps",
      }],
      ["report broken.json a.har", {
        code: "syntax",
        sentence:
          "Cannot load broken.json: line 2, column 1: The JSON is broken: Expected a name in double quotes, found `]`.",
        at: { file: "broken.json", line: 2, column: 1 },
      }],
    ];
    for (const [args, expected] of cases) {
      for (const errors of ["--errors json", "--errors=json"]) {
        const { out, err } = await fails(runCovtool(`${errors} ${args}`));
        assert.deepEqual(JSON.parse(err), expected);
        assert.equal(out, "");
      }
    }
  }));

Deno.test("--errors json makes covtool check also print the first error that it lists as JSON", () =>
  inWorkingFolder({
    "broken.json": "{\n]",
    "covtool.yaml": "schema: broken.json\n",
    "unknown.yaml": "failUner: 80\nfailOver: 90\n",
    "refers.yaml": "openapi: 3.1.0\npaths:\n  /a:\n    $ref: '#/nowhere'\n",
  }, async () => {
    const unknown = await fails(runCovtool("check --config unknown.yaml --errors json"));
    assert.match(unknown.out, /^unknown\.yaml:1:1: error: Unknown key "failUner"\./);
    assert.deepEqual(JSON.parse(unknown.err), {
      code: "config",
      sentence: 'Unknown key "failUner".',
      what_to_do: "Did you mean failUnder?",
      at: { file: "unknown.yaml", line: 1, column: 1 },
    });
    const { code, at } = JSON.parse((await fails(runCovtool("check --errors json"))).err);
    assert.deepEqual([code, at], ["syntax", { file: "broken.json", line: 2, column: 1 }]);
    const refers = await fails(runCovtool("check --no-config refers.yaml --errors json"));
    assert.equal(JSON.parse(refers.err).code, "unresolved_reference");
    assert.equal((await fails(runCovtool("check"))).err, "covtool: exit 1: error\n");
  }));

Deno.test("errors are red only on a terminal", async () => {
  const red = async (line: string, options: FakeHostOptions): Promise<boolean> => {
    const { err } = await runCovtool(line, options);
    assert.ok(err.startsWith("\u001b[") || err.startsWith("Error: "), err);
    return err.startsWith("\u001b[");
  };
  assert.equal(await red("repot", { columns: 80 }), true);
  assert.equal(await red("repot", { columns: 80, variables: { NO_COLOR: "1" } }), false);
  assert.equal(await red("report --no-color", { columns: 80 }), false);
  assert.equal(await red("report --color", {}), true);
});

Deno.test("an error is wrapped between words on a terminal, and is one line elsewhere", async () => {
  const line = "report a b --format pdf";
  const { err } = await runCovtool(line, { columns: 80, variables: { NO_COLOR: "1" } });
  const lines = err.trimEnd().split("\n");
  assert.equal(lines.length, 3);
  const exit = lines.pop();
  for (const line of lines) assert.ok(line.length <= 80, line);
  assert.equal((await runCovtool(line)).err, `${lines.join(" ")}\n${exit}\n`);
});

Deno.test("a control character in an argument is not printed", async () => {
  assert.ok(!(await runCovtool(["\u001b[2J"])).err.includes("\u001b"));
});

Deno.test("commands for one API say how to name it if a config file has several", () =>
  inWorkingFolder({ "covtool.yaml": "apis: [{ schema: a.yaml }]\n" }, async () => {
    for (const command of ["suggest", "gaps", "verify", "mcp", "probe", "mutate"]) {
      const { err } = await runCovtool(command);
      const sentence = "covtool.yaml names several APIs. Name the description of one: covtool";
      assert.ok(err.startsWith(`Error: ${sentence} ${command} openapi.yaml`), err);
    }
  }));
