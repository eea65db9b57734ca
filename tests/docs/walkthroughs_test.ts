// Performs the walks of CONTRIBUTING.md on copies of the sources: nothing but the files that they name may change.
import assert from "node:assert/strict";
import { applyHunks, documentedChanges } from "../../scripts/docs/walkthrough.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";
import { inFolder, writeJson } from "../in_folder.ts";
import { apiOf } from "../api_of.ts";

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

type Walk = keyof typeof WALKS;

/** Makes the changes of some walks in a copy of the sources. */
async function withCopy(
  walks: readonly Walk[],
  use: (folder: string) => Promise<void>,
): Promise<void> {
  await inFolder({}, async (folder) => {
    const files = ["mod.ts", "cli.ts", "deno.json", "deno.lock"];
    for (const path of await sourceFiles(`${ROOT}/src`, [""])) files.push(`src/${path}`);
    for (const path of files) {
      await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]+$/, ""), { recursive: true });
      await Deno.copyFile(`${ROOT}/${path}`, `${folder}/${path}`);
    }
    for (
      const { path, kind, text } of walks.flatMap((walk) => documentedChanges(CONTRIBUTING, walk))
    ) {
      const file = `${folder}/${path}`;
      await Deno.mkdir(file.replace(/\/[^/]+$/, ""), { recursive: true });
      if (kind === "file") await Deno.writeTextFile(file, text, { createNew: true });
      else await Deno.writeTextFile(file, applyHunks(await Deno.readTextFile(file), text));
    }
    await use(folder);
  });
}

async function deno(cwd: string, ...args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  assert.ok(success, decoder.decode(stdout) + decoder.decode(stderr));
  return decoder.decode(stdout);
}

function covtool(folder: string, ...args: readonly string[]): Promise<string> {
  return deno(folder, "run", "-A", "--quiet", "--no-check", "cli.ts", ...args);
}

const BOOKSHOP = `${ROOT}/examples/bookshop`;

const DESCRIPTION = apiOf({
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

/** A description and its traffic, in the folder. */
async function writeNotes(
  folder: string,
): Promise<readonly [description: string, traffic: string]> {
  await writeJson(`${folder}/notes.json`, DESCRIPTION);
  await writeJson(`${folder}/traffic.json`, { interactions: INTERACTIONS });
  return ["notes.json", "traffic.json"];
}

Deno.test("documentedChanges() reads the blocks of one section, each about the file named last above it", () => {
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

Deno.test("applyHunks() adds and removes lines, and refuses what it cannot find", () => {
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

Deno.test("a format that is added as CONTRIBUTING.md says is recognized, read, streamed and listed", () =>
  withCopy(["A recording format"], async (folder) => {
    await writeJson(`${folder}/calls.json`, { calls: CALLS });
    const description = `${BOOKSHOP}/openapi.yaml`;
    const report = JSON.parse(
      await covtool(folder, "report", description, "calls.json", "--format", "json"),
    );
    assert.deepEqual([report.traffic.recorded, report.traffic.matched], [2, 2]);
    const lines = await covtool(folder, "convert", "calls.json", "-o", "-");
    assert.match(lines, /"method": ?"POST"/);
    await Deno.writeTextFile(`${folder}/nothing.json`, "{}");
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-check", "cli.ts", "report", description, "nothing.json"],
      cwd: folder,
      env: { NO_COLOR: "1" },
    }).output();
    assert.match(new TextDecoder().decode(stderr), /call logs/);
  }));

Deno.test("a reporter that is added as CONTRIBUTING.md says is an option with help and errors", () =>
  withCopy(["A reporter"], async (folder) => {
    const inputs = [`${BOOKSHOP}/openapi.yaml`, `${BOOKSHOP}/traffic.json`];
    const [head, first] = (await covtool(folder, "report", ...inputs, "--format", "csv")).split(
      "\n",
    );
    assert.deepEqual([head, first], ["method,path,hits", 'GET,"/books",8']);
    assert.match(await covtool(folder, "report", "--help"), /\bcsv\b/);
  }));

Deno.test("a keyword that is added as CONTRIBUTING.md says is counted and shown", () =>
  withCopy(["A keyword"], async (folder) => {
    const notes = await writeNotes(folder);
    const report = JSON.parse(await covtool(folder, "report", ...notes, "--format", "json"));
    const { keyword_total, keywords } = report.operations[0].parameters[0];
    assert.equal(keyword_total, 1); // text in a query always has the type string
    const { valid, invalid, state, satisfiability } = keywords.find(
      ({ keyword }: { keyword: string }) => keyword === "maxWords",
    );
    assert.deepEqual([valid, invalid, state, satisfiability], [1, 1, "full", "Normal"]);
    await covtool(folder, "report", ...notes, "--format", "html=page.html");
    // Without the long value, the report says what is missing in the words of the row.
    const [description] = notes;
    const [first] = INTERACTIONS;
    await writeJson(`${folder}/first.json`, { interactions: [first] });
    const gaps = await covtool(folder, "report", description, "first.json", "--format", "sarif");
    assert.match(gaps, /never failed: send more than 2 words \(g-/);
  }));

Deno.test("an option that is added as CONTRIBUTING.md says is an argument, a key and in help", () =>
  withCopy(["An option"], async (folder) => {
    const inputs = [`${BOOKSHOP}/openapi.yaml`, `${BOOKSHOP}/traffic.json`];
    const read = async (...args: readonly string[]): Promise<string> => {
      const { stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--quiet", "--no-check", "cli.ts", ...args],
        cwd: folder,
        env: { NO_COLOR: "1" },
      }).output();
      return new TextDecoder().decode(stderr);
    };
    const json = ["--format", "json=coverage.json"];
    assert.match(await read("report", ...inputs, ...json, "--note", "Build 7"), /^Build 7$/m);
    await Deno.writeTextFile(`${folder}/covtool.yaml`, "note: Build 8\n");
    assert.match(await read("report", ...inputs, ...json), /^Build 8$/m);
    assert.match(await read("report", ...inputs, "--notes", "x"), /--note\b/);
    assert.match(await covtool(folder, "report", "--help"), /--note TEXT\s+Line to print after/);
  }));

Deno.test("a command that is added as CONTRIBUTING.md says runs and has help", () =>
  withCopy(["A command"], async (folder) => {
    const lines = await covtool(folder, "operations", `${BOOKSHOP}/openapi.yaml`);
    assert.deepEqual(lines.split("\n").slice(0, 2), ["GET /books", "POST /books"]);
    assert.match(await covtool(folder, "operations", "--help"), /--exclude/);
    assert.match(await covtool(folder, "--help"), /operations\s+List the operations/);
  }));

Deno.test("the code of CONTRIBUTING.md is formatted, passes lint and type checks", async () => {
  const walks = Object.keys(WALKS) as Walk[];
  const files = Object.values(WALKS).flat();
  await withCopy(walks, async (folder) => {
    await deno(folder, "fmt", "--check", ...files);
    await deno(folder, "lint", ...files);
    await deno(folder, "check", "--quiet", "cli.ts", "mod.ts");
  });
});
