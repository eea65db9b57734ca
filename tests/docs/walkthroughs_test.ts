// Performs the walks in CONTRIBUTING.md on copies of the sources. Only the files that they name may change.
import assert from "node:assert/strict";
import { applyHunks, documentedChanges } from "../../scripts/docs/walkthrough.ts";
import { runOrThrow } from "../../scripts/run.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";
import { fakeHost } from "../cli/fake_host.ts";
import { writeJson } from "../in_folder.ts";
import { shopApi } from "../shop_api.ts";
import { once } from "../once.ts";

const CONTRIBUTING = await Deno.readTextFile(`${ROOT}/CONTRIBUTING.md`);

/** The files that each walk may write. */
const WALKS = {
  "A recording format": [
    "src/traffic/formats/call_log/call_log.ts",
    "src/traffic/formats/formats.ts",
  ],
  "A reporter": ["src/report/csv_report.ts", "src/report/reporters.ts"],
  "A keyword": [
    "src/values/keyword_table.ts",
    "src/schema/keywords/strings.ts",
    "src/schema/keywords/keyword_definitions.ts",
  ],
  "An option": ["src/run/options/options.ts", "src/cli/report.ts"],
  "A command": ["src/cli/operations.ts", "src/cli/command_groups.ts", "src/cli/commands.ts"],
} as const;

/** A copy of the sources with the changes of all walks, shared by all tests. */
const copiedSources = once(async () => {
  const folder = await Deno.makeTempDir({ prefix: "covtool" });
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const files = ["mod.ts", "cli.ts", "deno.json", "deno.lock"];
  for (const path of await sourceFiles(`${ROOT}/src`, [""])) files.push(`src/${path}`);
  for (const path of files) {
    await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]+$/, ""), { recursive: true });
    await Deno.copyFile(`${ROOT}/${path}`, `${folder}/${path}`);
  }
  const walks = Object.keys(WALKS) as (keyof typeof WALKS)[];
  for (
    const { path, kind, text } of walks.flatMap((walk) => documentedChanges(CONTRIBUTING, walk))
  ) {
    const file = `${folder}/${path}`;
    await Deno.mkdir(file.replace(/\/[^/]+$/, ""), { recursive: true });
    if (kind === "file") await Deno.writeTextFile(file, text, { createNew: true });
    else await Deno.writeTextFile(file, applyHunks(await Deno.readTextFile(file), text));
  }
  return folder;
});

/** Runs covtool with the changes and a line of arguments, in which `@` is the folder of the copy. */
async function covtool(line: string): Promise<{ readonly out: string; readonly err: string }> {
  const folder = await copiedSources();
  const { main } = await import(`${folder}/src/cli/main.ts`);
  const host = fakeHost();
  await main(line.replaceAll("@", folder).split(" "), host);
  return { out: host.out(), err: host.err() };
}

const BOOKSHOP = `${ROOT}/examples/bookshop/openapi.yaml ${ROOT}/examples/bookshop/traffic.json`;

const DESCRIPTION = shopApi({
  "/notes": {
    get: {
      parameters: [{ name: "q", in: "query", schema: { type: "string", maxWords: 2 } }],
      responses: { 200: { description: "ok" } },
    },
  },
});

const INTERACTIONS = ["one+word", "three+whole+words"].map((words) => ({
  request: { method: "GET", url: `http://localhost/notes?q=${words}` },
  response: { status_code: 200 },
}));

Deno.test("documentedChanges() reads the blocks in one section, each for the last file named before it", () => {
  const page = [
    ...["# Adding", "`src/none.ts`", "```ts", "0;", "```"],
    ...["## A thing", "Write `src/a.ts` and then", "```ts", "1;", "# no heading", "```"],
    ...["### In it", "`src/b.ts`, not `b.ts`:", "```diff", " a", "+b", "```", "```sh", "ls", "```"],
    ...["## Another", "```ts", "2;", "```"],
  ].join("\n");
  assert.deepEqual(documentedChanges(page, "A thing"), [
    { path: "src/a.ts", kind: "file", text: "1;\n# no heading\n" },
    { path: "src/b.ts", kind: "diff", text: " a\n+b\n" },
  ]);
});

Deno.test("applyHunks() adds and removes lines, and refuses hunks that don't match", () => {
  assert.equal(applyHunks("a\nb\nc\nd\n", " a\n-b\n+B\n@@\n c\n+e\n"), "a\nB\nc\ne\nd\n");
  assert.throws(() => applyHunks("a\nb\n", " b\n a\n"), /doesn't contain:\nb\na\n/);
});

for (const [walk, files] of Object.entries(WALKS)) {
  Deno.test(`CONTRIBUTING.md: ${walk.toLowerCase()} is added in ${files.length} files`, () => {
    const paths = new Set(documentedChanges(CONTRIBUTING, walk).map(({ path }) => path));
    assert.deepEqual([...paths], files);
  });
}

const CALLS = [
  { verb: "GET", address: "http://localhost:8901/api/v1/books", status: 200 },
  { verb: "POST", address: "http://localhost:8901/api/v1/books", status: 201 },
  { verb: "GET" },
];

Deno.test("a format added as in CONTRIBUTING.md is recognized, read, streamed and listed", async () => {
  const folder = await copiedSources();
  await writeJson(`${folder}/calls.json`, { calls: CALLS });
  await writeJson(`${folder}/nothing.json`, {});
  const [description] = BOOKSHOP.split(" ");
  const report = JSON.parse(
    (await covtool(`report ${description} @/calls.json --format json`)).out,
  );
  assert.deepEqual([report.traffic.recorded, report.traffic.matched], [2, 2]);
  assert.match((await covtool("convert @/calls.json -o -")).out, /"method": ?"POST"/);
  assert.match((await covtool(`report ${description} @/nothing.json`)).err, /call logs/);
});

Deno.test("a reporter added as in CONTRIBUTING.md is an option with help and errors", async () => {
  const { out } = await covtool(`report ${BOOKSHOP} --format csv`);
  assert.deepEqual(out.split("\n").slice(0, 2), ["method,path,hits", 'GET,"/books",8']);
  assert.match((await covtool("report --help")).out, /\bcsv\b/);
});

Deno.test("a keyword added as in CONTRIBUTING.md is counted and shown", async () => {
  const folder = await copiedSources();
  await writeJson(`${folder}/notes.json`, DESCRIPTION);
  await writeJson(`${folder}/both.json`, { interactions: INTERACTIONS });
  await writeJson(`${folder}/first.json`, { interactions: INTERACTIONS.slice(0, 1) });
  const formats = "--format json --format html=@/page.html";
  const report = JSON.parse((await covtool(`report @/notes.json @/both.json ${formats}`)).out);
  const { keyword_total, keywords } = report.operations[0].parameters[0];
  assert.equal(keyword_total, 1); // text in a query is always a string, so `type` doesn't count
  const { valid, invalid, state, satisfiability } = keywords.find(
    ({ keyword }: { keyword: string }) => keyword === "maxWords",
  );
  assert.deepEqual([valid, invalid, state, satisfiability], [1, 1, "full", "Normal"]);
  // Without the long value, the report lists the gap in the words of the new row.
  const { out } = await covtool("report @/notes.json @/first.json --format sarif");
  assert.match(out, /never failed: send more than 2 words \(g-/);
});

Deno.test("an option added as in CONTRIBUTING.md is an argument, a config key and in help", async () => {
  const said = async (options: string): Promise<string> =>
    (await covtool(`report ${BOOKSHOP} --format json=@/coverage.json ${options}`)).err;
  assert.match(await said("--note 7"), /^7$/m);
  await Deno.writeTextFile(`${await copiedSources()}/note.yaml`, "note: Build 8\n");
  assert.match(await said("--config @/note.yaml"), /^Build 8$/m);
  assert.match(await said("--notes x"), /--note\b/);
  assert.match((await covtool("report --help")).out, /--note TEXT\s+Line to print after/);
});

Deno.test("a command added as in CONTRIBUTING.md runs and has help", async () => {
  const { out } = await covtool(`operations ${BOOKSHOP.split(" ")[0]}`);
  assert.deepEqual(out.split("\n").slice(0, 2), ["GET /books", "POST /books"]);
  assert.match((await covtool("operations --help")).out, /--exclude/);
  assert.match((await covtool("--help")).out, /operations\s+List the operations/);
});

Deno.test("the code in CONTRIBUTING.md is formatted, and passes lint and type checks", async () => {
  const cwd = await copiedSources();
  const files = Object.values(WALKS).flat();
  await runOrThrow(Deno.execPath(), ["fmt", "--check", ...files], { cwd });
  await runOrThrow(Deno.execPath(), ["lint", ...files], { cwd });
  await runOrThrow(Deno.execPath(), ["check", "--quiet", "cli.ts", "mod.ts"], { cwd });
});
