import assert from "node:assert/strict";
import process from "node:process";
import type { Report } from "../../src/report/report.ts";
import { REPORT_FORMATS } from "../../src/report/reporters.ts";
import { inWorkingFolder } from "../in_folder.ts";
import { fails, succeeds } from "../command_end.ts";
import { schemaProblems } from "../report/report_schema.ts";
import { runCovtool } from "./fake_host.ts";
import { shopApi } from "../shop_api.ts";

const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
const ok = { responses: { 200: { description: "Fine" }, 201: { description: "Made" } } };
const DESCRIPTION = shopApi({
  "/loans": { post: ok },
  "/loans/{id}": { get: { ...ok, parameters: [id] } },
  "/reports": { get: ok },
}, {
  servers: [{ url: "http://localhost:3000" }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } } },
});

const CONFIG = `schema: openapi.json
identities:
  alice: { header: X-Api-Key, valueFromEnv: ACCESS_TEST_ALICE }
  bob: { header: X-Api-Key, valueFromFile: bob.key }
  admin: { jwt: { sub: planted-frieda, role: admin } }
access:
  "/loans/**": ["alice:own", "bob:own", admin]
  GET /reports: admin
`;

const TOKEN = `e30.${btoa(JSON.stringify({ role: "admin", sub: "planted-frieda" }))}.c2ln`;
const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  alice: { "X-Api-Key": "planted-alice-4711" },
  bob: { "X-Api-Key": "planted-bob-0815" },
  admin: { Authorization: `Bearer ${TOKEN.replaceAll("=", "")}` },
  mallory: { "X-Api-Key": "planted-mallory-99" },
  nobody: {},
};

function sent(by: string, request: string, status_code: number, body?: string) {
  const [method, path] = request.split(" ");
  const headers = { accept: "*/*", ...KEYS[by] };
  const response = { status_code, headers: { "content-type": "application/json" }, body };
  return { request: { method, url: `http://localhost:3000${path}`, headers }, response };
}

const TRAFFIC = [
  sent("alice", "POST /loans", 201, '{"id":7}'),
  sent("alice", "GET /loans/7", 200),
  sent("bob", "GET /loans/7", 200),
  sent("mallory", "GET /reports", 401),
  sent("bob", "GET /reports", 200),
  sent("admin", "GET /reports", 200),
];

const FILES = {
  "openapi.json": DESCRIPTION,
  "covtool.yaml": CONFIG,
  "bob.key": "planted-bob-0815\n",
  "traffic.json": { interactions: TRAFFIC },
};

async function inLibrary(
  test: (folder: string) => Promise<void>,
  files: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  process.env["ACCESS_TEST_ALICE"] = "planted-alice-4711";
  try {
    await inWorkingFolder({ ...FILES, ...files }, test);
  } finally {
    delete process.env["ACCESS_TEST_ALICE"];
  }
}

async function runForReport(line: string): Promise<Report> {
  const { out } = await succeeds(runCovtool(`${line} --format json`));
  const report = JSON.parse(out) as Report;
  assert.deepEqual(schemaProblems(report), []);
  return report;
}

function found(report: Report): readonly unknown[] {
  return (report.findings ?? []).flatMap((one) =>
    one.kind === "allowed_unexpectedly" ? [[one.identity, one.path, one.foreign_object]] : []
  );
}

const FOUND = [["bob", "/loans/{id}", "read"], ["bob", "/reports", undefined]];

Deno.test("report judges access by the identities and rules in covtool.yaml", () =>
  inLibrary(async () => {
    const report = await runForReport("report traffic.json");
    assert.deepEqual(found(report), FOUND);
    assert.deepEqual(report.access?.identities, ["anonymous", "alice", "bob", "admin"]);
    assert.equal(report.access?.unknown, 1);
    assert.deepEqual(report.summary.access, {
      tried: 5,
      total: 14,
      percent: 5 / 14 * 100,
      measured: true,
    });
    const { out } = await runCovtool("report traffic.json --format text");
    assert.match(out, /\nAccess +5 of 14 expectations tried \(35\.7%\)\n/);
    assert.match(out, /\nAccess to try: \d+\n {2}1 request had credentials of no identity\.\n/);
    assert.match(out, /GET \/reports: nobody tried that anonymous and alice are refused\n/);
    assert.match(
      out,
      /GET \/loans\/\{id\}: bob read an object of alice once and should be\s+refused/,
    );
  }));

Deno.test("--fail-on and thresholds can fail a run because of access", () =>
  inLibrary(async () => {
    const judged = async (options: string) =>
      (await runCovtool(`report traffic.json --format text ${options}`)).code;
    assert.equal(await judged("--fail-on allowed_unexpectedly"), 1);
    assert.equal(await judged("--fail-on refused_unexpectedly"), 0);
    assert.equal(await judged("--fail-under-access 35"), 0);
    assert.equal(await judged("--fail-under-access 36"), 1);
    const plain = "report openapi.json traffic.json --no-config --fail-under-access 1";
    assert.match(
      (await runCovtool(plain)).err,
      /not measured \(the config file has no identities, /,
    );
    // Access is part of a baseline.
    await runCovtool("report traffic.json --format json=main.json");
    assert.equal(await judged("--baseline main.json --fail-on new-findings"), 0);
    assert.equal(await judged("--baseline main.json --fail-on decrease=access"), 0);
    await Deno.writeTextFile("less.json", JSON.stringify({ interactions: TRAFFIC.slice(0, 2) }));
    const less = "report less.json --baseline main.json --fail-on decrease=access";
    assert.match((await runCovtool(less)).err, /access expectations tried: 14\.\d% is below/);
  }));

Deno.test("hits of shards merge to the same access matrix", () =>
  inLibrary(async () => {
    // An object belongs to an identity only within one recording.
    const whole = await runForReport("report traffic.json");
    for (const [name, part] of Object.entries({ one: [0, 3], two: [3, 6] })) {
      const interactions = TRAFFIC.slice(...part);
      await Deno.writeTextFile(`${name}.json`, JSON.stringify({ interactions }));
      await succeeds(runCovtool(`report ${name}.json --format hits=${name}.hits`));
    }
    const merged = await runForReport("merge two.hits one.hits");
    assert.deepEqual(merged.access, whole.access);
    assert.deepEqual(found(merged), FOUND);
  }));

Deno.test("no output contains a credential or a claim", () =>
  inLibrary(async () => {
    for (const format of [...REPORT_FORMATS, "hits"]) {
      const { out, err } = await fails(runCovtool(
        `report traffic.json --format ${format}=report --fail-on all`,
      ));
      const text = await Deno.readTextFile("report");
      const isForPeople = /^(?:html|json|text|markdown|junit|sarif|hits)$/.test(format);
      assert.ok(!isForPeople || text.includes("bob"), format);
      assert.ok(!/planted/.test(text + out + err), format);
    }
  }));

Deno.test("masked credentials are not measured, and the report says what to do", () =>
  inLibrary(async () => {
    const masked = await runCovtool("convert traffic.json --schema openapi.json");
    await Deno.writeTextFile("masked.json", masked.out);
    const { out } = await succeeds(runCovtool("report masked.json --format text"));
    assert.match(out, /\nAccess +not measured: the traffic doesn't show who sent it/);
    assert.match(out, /6 requests don't show who sent them[^]*Record them with covtool/);
    assert.equal((await runCovtool("report masked.json --fail-under-access 1")).code, 1);
    const report = await runForReport("report masked.json");
    assert.equal(report.summary.access?.measured, false);
    assert.deepEqual(found(report), []);
  }));

Deno.test("mistakes in identities and access rules are errors before anything is measured", async () => {
  const cases: readonly [from: string, to: string, sentence: RegExp][] = [
    ["ACCESS_TEST_ALICE", "ACCESS_TEST_EVE", /:3.*variable ACCESS_TEST_EVE is not set/],
    ["bob.key", "none.key", /:4.*cannot be read from none\.key/],
    [
      "valueFromFile: bob.key",
      "valueFromEnv: ACCESS_TEST_ALICE",
      /:4.*as they show "alice" \(covtool\.yaml:3\)/,
    ],
    ["role: admin", "role: 7", /jwt\.role must be a non-empty string/],
    [
      "GET /reports: admin",
      "GET /reports: amdin",
      /:8.*no identity "amdin"\. Did you mean admin\?/,
    ],
    ["GET /reports", "GET reports", /:8.*"GET reports" is not a pattern/],
    ["header: X", "hedaer: X", /Unknown key "hedaer"\. Did you mean header\?/],
  ];
  for (const [from, to, sentence] of cases) {
    await inLibrary(async () => {
      const measured = await runCovtool("report traffic.json");
      assert.equal(measured.code, 1, to);
      assert.match(measured.err, sentence);
      const checked = await runCovtool("check");
      assert.equal(checked.code, 1, to);
      assert.match(checked.out, sentence);
      assert.ok(!/planted/.test(measured.err + checked.out));
    }, { "covtool.yaml": CONFIG.replace(from, to) });
  }
});

Deno.test("check and report say that a pattern that matches no operation is stale", () =>
  inLibrary(async () => {
    const sentence =
      /"GET \/report" \(covtool\.yaml:8\) matches no operation\. Did you mean GET \/reports\?/;
    const { out } = await succeeds(runCovtool("check"));
    assert.match(out, sentence);
    const { out: text } = await runCovtool("report traffic.json --format json");
    assert.match(text, /matches no operation/);
  }, { "covtool.yaml": CONFIG.replace("GET /reports", "GET /report") }));

Deno.test("identities are recognized in large recordings that several threads read", async () => {
  const traffic = Array.from({ length: 200 }, () => TRAFFIC).flat();
  await inLibrary(async () => {
    const one = await runForReport("report traffic.json --jobs 1");
    const four = await runForReport("report traffic.json other.json --jobs 4");
    assert.equal(one.access?.operations[1]?.cells[2]?.foreign_allowed, 200);
    assert.equal(four.access?.operations[1]?.cells[2]?.foreign_allowed, 400);
  }, { "traffic.json": traffic, "other.json": traffic });
});
