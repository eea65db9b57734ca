import assert from "node:assert/strict";
import { readdirSync, statSync } from "node:fs";
import { main } from "../../src/cli/main.ts";
import type { Host } from "../../src/run/host.ts";
import { CoverageMap, type Report } from "../../mod.ts";
import { recordBatch } from "../../src/record/record_batches.ts";
import { readRecording } from "../../src/traffic/read/read_recording.ts";
import { fails, succeeds } from "../command_end.ts";
import {
  type Ended,
  type FakeHost,
  fakeHost,
  type FakeHostOptions,
  runCovtool,
} from "./fake_host.ts";
import { inWorkingFolder, writeJson } from "../in_folder.ts";

const FIXTURES = new URL("../fixtures/recordings/", import.meta.url).pathname;
const BOOKSHOP = new URL("../../examples/bookshop/openapi.yaml", import.meta.url).pathname;
const SECRETS = JSON.stringify({
  interactions: [
    {
      request: {
        method: "POST",
        url: "http://ann:hush@localhost/login?api_key=K3y",
        headers: { Authorization: "Bearer abc.DEF", Accept: "*/*" },
        body: '{"user":"ann","password":"Pa55"}',
      },
      response: { status_code: 200, elapsed: 0.5 },
      timestamp: 17,
    },
    { request: { method: "GET", url: "http://localhost/books" } },
  ],
});

async function withSecrets(
  run: () => Promise<void>,
  files: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await inWorkingFolder({ "in.json": SECRETS, ...files }, run);
}

async function convert(line: string, options: FakeHostOptions = {}): Promise<Ended> {
  return await runCovtool(`convert ${line}`, options);
}

/** Reports on a recording. */
async function reportOn(recording: string): Promise<Report> {
  const map = await CoverageMap.fromPath(BOOKSHOP);
  const bytes = await Deno.readFile(recording);
  for await (const batch of readRecording(bytes, recording).batches()) recordBatch(map, batch);
  return map.report({ generatedAt: "2026-01-31T12:00:00Z" });
}

function fixtures(): string[] {
  return readdirSync(FIXTURES, { recursive: true }).map(String)
    .filter((name) => statSync(FIXTURES + name).isFile())
    // Skips the files that made the access logs, and logs that need a custom format.
    .filter((name) =>
      !/(?:^|\/)(?:README\.md|Caddyfile)$|\.(?:c[fj][gs]|conf|py|sh)$|_custom\.log$/.test(name)
    )
    .sort();
}

Deno.test("convert writes a traffic file and a summary, and nothing to standard output", () =>
  withSecrets(async () => {
    const { out, err } = await succeeds(convert("in.json -o new/out.json"));
    assert.equal(out, "");
    assert.equal(
      err,
      `2 requests of 1 recording. Secrets masked in 1 request.\n\nTraffic: new/out.json\n`,
    );
    const { interactions } = JSON.parse(await Deno.readTextFile("new/out.json"));
    assert.deepEqual(interactions, [
      {
        request: {
          method: "POST",
          url: "http://aaa:aaaa@localhost/login?api_key=A1a",
          headers: { Authorization: "Bearer aaa.AAA", Accept: "*/*" },
          body: '{"user":"ann","password":"Aa11"}',
        },
        response: { status_code: 200, elapsed: 0.5 },
        timestamp: 17,
      },
      { request: { method: "GET", url: "http://localhost/books" } },
    ]);
  }));

Deno.test("convert keeps the names of tests, also when it masks", () =>
  withSecrets(async () => {
    const request = { method: "GET", url: "/v1/books", headers: { Authorization: "Bearer abc" } };
    await writeJson("tests.jsonl", { request, test: "lists" });
    const [interaction] = JSON.parse((await convert("tests.jsonl")).out).interactions;
    assert.equal(interaction.test, "lists");
    assert.notEqual(interaction.request.headers.Authorization, "Bearer abc");
  }));

Deno.test("convert --no-redact keeps secrets, in a file that only its owner can read", () =>
  withSecrets(async () => {
    const { err } = await convert("in.json --no-redact -o out.json");
    assert.match(err, /^2 requests of 1 recording\. Secrets are not masked\.\n/);
    assert.deepEqual(
      JSON.parse(await Deno.readTextFile("out.json")),
      JSON.parse(SECRETS),
    );
    if (Deno.build.os !== "windows") {
      assert.equal((statSync("out.json").mode & 0o777).toString(8), "600");
    }
  }));

Deno.test("convert reads standard input and writes only the traffic to standard output", async () => {
  for (const args of ["-", "- -o -"]) {
    const { out, err } = await succeeds(convert(args, { stdin: SECRETS }));
    assert.equal(JSON.parse(out).interactions.length, 2);
    assert.equal(err, "");
  }
});

Deno.test("JSON Lines are written if the file name or --format says so", () =>
  withSecrets(async () => {
    for (
      const [name, options, lines] of [
        ["a.jsonl", "", 2],
        ["b.NDJSON", "", 2],
        ["c.txt", "--format jsonl", 2],
        ["d.jsonl", "--format json", 4],
        ["e.json", "", 4],
      ] as const
    ) {
      await convert(`in.json -o ${name} ${options}`);
      const text = await Deno.readTextFile(name);
      assert.equal(text.trimEnd().split("\n").length, lines, name);
    }
  }));

Deno.test("several recordings become one, with a warning about other files", () =>
  withSecrets(async () => {
    await Deno.copyFile(`${FIXTURES}vcrpy/bookshop-requests.yaml`, "runs/one.yaml");
    const { err } = await convert("runs in.json -o out.json");
    assert.match(err, /^13 requests of 2 recordings\. /);
    assert.match(err, /\nWarning: .*notes\.txt: Skipped, because/);
  }, { "runs/notes.txt": "what we did\n" }));

Deno.test("a converted recording with masked secrets gives the same report as the original", () =>
  withSecrets(async () => {
    let masked = 0;
    for (const name of fixtures()) {
      const { err } = await succeeds(convert(`${FIXTURES}${name} -o out.jsonl`));
      if (/Secrets masked/.test(err)) masked++;
      assert.deepEqual(await reportOn("out.jsonl"), await reportOn(FIXTURES + name), name);
    }
    assert.ok(masked >= 5, `${masked}`);
  }));

Deno.test("an empty recording and an unusual file name cause warnings", () =>
  withSecrets(async () => {
    const { err } = await succeeds(convert("none.json -o out.har"));
    assert.match(err, /\nWarning: The recordings contain no requests\.\n/);
    assert.match(
      err,
      /\nWarning: out\.har contains a covtool traffic file\. Use the extension \.json\.\n/,
    );
  }, { "none.json": { interactions: [] } }));

Deno.test("the error about a missing recording or an unknown format says what to do", async () => {
  const none = await fails(convert(""));
  assert.equal(
    none.err,
    "Error: No recording given. Name at least one, or - for standard input. See covtool convert --help.\ncovtool: exit 1: error\n",
  );
  await fails(
    convert("a.har --format yaml"),
    /^Error: --format: Unknown format "yaml"\. Choose json or jsonl\.\ncovtool: exit 1: error\n$/,
  );
});

Deno.test("a long conversion shows its progress, but not within traffic on a terminal", () =>
  withSecrets(async () => {
    let now = 0;
    const slow = (host: FakeHost): Host => ({ ...host, now: () => now += 700 });
    const host = fakeHost({ columns: 60 });
    assert.equal(await main(["convert", "in.json", "more.json", "-o", "o"], slow(host)), 0);
    const [before, line, after] = host.err().split("\r\u001b[K");
    assert.equal(before, "");
    assert.match(line ?? "", /^Reading █+ .*MB$/);
    assert.match(after ?? "", /^4 requests/);
    const mixed = fakeHost({ columns: 60 });
    await main(["convert", "in.json", "more.json"], slow(mixed));
    assert.equal(mixed.err(), "");
  }, { "more.json": SECRETS }));

Deno.test("convert keeps response bodies with masked secrets, except with --no-response-bodies", () =>
  withSecrets(async () => {
    const interaction = {
      request: { method: "POST", url: "http://localhost/login" },
      response: {
        status_code: 200,
        headers: { "Content-Type": "application/json", "Set-Cookie": "sid=Ab1" },
        body: '{"token":"Ab1"}',
      },
    };
    await writeJson("in.json", interaction);
    const responseIn = async (options = ""): Promise<unknown> =>
      JSON.parse((await convert(`in.json --format jsonl ${options}`)).out).response;
    const headers = { "Content-Type": "application/json", "Set-Cookie": "sid=Aa1" };
    assert.deepEqual(await responseIn(), { status_code: 200, headers, body: '{"token":"Aa1"}' });
    assert.deepEqual(await responseIn("--no-response-bodies"), { status_code: 200, headers });
  }));

Deno.test("convert keeps durations of weighted lines, with or without response bodies", () =>
  withSecrets(async () => {
    const response = { status_code: 200, elapsed: 0.25, elapsed_sum: 12.5, elapsed_max: 3 };
    const interaction = { request: { method: "GET", url: "http://localhost/" }, count: 50 };
    const line = JSON.stringify({ ...interaction, response: { ...response, body: "{}" } });
    for (const options of ["", "--no-response-bodies"]) {
      const { out } = await convert(`- --format jsonl ${options}`, { stdin: line });
      const written = JSON.parse(out);
      const { body: _body, ...kept } = written.response;
      assert.deepEqual([written.count, kept], [50, response]);
    }
  }));
