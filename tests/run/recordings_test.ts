import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import process from "node:process";
import { gzipSync } from "node:zlib";
import { findRecordings } from "../../src/run/find_recordings.ts";
import { main } from "../../src/cli/main.ts";
import { fails } from "../command_end.ts";
import { fakeHost } from "../cli/fake_host.ts";
import { inFolder } from "../in_folder.ts";
import { shopApi } from "../shop_api.ts";

const DESCRIPTION = JSON.stringify(
  shopApi({ "/books": { get: { responses: { 200: {} } }, post: { responses: { 201: {} } } } }, {
    openapi: "3.0.3",
  }),
);

const HAR = JSON.stringify({
  log: {
    version: "1.2",
    entries: [{
      request: { method: "GET", url: "http://localhost/books", headers: [] },
      response: { status: 200 },
    }],
  },
});

const TRAFFIC = JSON.stringify({
  interactions: [{ request: { method: "POST", url: "/books" }, response: { status_code: 201 } }],
});

const CASSETTE = `---
http_interactions:
- request:
    method: get
    uri: http://localhost/books
    body: { encoding: UTF-8, string: '' }
    headers: {}
  response:
    status: { code: 200, message: OK }
    headers: {}
    body: { encoding: UTF-8, string: '[]' }
  recorded_at: Fri, 20 Nov 2026 22:46:20 GMT
recorded_with: VCR 5.0.0
`;

async function inRecordings(run: (folder: string) => Promise<void>): Promise<void> {
  const files = {
    "openapi.json": DESCRIPTION,
    "runs/one.har": HAR,
    "runs/two.json.gz": new Uint8Array(gzipSync(TRAFFIC)),
    "runs/deep/three.yml": CASSETTE,
    "runs/notes.txt": "what we did\n",
  };
  await inFolder(files, run);
}

/** Recordings at these paths. */
function filled(...paths: readonly string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, TRAFFIC]));
}

async function report(folder: string, ...traffic: string[]) {
  const host = fakeHost();
  const args = ["report", `${folder}/openapi.json`, ...traffic, "--format", "json"];
  const code = await main(args, host);
  return { code, err: host.err(), report: code === 0 ? JSON.parse(host.out()) : undefined };
}

Deno.test("a folder stands for all recordings in it, recognized by content, with a warning about other files", () =>
  inRecordings(async (folder) => {
    const { report: result, err } = await report(folder, `${folder}/runs/`);
    assert.deepEqual(result.operations.map(({ hits }: { hits: number }) => hits), [2, 1]);
    assert.match(err.replaceAll(/\s+/g, " "), /notes\.txt: Skipped, because/);
  }));

Deno.test("an empty file in a folder, such as a freshly rotated log, is skipped with a warning", () =>
  inRecordings(async (folder) => {
    writeFileSync(`${folder}/runs/access.log`, "");
    writeFileSync(`${folder}/runs/access.log.1.gz`, gzipSync(""));
    const { code, report: result, err } = await report(folder, `${folder}/runs/`);
    assert.equal(code, 0);
    assert.equal(result.traffic.recorded, 3);
    assert.equal(err.replaceAll(/\s+/g, " ").split("Skipped, because nothing in it").length, 3);
    assert.equal((await report(folder, `${folder}/runs/access.log`)).code, 1);
  }));

Deno.test("a pattern stands for the files that match it", () =>
  inRecordings(async (folder) => {
    const { report: result } = await report(folder, `${folder}/runs/**/*.{har,yml}`);
    assert.equal(result.traffic.recorded, 2);
    await fails(report(folder, `${folder}/runs/*.xml`), /No files match/);
  }));

Deno.test("a file named on the command line must be a recording", () =>
  inRecordings(async (folder) => {
    const notes = `${folder}/runs/notes.txt`;
    await fails(report(folder, notes), /^Error: Cannot read .*notes\.txt: /);
    await fails(report(folder, notes, `${folder}/runs`), /^Error: Cannot read .*notes\.txt: /);
    await fails(report(folder, `${folder}/runs`, notes), /^Error: Cannot read .*notes\.txt: /);
  }));

Deno.test("a file that several arguments lead to counts once", () =>
  inRecordings(async (folder) => {
    symlinkSync("one.har", `${folder}/runs/same.har`);
    const names = ["runs", "runs/one.har", "runs/../runs/one.har", "runs/*.har", "runs/same.har"];
    const { report: result } = await report(folder, ...names.map((name) => `${folder}/${name}`));
    assert.equal(result.traffic.recorded, 3);
  }));

Deno.test("a folder without recordings is an error", () =>
  inRecordings(async (folder) => {
    mkdirSync(`${folder}/empty`);
    assert.match((await report(folder, `${folder}/empty`)).err, /is empty/);
    writeFileSync(`${folder}/empty/notes.txt`, "nothing\n");
    assert.match(
      (await report(folder, `${folder}/empty`)).err,
      /The only file in .+\/empty has no format that covtool reads\. Name it to see why\./,
    );
    writeFileSync(`${folder}/empty/more.txt`, "nothing\n");
    assert.match(
      (await report(folder, `${folder}/empty`)).err,
      /None of the 2 files in .+\/empty /,
    );
  }));

Deno.test("pipes and devices in a folder are skipped without waiting for them", async () => {
  if (Deno.build.os === "windows") return;
  await inFolder({ "a.json": "[]", "hidden/.elsewhere.json": "[]" }, async (folder) => {
    await new Deno.Command("mkfifo", { args: [`${folder}/b.json`] }).output();
    await Deno.symlink("b.json", `${folder}/c.json`);
    await Deno.symlink("/dev/zero", `${folder}/d.json`);
    await Deno.symlink("hidden/.elsewhere.json", `${folder}/e.json`);
    for (const name of [folder, `${folder}/*.json`]) {
      const found = await findRecordings([name]);
      assert.deepEqual(found.map(({ path }) => path.replace(/.*\//, "")), ["a.json", "e.json"]);
    }
    // A named pipe is read if it is given: another program may write to it.
    const [named] = await findRecordings([`${folder}/b.json`]);
    assert.equal(named?.path, `${folder}/b.json`);
  });
});

Deno.test("a folder is read once with the targets of its links, and without hidden files", async () => {
  if (Deno.build.os === "windows") return;
  const paths = ["in/b.json", "in/deep/a.json", "in/.hidden.json", "in/.git/c.json"];
  await inFolder(filled(...paths, "elsewhere/d.json"), async (folder) => {
    await Deno.symlink("../elsewhere", `${folder}/in/link`);
    await Deno.symlink("..", `${folder}/in/deep/back`);
    await Deno.symlink("nowhere", `${folder}/in/nowhere.json`);
    const found = await findRecordings([`${folder}/in/`]);
    assert.deepEqual(found.map(({ path }) => path.slice(folder.length)), [
      ...["/in/b.json", "/in/deep/a.json", "/in/link/d.json"],
    ]);
  });
});

Deno.test("a folder with many links to it is read once, under its own name if it has one", async () => {
  if (Deno.build.os === "windows") return;
  const names = ["a", "b", "c", "d", "e", "f"];
  const paths = names.map((name) => `in/${name}/x.json`);
  await inFolder(filled(...paths, "outside/deep/y.json"), async (folder) => {
    for (const name of names) {
      for (const other of names) {
        await Deno.symlink(`../${other}`, `${folder}/in/${name}/to-${other}`);
      }
    }
    await Deno.symlink("b", `${folder}/in/0-latest`);
    for (const name of ["one", "two"]) await Deno.symlink("../outside", `${folder}/in/${name}`);
    const found = await findRecordings([`${folder}/in`]);
    assert.deepEqual(found.map(({ path }) => path.slice(folder.length)), [
      ...names.map((name) => `/in/${name}/x.json`),
      "/in/one/deep/y.json",
    ]);
    const matching = await findRecordings([`${folder}/in/*/x.json`, `${folder}/in/*/deep/*.json`]);
    assert.deepEqual(matching.map(({ path }) => path.replace(/.*\/in\//, "")), [
      ...names.map((name) => `${name}/x.json`),
      "one/deep/y.json",
    ]);
    // A name that only a link has is valid too.
    assert.equal((await findRecordings([`${folder}/in/0*/x.json`])).length, 1);
  });
});

Deno.test("on Windows, a pattern may use backslashes between folders", () =>
  inFolder(filled("deep/a.json"), async (folder) => {
    const platform = Object.getOwnPropertyDescriptor(process, "platform");
    try {
      const pattern = `${folder}/deep/*.json`.replaceAll("/", "\\");
      if (Deno.build.os !== "windows") {
        // Elsewhere, a backslash is part of a name or escapes the next character.
        await assert.rejects(findRecordings([pattern]), /No files match/);
        Object.defineProperty(process, "platform", { value: "win32", configurable: true });
      }
      const found = await findRecordings([pattern]);
      assert.equal(found.length, 1);
      assert.match(found[0]?.path ?? "", /deep[\\/]a\.json$/);
    } finally {
      if (platform !== undefined) Object.defineProperty(process, "platform", platform);
    }
  }));
