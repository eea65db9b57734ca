import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { Report } from "../../src/report/report.ts";
import { fails, succeeds } from "../command_end.ts";
import { schemaProblems } from "../report/report_schema.ts";
import { type Ended, runCovtool } from "./fake_host.ts";
import { inShop, reportShop, SHOP_DESCRIPTION } from "./shop_files.ts";
import { writeJson } from "../in_folder.ts";

/** Runs `covtool report` with the description and the traffic. Prints JSON by default. */
async function run(options = ""): Promise<Ended> {
  const given = options.includes("--format") ? options : `--format json ${options}`.trimEnd();
  return await reportShop(given, { columns: 200, variables: { NO_COLOR: "1" } });
}

/** Runs a test in a folder with a baseline, `base.json` or `base.hits`. */
async function withBaseline(test: () => Promise<void>, format = "json"): Promise<void> {
  await inShop(async () => {
    assert.equal((await run(`--format=${format}=base.${format}`)).code, 0);
    await test();
  });
}

async function sendLess(): Promise<void> {
  await writeJson("traffic.json", [{
    request: { method: "GET", url: "http://localhost/v1/books?limit=5" },
    response: { status_code: 400 },
  }]);
}

async function addOperation(): Promise<void> {
  const added = `  /authors:
    get:
      parameters: [{ name: q, in: query, schema: { type: string } }]
      responses: { 200: { description: Authors } }
`;
  await Deno.writeTextFile(
    "openapi.yaml",
    SHOP_DESCRIPTION.replace("  /books:\n", `${added}  /books:\n`)
      .replace("400: { description: Refused }", "400: { description: Refused }, 409: {}"),
  );
}

Deno.test("--fail-on new-gaps lists what the baseline covered, and passes if nothing was lost", async () => {
  await withBaseline(async () => {
    const args = "--baseline base.json --fail-on new-gaps";
    assert.equal((await run(args)).code, 0);
    await sendLess();
    const { err } = await fails(run(args));
    assert.ok(
      err.endsWith(`Failed on new-gaps:
  These 2 gaps were closed in the baseline:
  GET /books: maximum of query limit never failed: send more than 100 (g-vqgzbavk)
  GET /books: response 200 was never returned (g-vqgebztc)
covtool: exit 1: requirements not met (new-gaps)
`),
      err,
    );
    await writeJson("traffic.json", [{
      request: { method: "GET", url: "http://localhost/v1/nope" },
    }]);
    const none = await run(args);
    assert.match(none.err, /\n {2}GET \/books: was never called \(g-\w{8}\) \(1 more gap\)\n/);
  });
});

Deno.test("--fail-on uncovered-additions lists only what was added and never exercised", async () => {
  await withBaseline(async () => {
    const args = "--baseline base.json --fail-on uncovered-additions,new-gaps";
    assert.equal((await run(args)).code, 0, "gaps of before are none of the additions");
    await addOperation();
    const { err } = await fails(run(args));
    assert.equal(
      err,
      `Failed on uncovered-additions:
  2 additions to the description were never exercised:
  GET /authors: was never called (g-sa955et2) (2 more gaps)
  GET /books: response 409 was never returned: send a request that conflicts with the current state (g-vqg9sh2n)
covtool: exit 1: requirements not met (uncovered-additions)
`,
    );
    const { verdict } = JSON.parse((await run(`${args} --format json`)).out) as Report;
    assert.equal(
      verdict?.gates[0]?.sentence,
      "2 additions that were never exercised found, none allowed",
    );
    await writeJson("traffic.json", [
      ...JSON.parse(await Deno.readTextFile("traffic.json")).interactions,
      {
        request: { method: "GET", url: "http://localhost/v1/authors?q=a" },
        response: { status_code: 200 },
      },
      {
        request: { method: "GET", url: "http://localhost/v1/books" },
        response: { status_code: 409 },
      },
    ]);
    assert.deepEqual((await run(args)).code, 0);
  });
});

Deno.test("--fail-on decrease lists the dimensions whose percentage fell, or checks only one", async () => {
  await withBaseline(async () => {
    const args = "--baseline base.json --fail-on";
    assert.equal((await run(`${args} decrease`)).code, 0);
    await addOperation();
    const { err } = await fails(run(`${args} decrease`));
    assert.equal(
      err,
      `Failed on decrease:
  operations: 33.3% is below the baseline's 50%
  parameters: 25% is below the baseline's 33.3%
  responses: 20% is below the baseline's 33.3%
covtool: exit 1: requirements not met (decrease)
`,
    );
    assert.equal((await run(`${args} decrease=keywords`)).code, 0);
    const one = await run(`${args} decrease=operations`);
    assert.match(one.err, /^Failed on decrease=operations:\n {2}operations: .*\ncovtool: exit 1: /);
  });
});

Deno.test("--fail-on decrease checks succeeded, full keywords, enforcement and the level by name", () =>
  withBaseline(async () => {
    const base = JSON.parse(await Deno.readTextFile("base.json"));
    base.summary.operations.succeeded = base.summary.operations.total;
    base.summary.keywords.full = base.summary.keywords.total;
    Object.assign(base.summary.enforcement, { enforced: 199, total: 200, percent: 99.5 });
    base.summary.tcl.level = 6;
    await writeJson("base.json", base);
    const args = "--baseline base.json --fail-on";
    assert.equal((await run(`${args} decrease`)).code, 0);
    const named = "decrease=succeeded,decrease=keywords-full,decrease=enforcement,decrease=tcl";
    const { err } = await fails(
      run(`${args} ${named}`),
      /succeeded:\n {2}succeeded operations: \S+% is below the baseline's 100%\n/,
    );
    assert.match(err, /keywords-full:\n {2}full keywords: \S+% is below the baseline's 100%\n/);
    assert.match(err, /enforcement:\n {2}enforced rules: \S+% is below the baseline's 99\.5%\n/);
    assert.match(err, /decrease=tcl:\n {2}test coverage level: \d is below the baseline's 6\n/);
    // Baselines of older versions don't have these members.
    delete base.summary.operations.succeeded;
    delete base.summary.enforcement;
    delete base.summary.tcl;
    await writeJson("base.json", base);
    await succeeds(run(`${args} decrease=succeeded,decrease=enforcement,decrease=tcl`));
  }));

Deno.test("--fail-on decrease passes by name where nothing is left to measure", () =>
  withBaseline(async () => {
    const names = ["parameters", "keywords", "keywords-full", "enforcement", "values"];
    const conditions = names.map((name) => `decrease=${name}`).join();
    await succeeds(run(`--baseline base.json --fail-on ${conditions} --exclude parameter:*`));
  }));

Deno.test("a condition that compares needs a baseline, and the error comes before anything is read", async () => {
  for (const condition of ["new-gaps", "uncovered-additions", "decrease=keywords"]) {
    await fails(
      runCovtool(`report nope.yaml nope.json --fail-on ${condition}`),
      `--fail-on ${condition} compares with a baseline. Add --baseline PATH, with a report that an earlier run wrote with --format json.`,
    );
  }
});

Deno.test("the error about a missing baseline or another format version says what to do", () =>
  withBaseline(async () => {
    const missing = await fails(run("--baseline nope.json"));
    assert.equal(
      missing.err.replaceAll("\n", " "),
      "Error: Cannot compare with nope.json: There is no such file: check the path. Make it with --format json=nope.json, in a run of the main branch for example. covtool: exit 1: error ",
    );
    const report = JSON.parse(await Deno.readTextFile("base.json"));
    await writeJson("base.json", { ...report, format_version: 7 });
    const other = await run("--baseline base.json");
    assert.match(
      other.err,
      /: This JSON report has format version 7, but this version of covtool reads 1\. Write it again/,
    );
  }));

Deno.test("a baseline without a common operation is refused, whatever its title", () =>
  withBaseline(async () => {
    const moved = SHOP_DESCRIPTION.replace("  /books:\n", "  /items:\n");
    await Deno.writeTextFile("openapi.yaml", moved);
    const same = await fails(run("--baseline base.json"));
    assert.match(
      same.err.replaceAll("\n", " "),
      /^Error: Cannot compare with .*base\.json: It is a report on "Shop" \(.*openapi\.yaml\), which has no operation in common with "Shop" .* make a new baseline\. /,
    );
    await Deno.writeTextFile(
      "openapi.yaml",
      moved.replace("title: Shop", "title: Payments"),
    );
    const other = await fails(run("--baseline base.json"));
    assert.match(
      other.err.replaceAll("\n", " "),
      /^Error: Cannot compare with .*base\.json: It is a report on "Shop" \(.*openapi\.yaml\), which has no operation in common with "Payments" /,
    );
    assert.equal(other.out, "");
  }));

Deno.test("the JSON report with a comparison fits its schema and is itself a baseline", () =>
  withBaseline(async () => {
    await addOperation();
    const { out } = await run("--baseline base.json");
    const report = JSON.parse(out) as Report;
    assert.deepEqual(schemaProblems(report), []);
    assert.deepEqual(report.comparison?.added[0], {
      kind: "operation",
      method: "GET",
      path: "/authors",
      covered: false,
    });
    assert.equal(report.comparison?.baseline.schema.title, "Shop");
    await Deno.writeTextFile("next.json", out);
    const again = await succeeds(run("--baseline next.json --fail-on new-gaps,decrease"));
    assert.deepEqual((JSON.parse(again.out) as Report).comparison?.added, []);
    const without = await run();
    assert.ok(!("comparison" in JSON.parse(without.out)));
  }));

Deno.test("the text report and the summary show the changes since the baseline", async () => {
  await withBaseline(async () => {
    await sendLess();
    await addOperation();
    const { out } = await run("--baseline base.json --format=text");
    const section = /\n(Since the baseline[\s\S]*?)\n\n/.exec(out)?.[1];
    assert.equal(
      section,
      `Since the baseline of 2026-01-31T12:00:00Z (version 1.0.0)
  Operations −16.7, parameters −8.3, responses −13.3 points
  1 gap closed
  1 operation and 1 response added to the description
2 new gaps
  GET /books: maximum of query limit never failed: send more than 100 (g-vqgzbavk)
  GET /books: response 200 was never returned (g-vqgebztc)
2 new findings
  GET /books: 1 valid request was refused with 400.
  GET /books: 1 answer came, none of them 2xx or 3xx.
4 gaps in what was added
  GET /authors: was never called (g-sa955et2) (2 more gaps)
  GET /books: response 409 was never returned: send a request that conflicts with the current state (g-vqg9sh2n)`,
    );
    const { err } = await run("--baseline base.json --format=html=page.html");
    assert.match(
      err,
      /\nSince the baseline of .*\n {2}Operations .*\n {2}2 new gaps\n(?: {2}.*\n)* {2}4 gaps in what was added\n\n/,
    );
    const plain = await run("--format=text");
    assert.ok(!plain.out.includes("baseline"));
  });
});

Deno.test("excluded parts are neither closed nor lost nor added", () =>
  withBaseline(async () => {
    await addOperation();
    const excluded = "--exclude /authors --exclude response:409";
    const { out } = await succeeds(run(
      `--baseline base.json --fail-on new-gaps,uncovered-additions ${excluded}`,
    ));
    assert.deepEqual((JSON.parse(out) as Report).comparison?.added, []);
    await run("--exclude /books --format=json=without.json");
    await sendLess();
    const again = await run("--baseline without.json --fail-on new-gaps");
    assert.equal(again.code, 0, "the baseline did not count what it excluded");
  }));

Deno.test("a hits file works as a baseline like the JSON report of the same run", () =>
  withBaseline(async () => {
    await run("--format=json=base.json");
    await sendLess();
    const [one, other] = await Promise.all(
      ["hits", "json"].map((name) => run(`--baseline base.${name} --fail-on new-gaps`)),
    );
    assert.equal(one?.code, 1);
    assert.equal(one?.err, other?.err);
    const changes = [one, other].map((ended) => {
      const { comparison } = JSON.parse(ended?.out ?? "") as Report;
      return { ...comparison, baseline: undefined };
    });
    assert.deepEqual(changes[0], changes[1]);
  }, "hits"));

Deno.test("a hits file with impossible times or milliseconds works as a baseline", () =>
  inShop(async () => {
    for (const [timestamp, said] of [[1e300, "1e+300"], [1.7e12, "+055840-11-08T22:13:20Z"]]) {
      const request = { method: "GET", url: "http://localhost/v1/books" };
      await writeJson("traffic.json", [{ request, response: { status_code: 200 }, timestamp }]);
      await succeeds(run("--format=hits=base.hits"));
      const { out } = await succeeds(run("--baseline base.hits"));
      assert.equal((JSON.parse(out) as Report).comparison?.baseline.generated_at, said);
    }
  }));

Deno.test("a baseline may be gzipped, and the error about a broken one says so", () =>
  withBaseline(async () => {
    await run("--format=json=base.json");
    await sendLess();
    for (const path of ["base.hits", "base.json"]) {
      const packed = gzipSync(await Deno.readFile(path));
      await Deno.writeFile(`${path}.gz`, packed);
      const args = "--fail-on new-gaps --baseline";
      const whole = await run(`${args} ${path}`);
      assert.deepEqual(await run(`${args} ${path}.gz`), whole);
      assert.equal(whole.code, 1);
      await Deno.writeFile(`${path}.gz`, packed.subarray(0, 40));
      const { err } = await run(`${args} ${path}.gz`);
      assert.match(err, /^Error: Cannot compare with .*\.gz: The gzip data is broken\. Copy the/);
    }
  }, "hits"));

Deno.test("hits of a changed description are carried over, and don't show what was added", () =>
  withBaseline(async () => {
    const changed = SHOP_DESCRIPTION.replace("maximum: 100", "maximum: 200");
    await Deno.writeTextFile("openapi.yaml", changed);
    await sendLess();
    const { err } = await fails(
      run("--baseline base.hits --fail-on new-gaps"),
      /Warning: Baseline .*base\.hits: The description no longer has [\s\S]*dropped:\n- GET \/books, query limit, schema\/maximum\n/,
    );
    assert.match(err, /\nFailed on new-gaps:\n {2}This gap was closed in the baseline:\n.* 200 /);
    const added = await fails(run("--baseline base.hits --fail-on uncovered-additions"));
    assert.match(
      added.err.replaceAll("\n", " "),
      /^Error: --fail-on uncovered-additions cannot tell what was added since .*base\.hits: .* Use a report of --format json /,
    );
  }, "hits"));

Deno.test("hits of a changed description whose operations are all excluded work as a baseline", () =>
  withBaseline(async () => {
    await addOperation();
    const changed = await Deno.readTextFile("openapi.yaml");
    await Deno.writeTextFile("openapi.yaml", changed.replace("maximum: 100", "maximum: 200"));
    const { out } = await succeeds(run("--baseline base.hits --exclude /books"));
    assert.deepEqual((JSON.parse(out) as Report).comparison?.new_gaps, []);
  }, "hits"));

Deno.test("a finding that a hits file has isn't new where the description has changed", () =>
  inShop(async () => {
    await sendLess();
    await succeeds(run("--format=hits=base.hits"));
    await addOperation();
    const { out } = await succeeds(run("--baseline base.hits --fail-on new-findings"));
    const { findings, comparison } = JSON.parse(out) as Report;
    assert.deepEqual(findings?.map(({ kind }) => kind), [
      "valid_request_refused",
      "never_succeeded",
    ]);
    assert.deepEqual(comparison?.new_findings, []);
  }));

Deno.test("hits that are damaged or of another API are refused as a baseline", () =>
  withBaseline(async () => {
    const moved = SHOP_DESCRIPTION.replace("/books:", "/items:");
    for (const text of [moved, moved.replace("title: Shop", "title: Payments")]) {
      await Deno.writeTextFile("openapi.yaml", text);
      await fails(
        run("--baseline base.hits"),
        /^Error: Cannot compare with .*base\.hits: It has hits of "Shop" \(/,
      );
    }
    const bytes = await Deno.readFile("base.hits");
    await Deno.writeFile("base.hits", bytes.subarray(0, bytes.length / 2));
    await fails(run("--baseline base.hits"), /^Error: Cannot read .*base\.hits: /);
    const missing = await run("--baseline nope.hits");
    assert.match(
      missing.err.replaceAll("\n", " "),
      /Make it with --format hits=.*nope\.hits, in a/,
    );
  }, "hits"));
