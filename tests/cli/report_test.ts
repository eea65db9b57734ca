import assert from "node:assert/strict";
import { main } from "../../src/cli/main.ts";
import type { Report } from "../../src/report/report.ts";
import { ERROR_EXIT, fails, succeeds } from "../command_end.ts";
import { type Ended, fakeHost, runCovtool } from "./fake_host.ts";
import { inShop, reportShop as run } from "./shop_files.ts";
import { writeJson } from "../in_folder.ts";
import { shopApi } from "../shop_api.ts";

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

function keywordTotal({ out, err }: Ended): unknown {
  assert.ok(out.startsWith("{"), err);
  const { summary, diagnostics } = JSON.parse(out) as Report;
  return [summary.keywords.total, diagnostics.map(({ code }) => code)];
}

Deno.test("report writes the page to -o and a summary to standard error", () =>
  inShop(async () => {
    const { out, err } = await succeeds(run("-o new/page.html"));
    assert.equal(out, "");
    assert.match(await Deno.readTextFile("new/page.html"), /^<!doctype html>/i);
    assert.match(err, /^Shop\nOpenAPI 3\.1\.0 · version 1\.0\.0 · /);
    assert.match(err, /\n3 requests: 2 matched, 1 unmatched\n/);
    assert.match(err, /\nOperations .* 50% {2}1 of 2\n/);
    assert.match(err, /\nKeywords .* 60% {2}3 of 5: 1 full, 2 partial\n/);
    assert.match(err, /\nResponses .* 33\.3% {2}1 of 3\n/);
    assert.ok(err.endsWith(`\nReport: new/page.html\n`));
  }));

Deno.test("report writes coverage.html into the working directory by default", () =>
  inShop(async () => {
    const { err } = await succeeds(run(""));
    assert.ok(await exists("coverage.html"));
    assert.ok(err.endsWith("\nReport: coverage.html\n"));
  }));

Deno.test("report fetches remote references only with --allow-remote-refs", async () => {
  const $ref = "https://schemas.example/schemas.json#/Limit";
  const parameters = [{ name: "limit", in: "query", schema: { $ref } }];
  const files = {
    "openapi.yaml": shopApi({ "/books": { get: { parameters, responses: {} } } }),
    "traffic.json": [{ request: { method: "GET", url: "/books?limit=11" } }],
  };
  const { fetch } = globalThis;
  const fetched: string[] = [];
  // Without a server, so that no connection outlives the test.
  globalThis.fetch = (input) => {
    fetched.push(String(input));
    return Promise.resolve(Response.json({ Limit: { type: "integer", maximum: 10 } }));
  };
  try {
    await inShop(async () => {
      assert.deepEqual(keywordTotal(await run("--format json --allow-remote-refs")), [2, []]);
      assert.deepEqual(keywordTotal(await run("--format json")), [0, ["remote_reference"]]);
      assert.deepEqual(fetched, ["https://schemas.example/schemas.json"]);
    }, files);
  } finally {
    globalThis.fetch = fetch;
  }
});

Deno.test("report --allow-refs-outside allows a folder beside the description's", () => {
  const parameters = [{ name: "limit", in: "query", schema: { $ref: "../shared.yaml#/Limit" } }];
  const files = {
    "shared.yaml": "Limit: { type: integer, minimum: 1 }",
    "api/openapi.yaml": shopApi({ "/v1/books": { get: { parameters, responses: {} } } }),
  };
  const report = "report api/openapi.yaml traffic.json --format json";
  return inShop(async () => {
    assert.deepEqual(keywordTotal(await runCovtool(report)), [0, ["outside_reference"]]);
    assert.deepEqual(keywordTotal(await runCovtool(`${report} --allow-refs-outside .`)), [2, []]);
  }, files);
});

Deno.test("every thread applies overlays, and paths in a config file are relative to it", () =>
  inShop(async () => {
    const overlay = {
      overlay: "1.0.0",
      info: { title: "Teapot", version: "1" },
      actions: [{ target: "$.paths.*.get.responses", update: { 418: { description: "Teapot" } } }],
    };
    await Deno.writeTextFile("teapot.json", JSON.stringify(overlay));
    const responses = async (options: string) => {
      const { out } = await succeeds(run(`--format json ${options}`));
      return (JSON.parse(out) as Report).summary.responses.total;
    };
    const plain = await responses("--no-config");
    const given = await responses("--overlay teapot.json --jobs 2");
    assert(given > plain);
    await Deno.writeTextFile("settings.yaml", "overlay: teapot.json");
    assert.equal(await responses("--config settings.yaml"), given);
  }));

Deno.test("a path of 10,000 segments gets a diagnostic, isn't counted and is shown shortened", () =>
  inShop(async () => {
    const path = "/a".repeat(10_000);
    const operation = { get: { responses: {} } };
    await writeJson(
      "openapi.yaml",
      shopApi({ [path]: operation, [`${"/{p}".repeat(10_000)}`]: operation, "/b": operation }),
    );
    for (const requested of [path, `/b${"?q=1&".repeat(10_000)}`, `${path}/`.repeat(20)]) {
      const interaction = { request: { method: "GET", url: requested } };
      await writeJson("traffic.json", [interaction]);
      const { out } = await succeeds(run("--format json"));
      const { diagnostics, operations } = JSON.parse(out) as Report;
      assert.deepEqual(diagnostics.map(({ code }) => code), ["long_path", "long_path"]);
      assert.deepEqual(operations.map((one) => one.path), ["/b"]);
      const { err } = await run("-o page.html");
      assert.ok(err.length < 3_000, err.slice(0, 5_000));
    }
  }));

Deno.test("report --format json and text print only the report to standard output", () =>
  inShop(async () => {
    const json = await run(["--format", "json", "--title", "My shop"]);
    const report = JSON.parse(json.out) as Report;
    assert.equal(report.title, "My shop");
    assert.equal(report.generated_at, "2026-01-31T12:00:00Z");
    assert.deepEqual(report.summary.keywords, { partial: 2, full: 1, total: 5, percent: 60 });
    assert.equal(json.err, "");
    const text = await run("--format text --show-missing parameters,responses");
    assert.match(text.out, /^Shop\n/);
    assert.match(text.out, /\n {4}parameters: query sort g-\w{8}; responses: 400 g-\w{8}\n/);
    assert.equal(text.err, "");
  }));

Deno.test("thresholds that are not met are listed, the exit code is 1, and the report is still written", () =>
  inShop(async () => {
    const { err } = await fails(run(
      "-o page.html --fail-under 45 --fail-under-operations 50 --fail-under-responses 30% " +
        "--fail-under-keywords 60.1",
    ));
    assert.ok(
      err.endsWith(
        "\nThresholds not met:\n  parameters: 33.3% is below 45%\n  keywords: 60% is below 60.1%\ncovtool: exit 1: requirements not met (thresholds of parameters and keywords)\n",
      ),
    );
    assert.ok(await exists("page.html"));
  }));

Deno.test("SOURCE_DATE_EPOCH makes reports reproducible, byte for byte", () =>
  inShop(async () => {
    const variables = { SOURCE_DATE_EPOCH: "1700000000" };
    const first = await run("--format json", { variables });
    const second = await run("--format json", { variables });
    assert.equal(first.out, second.out);
    assert.equal((JSON.parse(first.out) as Report).generated_at, "2023-11-14T22:13:20Z");
    await fails(
      run([], { variables: { SOURCE_DATE_EPOCH: "x" } }),
      `SOURCE_DATE_EPOCH is "x". It has to be a whole number of seconds since 1970.`,
    );
  }));

Deno.test("if nothing matches, the summary says so and suggests a base path", () =>
  inShop(async () => {
    await writeJson("traffic.json", [
      { request: { method: "GET", url: "http://localhost/api/v9/books" } },
      { request: { method: "POST", url: "http://localhost/api/v9/books" } },
    ]);
    const { err } = await succeeds(run("-o page.html"));
    const told = err.replaceAll("\n", " ");
    assert.ok(told.startsWith("Warning: None of the 2 requests matches an operation of "), err);
    assert.ok(told.includes(". Most of the traffic would match with --base-path /api/v9 "), err);
    const text = await run("--format text");
    assert.match(text.out, /^Warning: None of the 2 requests matches /);
    assert.match(text.err, /^Warning: None of the 2 requests matches /);
    // Both fit on one screen.
    const screen = { columns: 80, variables: { NO_COLOR: "1" } };
    const shown = await run("--format text", screen);
    assert.match(shown.out, /^Warning: None of the 2 requests matches /);
    assert.doesNotMatch(shown.err, /None of the/);
    const { out } = await run("--base-path /api/v9 --format json");
    assert.equal((JSON.parse(out) as Report).traffic.matched, 2);
  }));

Deno.test("if nothing matches and no base path would help, the first lines are the usual reasons", () =>
  inShop(async () => {
    await writeJson("traffic.json", [{
      request: { method: "GET", url: "http://a.example/cat\u001b.png" },
    }]);
    const reasons = [
      "  Likely causes",
      "    The description covers another API or version, with paths such as /books",
      "    The recording contains other traffic, such as GET a.example/cat%1B.png",
      "    The paths have a prefix: set --base-path to the part before /books",
      "",
      "Shop",
    ].join("\n");
    const { err } = await run("-o page.html");
    assert.match(err, /^Warning: The only request does not match an operation of\s/);
    assert.ok(err.includes(`\n${reasons}\n`), err);
    const { out } = await run("--format text");
    assert.ok(out.includes(`\n${reasons}\n`), out);
    const given = await run("--format text --base-path /v2");
    assert.ok(given.out.includes("\n    The base path isn't /v2: change --base-path\n"));
    await Deno.writeTextFile(
      "openapi.yaml",
      "{ openapi: 3.1.0, info: { title: Shop, version: '1' }, paths: {} }",
    );
    const none = await run("--format json");
    assert.match(
      none.err.replaceAll("\n", " "),
      /^Warning: The only .*\. It has no operations\. $/,
    );
  }));

Deno.test("--fail-on no-traffic fails if nothing matched, and says why", () =>
  inShop(async () => {
    const args = "--format json --fail-on no-traffic";
    assert.equal((await run(args)).code, 0);
    const exit = "covtool: exit 1: requirements not met (no-traffic)\n";
    await writeJson("traffic.json", [{
      request: { method: "GET", url: "http://localhost/api/v9/books" },
    }]);
    const { err } = await fails(run(args));
    assert.match(
      err.replaceAll("\n", " "),
      /^Warning: The only .* {2}Failed on no-traffic: {3}The only request does not match an /,
    );
    assert.ok(err.endsWith(`\n${exit}`), err);
    await Deno.writeTextFile("traffic.json", '{"interactions":[]}');
    const twice = await run(`${args} --fail-on no-traffic,no-traffic`);
    assert.equal(
      twice.err,
      `Warning: The traffic contains no requests.\n\nFailed on no-traffic:\n  The traffic contains no requests.\n${exit}`,
    );
    assert.equal((await run("--format json")).code, 0, "only where it is asked for");
  }));

Deno.test("a warning that nothing matched is printed before the report", () =>
  inShop(async () => {
    await Deno.writeTextFile("traffic.json", '{"interactions":[]}');
    let said = "";
    const host = fakeHost();
    const write = (text: string) => Promise.resolve(void (said += text));
    const terminal = { isTerminal: true, columns: 80, write };
    await main(
      ["report", "openapi.yaml", "traffic.json", "--format", "json"],
      { ...host, variables: { NO_COLOR: "1" }, stdout: terminal, stderr: terminal },
    );
    assert.match(said, /^Warning: The traffic contains no requests\.\n\{\n/);
  }));

Deno.test("a recording without requests causes one warning", () =>
  inShop(async () => {
    await Deno.writeTextFile("traffic.json", `{"interactions":[]}`);
    const { err } = await succeeds(run("--format json"));
    assert.equal(err, "Warning: The traffic contains no requests.\n");
    const file = await run("--format json=report.json");
    assert.match(file.err, /^Warning: The traffic contains no requests\.\n\n/);
    assert.equal(file.err.split("contains no requests").length, 2);
  }));

Deno.test("options override the width and colours that the text report takes from the terminal", () =>
  inShop(async () => {
    const terminal = await run("--format text", { columns: 140 });
    assert.ok(terminal.out.startsWith("\u001b[1mShop"));
    assert.match(terminal.out, /1\/3 +33\.3%/);
    const plain = await run("--format text --no-color", { columns: 140 });
    assert.match(plain.out, /^Shop\n/);
    const piped = await run("--format text --color");
    assert.ok(piped.out.startsWith("\u001b[1mShop"));
    assert.ok(!piped.out.includes("33.3%  1/"));
    const file = await run("--format text=a.txt", { columns: 140 });
    assert.equal(file.out, "");
    assert.match(await Deno.readTextFile("a.txt"), /^Shop\n/);
  }));

Deno.test("errors about inputs and outputs are one line that says where and what to do", () =>
  inShop(async () => {
    const wrong: readonly [string, string][] = [
      ["nope.yaml traffic.json", "Cannot load nope.yaml: There is no such file"],
      ["openapi.yaml nope.json", "Cannot read nope.json: There is no such file"],
      ["openapi.yaml https://a.example/b?c", "Cannot read https://a.example/b?c: Recordings are"],
      ["traffic.json traffic.json", "Cannot load traffic.json: "],
      ["openapi.yaml openapi.yaml", "Cannot read openapi.yaml: "],
      ["openapi.yaml traffic.json -o .", "Cannot write .: This is a folder: name a file in it.\n"],
      ["- traffic.json", "Only traffic can come from standard input"],
      [
        "openapi.yaml traffic.json --base-path localhost:80",
        '--base-path: Cannot use the base path "localhost:80": a host needs its scheme.',
      ],
    ];
    for (const [args, sentence] of wrong) {
      const { code, out, err } = await runCovtool(`report ${args}`);
      assert.deepEqual([code, out, err.split("\n").length], [1, "", 3], err);
      assert.ok(err.startsWith(`Error: ${sentence}`) && err.endsWith(ERROR_EXIT), err);
    }
  }));

Deno.test("a deeply nested description has every report, up to a depth that is reported", () =>
  inShop(async () => {
    const nestedSchema = (levels: number) => {
      let schema: unknown = { type: "string" };
      for (let level = 0; level < levels; level++) schema = { properties: { a: schema } };
      return schema;
    };
    const describe = async (levels: number) => {
      const content = { "application/json": { schema: nestedSchema(levels) } };
      const responses = { 200: { description: "Fine" } };
      const paths = { "/v1/books": { post: { requestBody: { content }, responses } } };
      const info = { title: "Deep", version: "1" };
      const text = JSON.stringify({ openapi: "3.1.0", info, paths });
      await Deno.writeTextFile("openapi.yaml", text);
    };
    await writeJson("traffic.json", [{
      request: { method: "POST", url: "/v1/books", body: '{"a":{"a":1}}' },
    }]);
    const formats = ["html", "json", "markdown", "lcov", "cobertura", "sarif", "junit", "badge"];
    const options = formats.flatMap((name) => ["--format", `${name}=out.${name}`]);
    await describe(490);
    await succeeds(run(`${options.join(" ")} --format text`));
    for (const name of formats) assert.ok(await exists(`out.${name}`), name);
    await describe(2000);
    await fails(
      run(options),
      /openapi\.yaml: The document is nested more than 1,?000 levels deep\.\ncovtool: exit 1: error\n$/,
    );
  }));

Deno.test("--log-format and logFormat of the config file read a custom format", () => {
  const format = "$request_method|$request_uri|$status";
  return inShop(async () => {
    const given = await run(`--format json --no-config --log-format ${format}`);
    assert.equal((JSON.parse(given.out) as Report).traffic.matched, 1);
    assert.match(given.err, /a line that doesn't fit --log-format at [^]* left out \(at line 2\)/);
    assert.equal((JSON.parse((await run("--format json")).out) as Report).traffic.matched, 1);
  }, {
    "traffic.json": "GET|/v1/books?limit=5|200\nnonsense\n",
    "covtool.yaml": `logFormat: "${format}"\n`,
  });
});
