import assert from "node:assert/strict";
import { main } from "../../src/cli/main.ts";
import type { Report } from "../../src/report/report.ts";
import { ERROR_EXIT, fakeHost } from "./fake_host.ts";
import { inShop, reportShop as run, SHOP_TRAFFIC } from "./shop_files.ts";
import { writeJson } from "../in_folder.ts";
import { apiOf } from "../api_of.ts";

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("report writes the page to -o, nothing to standard output, and a summary to standard error", () =>
  inShop(async (folder) => {
    const { code, out, err } = await run(folder, ["-o", `${folder}/new/page.html`]);
    assert.equal(code, 0);
    assert.equal(out, "");
    assert.match(await Deno.readTextFile(`${folder}/new/page.html`), /^<!doctype html>/i);
    assert.match(err, /^Shop\nOpenAPI 3\.1\.0 · version 1\.0\.0 · /);
    assert.match(err, /\n3 requests: 2 matched, 1 unmatched\n/);
    assert.match(err, /\nOperations .* 50% {2}1 of 2\n/);
    assert.match(err, /\nKeywords .* 60% {2}3 of 5: 1 full, 2 partial\n/);
    assert.match(err, /\nResponses .* 33\.3% {2}1 of 3\n/);
    assert.ok(err.endsWith(`\nReport: ${folder}/new/page.html\n`));
  }));

Deno.test("report writes coverage.html into the working directory by default", () =>
  inShop(async (folder) => {
    const before = Deno.cwd();
    Deno.chdir(folder);
    try {
      const host = fakeHost();
      assert.equal(await main(["report", "openapi.yaml", "traffic.json"], host), 0);
      assert.ok(await exists("coverage.html"));
      assert.ok(host.err().endsWith("\nReport: coverage.html\n"));
    } finally {
      Deno.chdir(before);
    }
  }));

Deno.test("report fetches references of the description only with --allow-remote-refs", async () => {
  const schemas = JSON.stringify({ Limit: { type: "integer", maximum: 10 } });
  const folder = await Deno.makeTempDir();
  const { fetch } = globalThis;
  const fetched: string[] = [];
  // Without a server, no connection outlives the test.
  globalThis.fetch = (input) => {
    fetched.push(String(input));
    return Promise.resolve(new Response(schemas));
  };
  try {
    const $ref = "https://schemas.example/schemas.json#/Limit";
    const parameters = [{ name: "limit", in: "query", schema: { $ref } }];
    await writeJson(
      `${folder}/openapi.yaml`,
      apiOf({ "/books": { get: { parameters, responses: {} } } }),
    );
    await writeJson(`${folder}/traffic.json`, {
      interactions: [{ request: { method: "GET", url: "/books?limit=11" } }],
    });
    const keywords = async (...options: string[]) => {
      const { out } = await run(folder, ["--format", "json", ...options]);
      const report = JSON.parse(out) as Report;
      return [report.summary.keywords.total, report.diagnostics.map(({ code }) => code)];
    };
    assert.deepEqual(await keywords("--allow-remote-refs"), [2, []]);
    assert.deepEqual(await keywords(), [0, ["remote_reference"]]);
    assert.deepEqual(fetched, ["https://schemas.example/schemas.json"]);
  } finally {
    globalThis.fetch = fetch;
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("report --allow-refs-outside allows a folder next to the description's", async () => {
  await inShop(async (folder) => {
    await Deno.mkdir(`${folder}/api`);
    await Deno.writeTextFile(`${folder}/shared.yaml`, "Limit: { type: integer, minimum: 1 }");
    await Deno.writeTextFile(
      `${folder}/api/openapi.yaml`,
      `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
servers: [{ url: /v1 }]
paths:
  /books:
    get:
      parameters: [{ name: limit, in: query, schema: { $ref: "../shared.yaml#/Limit" } }]
      responses: {}
`,
    );
    const reportWith = async (...options: string[]) => {
      const host = fakeHost();
      const args = [`${folder}/api/openapi.yaml`, `${folder}/traffic.json`, "--format", "json"];
      assert.equal(await main(["report", ...args, ...options], host), 0, host.err());
      const report = JSON.parse(host.out()) as Report;
      return [report.summary.keywords.total, report.diagnostics.map(({ code }) => code)];
    };
    assert.deepEqual(await reportWith(), [0, ["outside_reference"]]);
    assert.deepEqual(await reportWith("--allow-refs-outside", folder), [2, []]);
  });
});

Deno.test("overlays are applied by every thread, and those of a config file are found beside it", () =>
  inShop(async (folder) => {
    const overlay = {
      overlay: "1.0.0",
      info: { title: "Teapot", version: "1" },
      actions: [{ target: "$.paths.*.get.responses", update: { 418: { description: "Teapot" } } }],
    };
    await Deno.writeTextFile(`${folder}/teapot.json`, JSON.stringify(overlay));
    const responses = async (...options: string[]) => {
      const host = fakeHost();
      const args = [`${folder}/openapi.yaml`, `${folder}/traffic.json`, "--format", "json"];
      assert.equal(await main(["report", ...args, ...options], host), 0, host.err());
      return (JSON.parse(host.out()) as Report).summary.responses.total;
    };
    const plain = await responses();
    const given = await responses("--overlay", `${folder}/teapot.json`, "--jobs", "2");
    assert(given > plain);
    await Deno.writeTextFile(`${folder}/covtool.yaml`, "overlay: teapot.json");
    assert.equal(await responses("--config", `${folder}/covtool.yaml`), given);
  }));

Deno.test("a path of 10,000 segments is a diagnostic and not counted, and hardly shown", () =>
  inShop(async (folder) => {
    const path = "/a".repeat(10_000);
    const operation = { get: { responses: {} } };
    await writeJson(
      `${folder}/openapi.yaml`,
      apiOf({ [path]: operation, [`${"/{p}".repeat(10_000)}`]: operation, "/b": operation }),
    );
    for (const requested of [path, `/b${"?q=1&".repeat(10_000)}`, `${path}/`.repeat(20)]) {
      const interaction = { request: { method: "GET", url: requested } };
      await writeJson(`${folder}/traffic.json`, [interaction]);
      const { code, out } = await run(folder, ["--format", "json"]);
      assert.equal(code, 0);
      const { diagnostics, operations } = JSON.parse(out) as Report;
      assert.deepEqual(diagnostics.map(({ code }) => code), ["long_path", "long_path"]);
      assert.deepEqual(operations.map((one) => one.path), ["/b"]);
      const { err } = await run(folder, ["-o", `${folder}/page.html`]);
      assert.ok(err.length < 3_000, err.slice(0, 5_000));
    }
  }));

Deno.test("report --format json and text go to standard output, and nothing else does", () =>
  inShop(async (folder) => {
    const json = await run(folder, ["--format", "json", "--title", "My shop"]);
    const report = JSON.parse(json.out) as Report;
    assert.equal(report.title, "My shop");
    assert.equal(report.generated_at, "2026-01-31T12:00:00Z");
    assert.deepEqual(report.summary.keywords, { partial: 2, full: 1, total: 5, percent: 60 });
    assert.equal(json.err, "");
    const text = await run(folder, ["--format", "text", "--show-missing", "parameters,responses"]);
    assert.match(text.out, /^Shop\n/);
    assert.match(text.out, /\n {4}parameters: query sort g-\w{8}; responses: 400 g-\w{8}\n/);
    assert.equal(text.err, "");
  }));

Deno.test("report writes several formats at once", () =>
  inShop(async (folder) => {
    const { code, out, err } = await run(folder, [
      "--format",
      `html=${folder}/a.html`,
      "--format",
      `json=${folder}/a.json`,
      "--format=text",
    ]);
    assert.equal(code, 0);
    assert.match(out, /^Shop\n/);
    assert.ok(await exists(`${folder}/a.html`));
    const report = JSON.parse(await Deno.readTextFile(`${folder}/a.json`)) as Report;
    assert.equal(report.traffic.recorded, 3);
    assert.equal(err, `Report: ${folder}/a.html\nReport: ${folder}/a.json\n`);
  }));

Deno.test("report adds up several recordings, standard input among them", () =>
  inShop(async (folder) => {
    const { code, out } = await run(folder, ["-", "--format", "json"], { stdin: SHOP_TRAFFIC });
    assert.equal(code, 0);
    assert.equal((JSON.parse(out) as Report).traffic.recorded, 6);
  }));

Deno.test("thresholds that are not met end with 1, are named, and the report is written all the same", () =>
  inShop(async (folder) => {
    const { code, err } = await run(folder, [
      "-o",
      `${folder}/page.html`,
      "--fail-under",
      "45",
      "--fail-under-operations",
      "50",
      "--fail-under-responses",
      "30%",
      "--fail-under-keywords",
      "60.1",
    ]);
    assert.equal(code, 1);
    assert.ok(
      err.endsWith(
        "\nThresholds not met:\n  parameters: 33.3% is below 45%\n  keywords: 60% is below 60.1%\ncovtool: exit 1: requirements not met (thresholds of parameters and keywords)\n",
      ),
    );
    assert.ok(await exists(`${folder}/page.html`));
  }));

Deno.test("SOURCE_DATE_EPOCH makes reports the same, byte for byte", () =>
  inShop(async (folder) => {
    const variables = { SOURCE_DATE_EPOCH: "1700000000" };
    const first = await run(folder, ["--format", "json"], { variables });
    const second = await run(folder, ["--format", "json"], { variables });
    assert.equal(first.out, second.out);
    assert.equal((JSON.parse(first.out) as Report).generated_at, "2023-11-14T22:13:20Z");
    const wrong = await run(folder, [], { variables: { SOURCE_DATE_EPOCH: "x" } });
    assert.equal(wrong.code, 1);
    assert.equal(
      wrong.err,
      `Error: SOURCE_DATE_EPOCH is "x". It has to be a whole number of seconds since 1970.\n${ERROR_EXIT}`,
    );
  }));

Deno.test("if nothing matches, the summary says so and suggests a base path", () =>
  inShop(async (folder) => {
    await writeJson(`${folder}/traffic.json`, [
      { request: { method: "GET", url: "http://localhost/api/v9/books" } },
      { request: { method: "POST", url: "http://localhost/api/v9/books" } },
    ]);
    const { code, err } = await run(folder, ["-o", `${folder}/page.html`]);
    assert.equal(code, 0);
    const told = err.replaceAll("\n", " ");
    assert.ok(told.startsWith("Warning: None of the 2 requests matches an operation of "), err);
    assert.ok(told.includes(". Most of the traffic would match with --base-path /api/v9 "), err);
    const text = await run(folder, ["--format", "text"]);
    assert.match(text.out, /^Warning: None of the 2 requests matches /);
    assert.match(text.err, /^Warning: None of the 2 requests matches /);
    // Both are on one screen.
    const screen = { columns: 80, variables: { NO_COLOR: "1" } };
    const shown = await run(folder, ["--format", "text"], screen);
    assert.match(shown.out, /^Warning: None of the 2 requests matches /);
    assert.doesNotMatch(shown.err, /None of the/);
    const { out } = await run(folder, ["--base-path", "/api/v9", "--format", "json"]);
    assert.equal((JSON.parse(out) as Report).traffic.matched, 2);
  }));

Deno.test("where nothing matches and no base path would, the first lines are the usual reasons", () =>
  inShop(async (folder) => {
    await writeJson(`${folder}/traffic.json`, [{
      request: { method: "GET", url: "http://a.example/cat\u001b.png" },
    }]);
    const reasons = [
      "Likely causes:",
      "- The description covers another API or version, with paths such as /books",
      "- The recording contains other traffic, such as GET a.example/cat%1B.png",
      "- The paths have a prefix: set --base-path to the part before /books",
      "",
      "Shop",
    ].join("\n");
    const { err } = await run(folder, ["-o", `${folder}/page.html`]);
    assert.match(err, /^Warning: The only request does not match an operation of\s/);
    assert.ok(err.includes(`\n${reasons}\n`), err);
    const { out } = await run(folder, ["--format", "text"]);
    assert.ok(out.includes(`\n${reasons}\n`), out);
    const given = await run(folder, ["--format", "text", "--base-path", "/v2"]);
    assert.ok(given.out.includes("\n- The base path isn't /v2: change --base-path\n"));
    await Deno.writeTextFile(
      `${folder}/openapi.yaml`,
      "{ openapi: 3.1.0, info: { title: Shop, version: '1' }, paths: {} }",
    );
    const none = await run(folder, ["--format", "json"]);
    assert.match(
      none.err.replaceAll("\n", " "),
      /^Warning: The only .*\. It has no operations\. $/,
    );
  }));

Deno.test("--fail-on no-traffic fails if nothing matched, says why, and that it isn't an error", () =>
  inShop(async (folder) => {
    const args = ["--format", "json", "--fail-on", "no-traffic"];
    assert.equal((await run(folder, args)).code, 0);
    const exit = "covtool: exit 1: requirements not met (no-traffic)\n";
    await writeJson(`${folder}/traffic.json`, [{
      request: { method: "GET", url: "http://localhost/api/v9/books" },
    }]);
    const { code, err } = await run(folder, args);
    assert.equal(code, 1);
    assert.match(
      err.replaceAll("\n", " "),
      /^Warning: The only .* {2}Failed on no-traffic: {3}The only request does not match an /,
    );
    assert.ok(err.endsWith(`\n${exit}`), err);
    await Deno.writeTextFile(`${folder}/traffic.json`, '{"interactions":[]}');
    const twice = await run(folder, [...args, "--fail-on", "no-traffic,no-traffic"]);
    assert.equal(
      twice.err,
      `Warning: The traffic contains no requests.\n\nFailed on no-traffic:\n  The traffic contains no requests.\n${exit}`,
    );
    assert.equal((await run(folder, ["--format", "json"])).code, 0, "only where it is asked for");
  }));

Deno.test("a warning that nothing matched comes before any report", () =>
  inShop(async (folder) => {
    await Deno.writeTextFile(`${folder}/traffic.json`, '{"interactions":[]}');
    let said = "";
    const host = fakeHost();
    const write = (text: string) => Promise.resolve(void (said += text));
    const terminal = { isTerminal: true, columns: 80, write };
    await main(
      ["report", `${folder}/openapi.yaml`, `${folder}/traffic.json`, "--format", "json"],
      { ...host, variables: { NO_COLOR: "1" }, stdout: terminal, stderr: terminal },
    );
    assert.match(said, /^Warning: The traffic contains no requests\.\n\{\n/);
  }));

Deno.test("a recording without requests is warned about", () =>
  inShop(async (folder) => {
    await Deno.writeTextFile(`${folder}/traffic.json`, `{"interactions":[]}`);
    const { code, err } = await run(folder, ["--format", "json"]);
    assert.equal(code, 0);
    assert.equal(err, "Warning: The traffic contains no requests.\n");
    const file = await run(folder, ["--format", `json=${folder}/report.json`]);
    assert.match(file.err, /^Warning: The traffic contains no requests\.\n\n/);
    assert.equal(file.err.split("contains no requests").length, 2);
    const text = await run(folder, ["--format", "text"]);
    assert.match(text.out, /^Warning: The traffic contains no requests\.\n\n/);
    const markdown = await run(folder, ["--format", "markdown"]);
    assert.match(markdown.out, /coverage\n\n\*\*The traffic contains no requests\.\*\*\n\n\|/);
  }));

Deno.test("what of a recording cannot be used is warned about", () =>
  inShop(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/traffic.json`,
      `[{"request":{"method":"GET","url":"/v1/books"}},{"request":{"url":"/v1/books"}}]`,
    );
    const { code, err } = await run(folder, ["--format", "json"]);
    assert.equal(code, 0);
    assert.match(err.replaceAll("\n", " "), /^Warning: .*traffic\.json: .* is left out/);
  }));

Deno.test("a page that is named like another format is warned about", () =>
  inShop(async (folder) => {
    const { err } = await run(folder, ["-o", `${folder}/report.json`]);
    const told = err.replaceAll("\n", " ");
    assert.ok(told.includes("report.json contains HTML. For json add --format json."), err);
    const asked = await run(folder, ["-o", `${folder}/report.json`, "--format", "html"]);
    assert.ok(!asked.err.includes("Warning"));
  }));

Deno.test("the text report takes width and colours from the terminal, and options before that", () =>
  inShop(async (folder) => {
    const terminal = await run(folder, ["--format", "text"], { columns: 140 });
    assert.ok(terminal.out.startsWith("\u001b[1mShop"));
    assert.match(terminal.out, /1\/3 +33\.3%/);
    const plain = await run(folder, ["--format", "text", "--no-color"], { columns: 140 });
    assert.match(plain.out, /^Shop\n/);
    const piped = await run(folder, ["--format", "text", "--color"]);
    assert.ok(piped.out.startsWith("\u001b[1mShop"));
    assert.ok(!piped.out.includes("33.3%  1/"));
    const file = await run(folder, ["--format", `text=${folder}/a.txt`], { columns: 140 });
    assert.equal(file.out, "");
    assert.match(await Deno.readTextFile(`${folder}/a.txt`), /^Shop\n/);
  }));

Deno.test("--skip-covered and --skip-empty reach the text report", () =>
  inShop(async (folder) => {
    const { out } = await run(folder, ["--format", "text", "--skip-empty", "--no-suggestions"]);
    assert.ok(!out.includes("POST"));
    assert.ok(out.includes("1 operation hidden: 1 without traffic."));
    await Deno.writeTextFile(
      `${folder}/openapi.yaml`,
      "openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\npaths: { /v1/books: { get: { responses: { 200: { description: OK } } } } }\n",
    );
    const covered = await run(folder, ["--format", "text", "--skip-covered"]);
    assert.ok(covered.out.includes("1 operation hidden: 1 fully covered."));
  }));

Deno.test("what cannot be read or written is one line that says where and what to do", () =>
  inShop(async (folder) => {
    const errorOf = async (args: readonly string[]) => {
      const host = fakeHost();
      assert.equal(await main(["report", ...args], host), 1);
      const [line, exit, ...rest] = host.err().trimEnd().split("\n");
      assert.deepEqual([`${exit}\n`, rest], [ERROR_EXIT, []], host.err());
      assert.equal(host.out(), "");
      return `${line}\n`;
    };
    const openapi = `${folder}/openapi.yaml`;
    const traffic = `${folder}/traffic.json`;
    assert.ok(
      (await errorOf([`${folder}/nope.yaml`, traffic]))
        .startsWith(`Error: Cannot load ${folder}/nope.yaml: There is no such file`),
    );
    assert.ok(
      (await errorOf([openapi, `${folder}/nope.json`]))
        .startsWith(`Error: Cannot read ${folder}/nope.json: There is no such file`),
    );
    assert.ok(
      (await errorOf([traffic, traffic])).startsWith(`Error: Cannot load ${traffic}: `),
      "traffic is no description",
    );
    assert.ok(
      (await errorOf([openapi, openapi])).startsWith(`Error: Cannot read ${openapi}: `),
      "a description is no traffic",
    );
    assert.equal(
      await errorOf([openapi, traffic, "-o", folder]),
      `Error: Cannot write ${folder}: This is a folder: name a file in it.\n`,
    );
    assert.match(await errorOf(["-", traffic]), /Only traffic can come from standard input/);
    assert.match(await errorOf([openapi, "-", "-"]), /Standard input can only be read once/);
    assert.match(
      await errorOf([openapi, traffic, "--base-path", "localhost:80"]),
      /--base-path: Cannot use the base path "localhost:80": a host needs its scheme\./,
    );
  }));

Deno.test("a deeply nested description has every report, up to a limit that is reported", () =>
  inShop(async (folder) => {
    const schemaOf = (levels: number) => {
      let schema: unknown = { type: "string" };
      for (let level = 0; level < levels; level++) schema = { properties: { a: schema } };
      return schema;
    };
    const describe = async (levels: number) => {
      const content = { "application/json": { schema: schemaOf(levels) } };
      const responses = { 200: { description: "Fine" } };
      const paths = { "/v1/books": { post: { requestBody: { content }, responses } } };
      const info = { title: "Deep", version: "1" };
      const text = JSON.stringify({ openapi: "3.1.0", info, paths });
      await Deno.writeTextFile(`${folder}/openapi.yaml`, text);
    };
    await writeJson(`${folder}/traffic.json`, [{
      request: { method: "POST", url: "/v1/books", body: '{"a":{"a":1}}' },
    }]);
    const formats = ["html", "json", "markdown", "lcov", "cobertura", "sarif", "junit", "badge"];
    const options = formats.flatMap((name) => ["--format", `${name}=${folder}/out.${name}`]);
    await describe(490);
    const deep = await run(folder, [...options, "--format", "text"]);
    assert.equal(deep.code, 0, deep.err);
    for (const name of formats) assert.ok(await exists(`${folder}/out.${name}`), name);
    await describe(2000);
    const deeper = await run(folder, options);
    assert.equal(deeper.code, 1);
    assert.match(
      deeper.err,
      /openapi\.yaml: The document is nested more than 1,?000 levels deep\.\ncovtool: exit 1: error\n$/,
    );
  }));
