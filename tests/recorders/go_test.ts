import { zipSync } from "fflate";
import assert from "node:assert/strict";
import { run, runOrThrow } from "../../scripts/run.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";
import { shellBlocks } from "../../scripts/docs/shell_blocks.ts";
import { inFolder, writeJson } from "../in_folder.ts";
import { once } from "../once.ts";
import { commandWorks, needing } from "../requirement.ts";
import {
  checkEach,
  compareReports,
  COVTOOL_FUNCTION,
  mutate,
  recordCases,
  recordChanges,
  runForReport,
} from "./recorded_suite.ts";

const NEEDS_GO = {
  isMet: await commandWorks("go", ["version"]),
  reason: "no Go; install it from go.dev",
};
const MODULE = `${ROOT}/integrations/go`;
const PATH = "github.com/covtool/covtool/integrations/go";
const EXAMPLE = `${ROOT}/examples/go-httptest`;

Deno.test({
  ...needing(NEEDS_GO, "the module for Go is formatted, vetted and free of races"),
  async fn() {
    assert.equal(await runOrThrow("gofmt", ["-l", MODULE, EXAMPLE]), "");
    for (const args of [["vet", "./..."], ["test", "-race", "./..."]]) {
      await runOrThrow("go", args, { cwd: MODULE });
    }
  },
});

/**
 * Tests of the module that send the conformance set, with the cases that they leave out. The default transport doesn't
 * know the test, so its lines have none, and it is listed without a name.
 */
const WAYS: Readonly<Record<string, string>> = {
  Client: "",
  Handler: "streams,held-streams",
  Both: "",
  DirectCalls: "redirects,streams,held-streams",
  "": "",
};

const WAY_OF_TEST = /^TestConformanceOf(\w+)\//;

/** Runs tests of the module that send the cases, twice in one process each, because building them takes long. */
const written = once(async () =>
  await inFolder({}, async (folder) => {
    const tests = `${folder}/conformance.test`;
    await runOrThrow("go", ["test", "-c", "-o", tests, "."], { cwd: MODULE });
    const send = (env: Readonly<Record<string, string>>) =>
      runOrThrow(tests, ["-test.run", "^TestConformanceOf"], { cwd: MODULE, env });
    return {
      sent: await recordCases(WAY_OF_TEST, send),
      changed: await recordChanges(WAY_OF_TEST, send),
    };
  })
);

const checkSent = checkEach(async () => (await written()).sent, WAYS);
const checkChanged = checkEach(async () => (await written()).changed, WAYS, "--changes");

for (const way of Object.keys(WAYS)) {
  const name = way || "DefaultTransport";
  Deno.test({
    ...needing(NEEDS_GO, `the recorder for Go passes the conformance set: ${name}`),
    fn: () => checkSent(way),
  });

  Deno.test({
    ...needing(NEEDS_GO, `covtool mutate changes the responses that Go tests get: ${name}`),
    fn: () => checkChanged(way),
  });
}

Deno.test({
  ...needing(
    NEEDS_GO,
    "recorder and proxy give the same coverage of examples/go-httptest",
  ),
  async fn() {
    const tests = ["go", "test", "-count=1", "./..."];
    // In process, each test has its own server, whose first note always has the id 1.
    const values = "--no-values";
    const recorded = await runForReport(EXAMPLE, ["run", "openapi.yaml", values], tests);
    await inFolder({}, async (folder) => {
      const program = `${folder}/notes`;
      await runOrThrow("go", ["build", "-o", program, "./cmd/notes"], { cwd: EXAMPLE });
      const address = "127.0.0.1:39417";
      await using _server = await startServer(program, address);
      const reverse = ["proxy", "openapi.yaml", values, "--reverse", `http://${address}`];
      const script = `API_URL="$COVTOOL_URL" ${tests.join(" ")}`;
      const proxied = await runForReport(EXAMPLE, reverse, ["sh", "-c", script]);
      assert.deepEqual(recorded.traffic, { ...recorded.traffic, recorded: 10, matched: 10 });
      assert.deepEqual(
        recorded.tests,
        ["TestAList", "TestANoteIsKept", "TestANoteNeedsText", "TestANoteThatIsNotThere"]
          .map((name) => `notes_test.go > ${name}`),
      );
      compareReports(recorded, proxied);
    });
  },
});

Deno.test({
  ...needing(
    NEEDS_GO,
    "covtool mutate finds what the tests of examples/go-httptest notice, each run uncached",
  ),
  async fn() {
    const noticed = (test: string) => `noticed: notes_test.go > ${test}`;
    // `send` asserts each status. Only TestANoteIsKept also checks Location and the text behind it.
    const verdicts = {
      "GET /notes 200 status": noticed("TestAList"),
      "GET /notes 200 body": "unnoticed",
      "GET /notes 200 property done": "unnoticed",
      "GET /notes 200 property id": "unnoticed",
      "GET /notes 200 property text": "unnoticed",
      "GET /notes 400 status": noticed("TestAList"),
      "GET /notes 400 body": "unnoticed",
      "GET /notes 400 property problem": "unnoticed",
      "POST /notes 201 status": `${noticed("TestAList")}: notes_test.go > TestANoteIsKept`,
      "POST /notes 201 body": "unnoticed",
      "POST /notes 201 property done": "unnoticed",
      "POST /notes 201 property id": "unnoticed",
      "POST /notes 201 property text": "unnoticed",
      "POST /notes 201 header Location": noticed("TestANoteIsKept"),
      "POST /notes 422 status": noticed("TestANoteNeedsText"),
      "POST /notes 422 body": "unnoticed",
      "POST /notes 422 property problem": "unnoticed",
      "GET /notes/{id} 200 status": noticed("TestANoteIsKept"),
      "GET /notes/{id} 200 body": noticed("TestANoteIsKept"),
      "GET /notes/{id} 200 property done": "unnoticed",
      "GET /notes/{id} 200 property id": "unnoticed",
      "GET /notes/{id} 200 property text": noticed("TestANoteIsKept"),
      "GET /notes/{id} 404 status": noticed("TestANoteThatIsNotThere"),
      "GET /notes/{id} 404 body": "unnoticed",
      "GET /notes/{id} 404 property problem": "unnoticed",
    };
    await inFolder({}, async (folder) => {
      // Building the tests for two dozen runs would take a hundred times as long as running them.
      const tests = `${folder}/notes.test`;
      await runOrThrow("go", ["test", "-c", "-o", tests, "."], { cwd: EXAMPLE });
      assert.deepEqual(await mutate(EXAMPLE, [tests]), verdicts);
    });
    // A run that Go serves from its cache notices nothing.
    const one = ["--level", "bodies", "--operation", "GET /notes/{id}"];
    assert.deepEqual(
      Object.entries(await mutate(EXAMPLE, ["go", "test", "./..."], one)),
      Object.entries(verdicts).filter(([part]) => /^GET .+\} \d+ (?:status|body)$/.test(part)),
    );
  },
});

Deno.test({
  ...needing(
    NEEDS_GO,
    "the quick start of docs/go.md measures a project without covtool",
  ),
  async fn() {
    const page = await Deno.readTextFile(`${ROOT}/docs/go.md`);
    const [, code] = /```go\n(func Test[\s\S]+?)```/.exec(page) ?? [];
    const script = shellBlocks(page).blocks.find(({ runBy }) => runBy !== undefined)?.script;
    assert.ok(code !== undefined && script !== undefined);
    const names = ["net/http", "net/http/httptest", "testing", "example.com/notes"];
    const imports = names.map((name) => `"${name}"`).join("; ");
    const files = {
      "go.mod": "module example.com/notes\n\ngo 1.22\n",
      "notes_test.go": `package notes_test\n\nimport (${imports}; covtool "${PATH}")\n\n${code}`,
      "notes.go": await Deno.readTextFile(`${EXAMPLE}/notes.go`),
      "openapi.yaml": await Deno.readTextFile(`${EXAMPLE}/openapi.yaml`),
    };
    await inFolder(files, async (cwd) => {
      const env = {
        NO_COLOR: "1",
        GOPROXY: `file://${await publishModule(`${cwd}/proxy`)}`,
        GOSUMDB: "off",
        GOMODCACHE: `${cwd}/cache`,
        // Otherwise, the folder couldn't be removed.
        GOFLAGS: "-modcacherw",
      };
      const shell = `${COVTOOL_FUNCTION}\n${script}`;
      const { code, out, err } = await run("sh", ["-e", "-c", shell], { cwd, env });
      assert.equal(code, 0, out + err);
      assert.match(out + err, /1 request: 1 matched[\s\S]*Operations +\S+ +25% +1 of 4/);
    });
  },
});

/** Publishes the module in a folder with the layout of Go's module proxy. Returns the folder. */
async function publishModule(folder: string): Promise<string> {
  const version = "v0.1.0";
  const versions = `${folder}/${PATH}/@v`;
  const files: Record<string, Uint8Array> = {};
  for (const path of await sourceFiles(MODULE, [".go", "go.mod"])) {
    files[`${PATH}@${version}/${path}`] = await Deno.readFile(`${MODULE}/${path}`);
  }
  await Deno.mkdir(versions, { recursive: true });
  await Deno.writeTextFile(`${versions}/list`, `${version}\n`);
  await writeJson(`${versions}/${version}.info`, { Version: version });
  await Deno.copyFile(`${MODULE}/go.mod`, `${versions}/${version}.mod`);
  await Deno.writeFile(`${versions}/${version}.zip`, zipSync(files));
  return folder;
}

/** Starts a server, which is ended by disposing of the returned object. */
async function startServer(program: string, address: string): Promise<AsyncDisposable> {
  const server = new Deno.Command(program, { args: [address], stdout: "null" }).spawn();
  const ended = async () => {
    server.kill();
    await server.status;
  };
  for (let attempt = 0;; attempt++) {
    try {
      await (await fetch(`http://${address}/notes`)).body?.cancel();
      return { [Symbol.asyncDispose]: ended };
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
