import assert from "node:assert/strict";
import type { Report } from "../../src/report/report.ts";
import { fails, succeeds } from "../command_end.ts";
import { schemaProblems } from "../report/report_schema.ts";
import { type Ended, runCovtool } from "./fake_host.ts";
import { inShop, SHOP_DESCRIPTION, SHOP_TRAFFIC } from "./shop_files.ts";

const USERS = `openapi: 3.1.0
info: { title: Users, version: 1.0.0 }
servers: [{ url: https://users.example/v1 }]
paths:
  /users/{id}:
    get:
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }
      responses: { 200: { description: A user } }
    delete:
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
      responses: { 204: { description: Deleted } }
`;

const USER_TRAFFIC = JSON.stringify({
  interactions: [
    {
      request: { method: "GET", url: "https://users.example/v1/users/7" },
      response: { status_code: 200 },
    },
    { request: { method: "PUT", url: "https://users.example/v1/users/7" } },
    { request: { method: "GET", url: "https://metrics.example/collect" } },
  ],
});

const CONFIG = `traffic: [traffic.json, users.json]
apis:
  - name: Shop
    schema: openapi.yaml
    basePath: /v1
  - name: Users
    schema: users.yaml
    hosts: users.example
`;

/** Runs a test in a folder with two APIs, and with other files or contents. */
async function inShops(
  test: () => Promise<void>,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const own = { "users.yaml": USERS, "users.json": USER_TRAFFIC, "covtool.yaml": CONFIG };
  await inShop(test, { ...own, ...files });
}

function apiReports({ out, err }: Ended): readonly Report[] {
  assert.ok(out.startsWith("{"), err);
  return (JSON.parse(out) as { readonly apis: readonly Report[] }).apis;
}

function unmatchedUrls(report: Report | undefined): readonly string[] {
  return report?.unmatched.map(({ method, host, path }) => `${method} ${host}${path}`) ?? [];
}

Deno.test("report counts each request for the API that it belongs to", () =>
  inShops(async () => {
    const result = await runCovtool("report --format json");
    const [shop, users] = apiReports(result);
    assert.deepEqual([shop?.title, users?.title], ["Shop", "Users"]);
    assert.deepEqual([shop?.format_version, users?.format_version], [1, 1]);
    assert.deepEqual([shop?.traffic.matched, users?.traffic.matched], [2, 1]);
    assert.deepEqual(unmatchedUrls(shop), ["GET metrics.example/collect", "GET localhost/v1/nope"]);
    assert.deepEqual(unmatchedUrls(users), [
      "GET metrics.example/collect",
      "PUT users.example/users/{id}",
    ]);
    assert.equal(result.code, 0);
    assert.deepEqual(schemaProblems(JSON.parse(result.out), "#/$defs/apis"), []);
    const { gaps: _, ...broken } = shop ?? {};
    assert.equal(schemaProblems({ apis: [broken] }, "#/$defs/apis").length, 1);
  }));

Deno.test("the text report has an overview of all APIs and a table for each", () =>
  inShops(async () => {
    const { out } = await runCovtool(["report", "--format", "text", "--title", "All shops"]);
    assert.match(out, /^All shops\n/);
    assert.match(out, /\nShop +50% +/);
    assert.match(out, /\nUsers +50% +50% +/);
    assert.match(out, /\nAll +50%/);
    assert.match(
      out,
      /1 request matched none of the APIs\nCount {2}Request\n─+\n +1 +GET metrics\.example\/collect\n/,
    );
    assert.match(out, /\nFindings\n {2}Shop: 1 rule not enforced\n\n1 request matched none/);
    assert.match(out, /GET +\/books +2 /);
    assert.match(out, /GET +\/users\/\{id\} +1 /);
  }));

Deno.test("every format can report several APIs", () =>
  inShops(async () => {
    const formats = ["html", "markdown", "lcov", "cobertura", "sarif", "junit", "badge", "hits"]
      .map((format) => `--format ${format}=out/${format}`);
    await succeeds(runCovtool(`report ${formats.join(" ")}`));
    const read = (format: string) => Deno.readTextFileSync(`out/${format}`);
    assert.match(read("markdown"), /^<!-- covtool report -->\n### 2 APIs: API coverage\n/);
    assert.match(read("markdown"), /\n\| Users \| 50% \|/);
    assert.match(read("markdown"), /\n#### Users: API coverage\n/);
    assert.deepEqual(read("lcov").match(/^SF:.*$/gm), ["SF:openapi.yaml", "SF:users.yaml"]);
    assert.deepEqual(read("cobertura").match(/filename="[^"]*"/g), [
      'filename="openapi.yaml"',
      'filename="users.yaml"',
    ]);
    const { runs } = JSON.parse(read("sarif"));
    assert.deepEqual(
      runs.map((run: { automationDetails: { id: string } }) => run.automationDetails.id),
      ["covtool/Shop/", "covtool/Users/"],
    );
    assert.deepEqual(read("junit").match(/<testsuite name="[^"]*"/g), [
      '<testsuite name="API coverage of Shop"',
      '<testsuite name="API coverage of Users"',
    ]);
    assert.match(read("badge"), /operations 50%/);
    assert.equal(read("hits").trimEnd().split("\n").length, 2);
    assert.match(read("html"), /<title>2 APIs · API coverage<\/title>/);
    assert.match(read("html"), /<th scope="row">Users<\/th>/);
    assert.deepEqual(read("html").match(/id="(?:apis|report|source)[^"]*"/g), [
      ...['id="apis"', 'id="report-0"', 'id="source-0"', 'id="report-1"', 'id="source-1"'],
    ]);
  }));

Deno.test("thresholds and conditions are checked for each API, and messages name it", async () => {
  const config = `${CONFIG}    failUnderOperations: 90\n    failOn: no-traffic\n`;
  await inShops(async () => {
    const { err } = await fails(
      runCovtool("report"),
      /Threshold not met:\n {2}Users: operations: 50% is below 90%\n/,
    );
    assert.match(
      err,
      /covtool: exit 1: requirements not met \(threshold of operations in Users\)\n$/,
    );
    await Deno.writeTextFile("users.json", SHOP_TRAFFIC);
    const silent = await runCovtool("report");
    assert.match(silent.err, /^Warning: Users: No request of the traffic belongs to it\.\n/);
    assert.match(silent.err, /Failed on no-traffic:\n {2}Users: /);
    assert.match(silent.err, /\(threshold of operations in Users; no-traffic in Users\)\n$/);
  }, { "covtool.yaml": config });
});

Deno.test("a threshold on the command line applies to every API", () =>
  inShops(async () => {
    await fails(
      runCovtool("report --fail-under-operations 60"),
      /Shop: operations: 50% is below 60%\n {2}Users: operations: 50% is below/,
    );
  }));

Deno.test("merge adds hits to the API that they belong to", () =>
  inShops(async () => {
    await runCovtool("report traffic.json --format hits=a.hits");
    await runCovtool("report users.json --format hits=b.hits");
    const whole = await runCovtool("report --format json");
    const merged = await succeeds(runCovtool("merge b.hits a.hits -o all.hits --format json=-"));
    assert.deepEqual(apiReports(merged), apiReports(whole));
    const again = await runCovtool("report all.hits --format json");
    assert.deepEqual(apiReports(again), apiReports(whole));
  }));

Deno.test("an exclusion for all APIs is not stale if it matches one of them", async () => {
  const config = `exclude: [GET /books, GET /nowhere]\n${CONFIG}`;
  await inShops(async () => {
    const { err, out } = await runCovtool("report --format json");
    assert.doesNotMatch(err, /"GET \/books"/);
    assert.match(err, /Users: .*"GET \/nowhere"/);
    const [shop, users] = JSON.parse(out).apis as readonly Report[];
    assert.equal(shop?.exclusions?.[0]?.excluded.operations.total, 1);
    assert.equal(users?.exclusions?.[0]?.stale, null);
  }, { "covtool.yaml": config });
});

Deno.test("an exclusion for all APIs is not stale where all it leaves out is covered if it leaves out a gap of another", async () => {
  const request = { method: "DELETE", url: "https://users.example/v1/users/7" };
  const traffic = { interactions: [{ request, response: { status_code: 204 } }] };
  await inShops(async () => {
    const result = await runCovtool("report --format json --fail-on stale-exclusions");
    const [shop, users] = apiReports(result).map(({ exclusions }) => exclusions?.[0]);
    assert.deepEqual(shop?.excluded.responses, { seen: 1, total: 1 });
    assert.deepEqual(users?.excluded.responses, { seen: 0, total: 1 });
    assert.deepEqual([shop?.stale, users?.stale, result.code], [null, null, 0]);
  }, {
    "covtool.yaml": `exclude: response:200\n${CONFIG}`,
    "users.json": JSON.stringify(traffic),
  });
});

Deno.test("an include pattern for all APIs is stale only if it matches none of them", async () => {
  const config = `include: [/books, "/users/**", /nowhere]\n${CONFIG}`;
  const expected = 'The include pattern "/nowhere" (covtool.yaml:1) matches nothing.';
  await inShops(async () => {
    const reports = apiReports(await runCovtool("report --format json"));
    const stale = reports.map(({ exclusions }) => exclusions?.[0]?.stale);
    assert.deepEqual(stale, [expected, expected]);
    const { out } = await runCovtool("check");
    assert.doesNotMatch(out, /"\/(books|users\/\*\*)"/);
  }, { "covtool.yaml": config });
});

Deno.test("an access pattern for all APIs is not stale if it matches an operation of one of them", async () => {
  const access =
    "identities: { anna: { tag: anna } }\naccess: { GET /books: [], GET /nowhere: [] }";
  await inShops(async () => {
    for (const command of ["report", "check"]) {
      const { err, out } = await runCovtool(command);
      assert.doesNotMatch(err + out, /The access pattern "GET \/books"/, command);
    }
    const { apis } = JSON.parse((await runCovtool("report --format json")).out);
    for (const { diagnostics } of apis as readonly Report[]) {
      const stale = diagnostics.filter(({ code }) => code === "stale_access");
      assert.deepEqual(stale.map(({ message }) => message.includes("/nowhere")), [true]);
    }
  }, { "covtool.yaml": `${access}\n${CONFIG}` });
});

Deno.test("an access pattern of one API is stale if it matches nothing there", async () => {
  const own = "    access: { GET /nowhere: [] }\n";
  await inShops(async () => {
    for (const command of ["report --format json", "check"]) {
      const { err, out } = await runCovtool(command);
      assert.match(err + out, /The access pattern \\?"GET \/nowhere\\?" \(covtool/, command);
    }
  }, { "covtool.yaml": `identities: { anna: { tag: anna } }\n${CONFIG}${own}` });
});

Deno.test("the overview of several APIs shows how much of the access to each was tried", async () => {
  const access = "identities: { anna: { tag: anna } }\naccess: { GET /books: [] }";
  await inShops(async () => {
    const { out } = await runCovtool("report --format text");
    const [overview = ""] = out.split("\n═");
    assert.match(overview, /\nAccess\n {2}Shop: not measured: .* \(2 expectations\)\n\n/);
  }, { "covtool.yaml": `${access}\n${CONFIG}` });
});

Deno.test("a baseline is compared API by API, and a missing API counts as added", async () => {
  const failing = "--fail-on new-gaps,uncovered-additions";
  await inShops(async () => {
    for (const format of ["json", "hits"]) {
      await runCovtool(`report --format ${format}=base.${format}`);
      const same = await succeeds(runCovtool(
        `report --baseline base.${format} --format json ${format === "json" ? failing : ""}`,
      ));
      assert.deepEqual(apiReports(same).map(({ comparison }) => comparison?.new_gaps), [[], []]);
    }
    await Deno.writeTextFile("users.json", SHOP_TRAFFIC);
    await fails(
      runCovtool(`report --baseline base.json ${failing}`),
      /Failed on new-gaps:\n {2}Users: These 3 gaps were closed/,
    );
    await Deno.writeTextFile("covtool.yaml", CONFIG.replace("name: Users", "name: People"));
    const more = await runCovtool(`report --baseline base.json ${failing}`);
    assert.match(more.err, /Failed on uncovered-additions:\n {2}People: /);
    assert.doesNotMatch(more.err.slice(more.err.indexOf("Failed on")), /Shop: /);
  });
});

Deno.test("a run for one API is compared with this API in a report of several", () =>
  inShops(async () => {
    await runCovtool("report --format json=base.json --format hits=base.hits");
    for (const base of ["base.json", "base.hits"]) {
      const { out, err } = await runCovtool(
        `report users.yaml users.json --no-config --format json --baseline ${base}`,
      );
      assert.deepEqual((JSON.parse(out || "{}") as Report).comparison?.added, [], err);
    }
    // Hits have both the API's name in the config file and its title.
    await Deno.writeTextFile("covtool.yaml", CONFIG.replace("name: Users", "name: People"));
    await runCovtool("report --format hits=people.hits");
    const alone = "report users.yaml users.json --no-config --format json";
    const { out } = await runCovtool(`${alone} --baseline people.hits`);
    assert.deepEqual((JSON.parse(out || "{}") as Report).comparison?.added, []);
    await Deno.writeTextFile("other.yaml", USERS.replace("Users", "Others"));
    await fails(
      runCovtool("report other.yaml users.json --baseline base.json"),
      /It is a report on several APIs \("Shop", "Users"\), and none of them/,
    );
    await fails(
      runCovtool("report other.yaml users.json --baseline people.hits"),
      /hits of several APIs, and none of them alone has the description other\.yaml\. Choose /,
    );
    // The description decides between APIs with the same title; if it can't, none is chosen.
    const more = CONFIG.replace("Users", "People") + "  - { name: New, schema: other.yaml }\n";
    await Deno.writeTextFile("covtool.yaml", more);
    await Deno.writeTextFile("other.yaml", USERS.replace("    delete:", "    put:"));
    await runCovtool("report --format hits=both.hits");
    const both = await runCovtool(`${alone} --baseline both.hits`);
    assert.ok(both.out.startsWith("{") && !both.err.includes("Baseline"), both.err);
    await Deno.writeTextFile("third.yaml", USERS.replace("    delete:", "    patch:"));
    await fails(
      runCovtool("report third.yaml users.json --no-config --baseline both.hits"),
      /hits of several APIs, and none of them alone has the description third\.yaml/,
    );
  }));

Deno.test("check checks each of several APIs and their common settings", async () => {
  const config = `exclude: [GET /books, GET /nowhere]
apis:
  - schema: openapi.yaml
  - { schema: users.yaml, exclude: tag:none }
  - { schema: openapi.yaml, basePath: /v2, baseline: main.json }
  - { name: Gone, schema: gone.yaml }
`;
  await inShops(async () => {
    const { out } = await fails(runCovtool("check"));
    assert.match(out, /covtool\.yaml:5: error: This API is called "Shop" like the one at covtool/);
    assert.match(out, /gone\.yaml: error: Cannot load gone\.yaml/);
    assert.equal(out.match(/covtool\.yaml:1:\d+: warning: .*GET \/nowhere/g)?.length, 1, out);
    assert.match(out, /covtool\.yaml:4:\d+: warning: .*tag:none/);
    assert.match(out, /covtool\.yaml:5: warning: There is no file main\.json\./);
    assert.doesNotMatch(out, /GET \/books" \(/);
  }, { "covtool.yaml": config });
});

Deno.test("a request that fits two APIs equally counts for the first, with a warning", async () => {
  const config = `traffic: traffic.json
apis:
  - { name: Old, schema: openapi.yaml }
  - { name: New, schema: copy.yaml }
`;
  await inShops(async () => {
    const { err, out } = await runCovtool("report --format json");
    const matched = JSON.parse(out).apis.map(({ traffic }: Report) => traffic.matched);
    assert.deepEqual(matched, [2, 0]);
    assert.match(
      err,
      /Warning: GET \/books is in Old and in New, and nothing tells them apart: 2\s+requests count for Old\. Set hosts or basePath\./,
    );
  }, { "covtool.yaml": config, "copy.yaml": SHOP_DESCRIPTION });
});

const MISTAKES: readonly (readonly [string, string, RegExp])[] = [
  [
    "two APIs of one title",
    "apis:\n  - schema: openapi.yaml\n  - { schema: openapi.yaml, basePath: /b }\n",
    /^Error: covtool\.yaml:4: This API is called "Shop" like the one at covtool\.yaml:3\. Give each a name of its own\./,
  ],
  [
    "a missing description",
    "apis:\n  - schema: openapi.yaml\n  - { name: Gone, schema: gone.yaml }\n",
    /^Error: covtool\.yaml:4: The API "Gone" cannot be measured\. .*gone\.yaml/,
  ],
];

for (const [what, apis, sentence] of MISTAKES) {
  Deno.test(`a config file with ${what} is an error with its place`, () =>
    inShops(async () => {
      await fails(runCovtool("report --format json"), sentence);
    }, { "covtool.yaml": `traffic: traffic.json\n${apis}` }));
}

Deno.test("--base-path is refused for several APIs", () =>
  inShops(async () => {
    await fails(
      runCovtool("report --base-path /v2"),
      /^Error: --base-path is for one API, and covtool\.yaml has several\./,
    );
  }));

Deno.test("the format overlay is refused for several APIs before anything is written", () =>
  inShops(async () => {
    await fails(
      runCovtool("report --format hits=all.hits --format overlay=proposals.yaml"),
      /^Error: The format overlay is about one API, and there are 2\. Name a description on the /,
    );
    await assert.rejects(Deno.stat("all.hits"), Deno.errors.NotFound);
  }));

Deno.test("a description on the command line is measured alone", () =>
  inShops(async () => {
    const { out } = await runCovtool("report users.yaml users.json --format json");
    assert.equal((JSON.parse(out) as Report).schema.title, "Users");
  }));

Deno.test("run measures several APIs", () =>
  inShops(async () => {
    const { err, out } = await succeeds(runCovtool(
      `run --format json -- ${Deno.execPath()} eval 0`,
    ));
    assert.match(err, /^Warning: No traffic was recorded\./);
    assert.deepEqual(JSON.parse(out).apis.map(({ title }: Report) => title), ["Shop", "Users"]);
  }));

Deno.test("traffic of the Bookshop and its accounts, recorded together, is told apart", async () => {
  const config = new URL("../fixtures/apis/covtool.yaml", import.meta.url).pathname;
  const report = `report --config ${decodeURIComponent(config)} --format json`;
  const { out, err } = await fails(runCovtool(report));
  const { apis } = JSON.parse(out) as { readonly apis: readonly Report[] };
  assert.deepEqual(
    apis.map(({ title, traffic: { matched, unmatched } }) => [title, matched, unmatched]),
    [["Bookshop", 49, 6], ["Accounts", 4, 3]],
  );
  assert.match(err, /in Accounts\)\n$/);
});
