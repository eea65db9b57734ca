import assert from "node:assert/strict";
import { shopApi } from "../shop_api.ts";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { CommandError } from "../../src/run/command_error.ts";
import type { Host } from "../../src/run/host.ts";
import { loadMaps } from "../../src/run/load_apis.ts";
import { measure, type Measurement, type MeasureOptions } from "../../src/run/measure.ts";
import { WorkerPool } from "../../src/run/parallel/worker_pool.ts";
import { shareRecordings } from "../../src/run/recordings_reader.ts";
import type { FileJob } from "../../src/run/parallel/job.ts";
import { WorkerPoolError } from "../../src/run/parallel/pool_worker.ts";
import { RecordingError } from "../../src/values/errors.ts";
import { bundledProgram } from "../covtool_module.ts";
import { fakeHost } from "../cli/fake_host.ts";
import { inShop } from "../cli/shop_files.ts";

const PART = 1 << 16;

/** The bundled program, which is its own worker. */
async function bundle(): Promise<URL> {
  return new URL(`file://${await bundledProgram()}`);
}

/** A host in which reading waits, by default for a pause in which workers can start. */
function slowHost(program: URL, wait = (): Promise<void> => pause(10)): Host {
  let now = 0;
  return {
    ...fakeHost(),
    program,
    now: () => now += 10_000,
    stderr: {
      isTerminal: true,
      columns: 80,
      write: (text) => text.includes("Reading") ? wait() : Promise.resolve(),
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function interaction(index: number): unknown {
  const status_code = index % 13 === 0 ? 404 : 200;
  const url = `http://localhost/v1/${index % 10 === 3 ? `other/${index}` : "books"}`;
  return {
    request: index % 3 === 0
      ? {
        method: "POST",
        url,
        headers: { "Content-Type": "application/json" },
        body: `{"a":${index}}`,
      }
      : { method: "GET", url: `${url}?limit=${index % 150}&sort=${index % 2 ? "title" : "size"}` },
    response: { status_code, elapsed: index / 7_000 },
    timestamp: index % 500 === 99 ? "never" : 1_700_000_000 + index,
  };
}

function interactions(count: number): string {
  return Array.from({ length: count }, (_, index) => JSON.stringify(interaction(index))).join(
    ",\n",
  );
}

function optionsIn(folder: string, traffic: readonly string[], jobs?: number): MeasureOptions {
  return {
    schema: `${folder}/openapi.yaml`,
    basePath: undefined,
    traffic: traffic.map((path) => `${folder}/${path}`),
    jobs,
    partBytes: PART,
  };
}

function outcome({ map, warnings }: Measurement) {
  const reports = map.apis.map(({ map }) => map.report({ generatedAt: "" }));
  return { reports, warnings, ties: map.ties() };
}

/** Returns the result of one thread, after asserting that several threads give the same. */
async function sameOfAll(
  options: MeasureOptions,
  jobs = 2,
  program?: URL,
): Promise<ReturnType<typeof outcome>> {
  const one = outcome(await measure({ ...options, jobs: 1 }, fakeHost()));
  const host = slowHost(program ?? await bundle());
  assert.deepEqual(outcome(await measure({ ...options, jobs }, host)), one);
  return one;
}

Deno.test("parts of one recording share which credentials it shows, but recordings don't", () =>
  inShop(async (folder) => {
    const answer = { responses: { 200: { description: "Fine" } } };
    writeFileSync(
      `${folder}/openapi.yaml`,
      JSON.stringify(shopApi({ "/v1/books": { get: answer }, "/v1/orders": { get: answer } }, {
        security: [{ token: [] }],
        components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      })),
    );
    // A recording without any headers can't show credentials.
    const entry = (path: string, headers: object = { accept: "*/*" }): string =>
      JSON.stringify({
        request: { method: "GET", url: `http://localhost/v1/${path}`, headers },
        response: { status_code: 200 },
      });
    const silent = Array.from({ length: 6_000 }, (_, at) => entry(at % 2 ? "books" : "orders"));
    const shown = entry("books", { authorization: "Bearer abc" });
    writeFileSync(`${folder}/long.json`, `{"interactions": [${silent.join(",\n")},${shown}]}`);
    writeFileSync(`${folder}/silent.json`, `{"interactions": [${silent.slice(0, 9).join(",\n")}]}`);
    const one = await sameOfAll(optionsIn(folder, ["silent.json", "long.json"]));
    assert.deepEqual(
      one.reports[0]?.operations.map(({ credentials }) => Object.values(credentials ?? {})),
      [
        [1, 0, 3000, 4],
        [0, 0, 3000, 5],
      ],
    );
  }));

Deno.test("several threads make the same report of a long list as one thread, with the same warnings", () =>
  inShop(async (folder) => {
    writeFileSync(`${folder}/long.json`, `{"interactions": [${interactions(20_000)}], "end": 1}`);
    const one = await sameOfAll(optionsIn(folder, ["long.json"]), 3);
    assert.match(JSON.stringify(one), /40 times, first at interactions\[99\]\.timestamp/);
  }));

Deno.test("several threads read an access log like one thread, also in a custom format", () =>
  inShop(async (folder) => {
    const lines = Array.from({ length: 8_000 }, (_, index) => {
      const request = index % 900 === 99 ? "-" : `GET /v1/books?limit=${index % 150} HTTP/1.1`;
      return `10.0.0.1 - - [21/Nov/2026:10:00:${
        String(index % 60).padStart(2, "0")
      } +0000] "${request}" 200 1`;
    });
    writeFileSync(`${folder}/access.log`, `${lines.join("\n")}\n`);
    writeFileSync(`${folder}/own.log`, `${lines.map((line) => `x|${line}`).join("\n")}\n`);
    const logFormat = 'x|$remote_addr - - [$time_local] "$request" $status 1';
    for (const name of ["access.log", "own.log"]) {
      const options = { ...optionsIn(folder, [name]), logFormat };
      assert.match(
        JSON.stringify(await sameOfAll(options)),
        /"recorded":7991.*left out \(9 times, first at line 100\)/,
      );
    }
  }));

Deno.test("several threads count for several APIs like one thread", () =>
  inShop(async (folder) => {
    writeFileSync(`${folder}/long.json`, `{"interactions": [${interactions(20_000)}]}`);
    const { schema, basePath, ...others } = optionsIn(folder, ["long.json"]);
    const apis = ["/v1", "/v2", "/v1"].map((basePath, index) => ({
      name: `Shop ${basePath} ${index}`,
      schema,
      basePath,
      source: "covtool.yaml:1",
    }));
    const options = { ...others, schema, basePath, apis };
    const one = await sameOfAll(options);
    assert.match(JSON.stringify(one), /"ties":\[\{"name":"Shop \/v1 0","other":"Shop \/v1 2"/);
  }));

Deno.test("several threads share a folder of small and large recordings, compressed or not", () =>
  inShop(async (folder) => {
    const runs = `${folder}/runs`;
    mkdirSync(runs);
    for (let index = 0; index < 30; index++) {
      const list = `[${interactions(20 + index)}]`;
      writeFileSync(`${runs}/${index}.json`, index % 3 === 0 ? gzipSync(list) : list);
    }
    writeFileSync(`${runs}/long.jsonl`, interactions(5_000).replaceAll(",\n", "\n"));
    writeFileSync(`${runs}/notes.txt`, "none");
    await sameOfAll(optionsIn(folder, ["runs"]));
  }));

Deno.test("workers record, and their hits are merged", () =>
  inShop(async (folder) => {
    writeFileSync(`${folder}/some.json`, `[${interactions(10)}]`);
    const description = { schema: `${folder}/openapi.yaml`, basePath: undefined };
    const pool = new WorkerPool(await bundle(), description, 2);
    try {
      const map = await loadMaps(description);
      const jobs = Array.from({ length: 300 }, (): FileJob => ({
        kind: "file",
        recording: { path: `${folder}/some.json`, isNamed: true },
      }));
      const { size } = statSync(`${folder}/some.json`);
      let hasHelp = false;
      const results = await pool.run(jobs, map, async (bytes) => {
        hasHelp ||= bytes > size;
        if (!hasHelp) await pause(100);
      });
      assert.equal(results.filter(({ isRecording }) => isRecording).length, 300);
      assert.ok(map.traffic().recorded < 3_000);
      await pool.merge(map);
      assert.equal(map.traffic().recorded, 3_000);
    } finally {
      await pool.close();
    }
  }));

Deno.test("a list that was split at wrong places is read again by one thread, with the same result", () =>
  inShop(async (folder) => {
    const request = { method: "GET", url: "/v1/books" };
    // Nested items look like those around them, and are longer than a part.
    const nested = Array.from({ length: 9_000 }, () => ({ request }));
    const list = JSON.stringify([{ request }, { request }, { request, nested }, { request }]);
    writeFileSync(`${folder}/nested.json`, list);
    const one = await sameOfAll(optionsIn(folder, ["nested.json"]));
    assert.deepEqual(one.warnings, []);
  }));

/** A worker that accepts a job and then misbehaves. */
function badWorker(folder: string, then: string): URL {
  const path = `${folder}/worker.mjs`;
  writeFileSync(
    path,
    `import { writeFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
parentPort.on("message", ({ queue }) => {
  const numbers = new Int32Array(queue);
  Atomics.add(numbers, 0, 1);
  Atomics.add(numbers, 3, 1);
  writeFileSync("${folder}/taken", "");
  ${then}
});
`,
  );
  return new URL(`file://${path}`);
}

Deno.test("if a worker fails, one thread starts over, with a warning", () =>
  inShop(async (folder) => {
    writeFileSync(`${folder}/long.json`, `[${interactions(20_000)}]`);
    for (
      const [then, reason] of [
        ['throw new Error("out of luck");', /out of luck/],
        ["process.exit(0);", /a worker ended/],
      ] as const
    ) {
      const program = badWorker(folder, then);
      const one = await measure(optionsIn(folder, ["long.json"], 1), fakeHost());
      const isTaken = () => existsSync(`${folder}/taken`);
      rmSync(`${folder}/taken`, { force: true });
      const host = slowHost(program, async () => {
        // Readers before the first job wait in vain, and so does each part of the list.
        for (let tries = 0; tries < 25 && !isTaken(); tries++) await pause(20);
      });
      const many = await measure(optionsIn(folder, ["long.json"], 2), host);
      const [warning, ...others] = many.warnings;
      assert.match(warning ?? "", /^Reading on several cores failed, so covtool used one \(/);
      assert.match(warning ?? "", reason);
      assert.deepEqual(outcome({ ...many, warnings: others }), outcome(one));
    }
  }));

Deno.test("if workers can't start, the main thread does their jobs", () =>
  inShop(async (folder) => {
    writeFileSync(`${folder}/long.json`, `[${interactions(5_000)}]`);
    await sameOfAll(optionsIn(folder, ["long.json"]), 2, new URL("file:///nowhere/cli.mjs"));
  }));

Deno.test("errors are the same as with one thread", () =>
  inShop(async (folder) => {
    writeFileSync(`${folder}/one.json`, `[${interactions(5_000)}]`);
    writeFileSync(`${folder}/two.json`, "[1, 2]");
    writeFileSync(`${folder}/three.txt`, "nothing");
    const caught: unknown[] = [];
    for (const jobs of [1, 2]) {
      const options = optionsIn(folder, ["one.json", "two.json", "three.txt"], jobs);
      await measure(options, slowHost(await bundle())).catch((error) => caught.push(error));
    }
    assert.ok(caught[0] instanceof RecordingError);
    assert.ok(caught[1] instanceof RecordingError);
    assert.equal(caught[1].message, caught[0].message);
    const none = optionsIn(folder, ["missing.json"], 2);
    await assert.rejects(measure(none, slowHost(await bundle())), /There is no such file/);
    const stdin = { ...none, schema: "-" };
    await assert.rejects(measure(stdin, slowHost(await bundle())), CommandError);
  }));

Deno.test("little traffic is read in one thread unless more are requested", () =>
  inShop(async (folder) => {
    writeFileSync(`${folder}/long.json`, `[${interactions(5_000)}]`);
    const long = { path: `${folder}/long.json`, isNamed: true };
    const small = { path: `${folder}/traffic.json`, isNamed: true };
    assert.equal(await shareRecordings([long, small], undefined, PART), undefined);
    assert.equal(await shareRecordings([long, small], 1, PART), undefined);
    const shares = await shareRecordings([small, long, small], 3, PART);
    assert.equal(shares?.threads, 3);
    assert.deepEqual(shares?.whole, [small, small]);
    assert.deepEqual([...shares?.split.keys() ?? []], [long]);
    // A single small file is read by one thread.
    assert.equal(await shareRecordings([small], 3, PART), undefined);
    // Standard input can't be read again.
    assert.equal(await shareRecordings([long, { path: "-", isNamed: true }], 3, PART), undefined);
  }));

Deno.test("a warning about a failed worker pool says what to do", () => {
  assert.equal(new WorkerPoolError(undefined).warning, undefined);
  assert.match(new WorkerPoolError("no memory").warning ?? "", /\(no memory\)\. .*--jobs 1/);
});

/** Starts a worker of the bundle, and prints how many requests it recorded. */
const ASK = `
import { Worker } from "node:worker_threads";
const [, , program, schema, path] = process.argv;
const worker = new Worker(new URL("file://" + program), {
  workerData: { description: { schema, basePath: undefined }, thread: 1 },
});
const queue = new SharedArrayBuffer(16);
worker.on("message", (answer) => {
  if (answer.kind === "done") worker.postMessage({ kind: "export" });
  else {
    console.log(JSON.parse(new TextDecoder().decode(answer.bytes)).recorded);
    void worker.terminate();
  }
});
const jobs = [{ kind: "file", recording: { path, isNamed: true } }];
worker.postMessage({ kind: "jobs", jobs, queue });
`;

Deno.test("the bundled program is its own worker on Deno and Node.js", () =>
  inShop(async (folder) => {
    const { pathname } = await bundle();
    writeFileSync(`${folder}/ask.mjs`, ASK);
    const args = [
      `${folder}/ask.mjs`,
      pathname,
      `${folder}/openapi.yaml`,
      `${folder}/traffic.json`,
    ];
    for (const [command, before] of [[Deno.execPath(), ["run", "-A"]], ["node", []]] as const) {
      const { stdout, stderr } = spawnSync(command, [...before, ...args], { encoding: "utf8" });
      assert.equal(stdout, "3\n", stderr);
    }
  }));
