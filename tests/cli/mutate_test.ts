import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { QuietCommand } from "../../src/cli/quiet_command.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { inFolder } from "../in_folder.ts";
import { fails, succeeds } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { type RunningCommand, startCommand } from "./running_command.ts";

const DESCRIPTION = `openapi: 3.1.0
info: { title: Books, version: "1" }
paths:
  /books:
    get:
      responses:
        "200":
          description: All.
          headers: { X-Total: { schema: { type: integer } } }
          content:
            application/json:
              schema: { type: array, items: { $ref: "#/components/schemas/Book" } }
  /books/{id}:
    get:
      responses:
        "200":
          description: One.
          content: { application/json: { schema: { $ref: "#/components/schemas/Book" } } }
        "404":
          description: None.
          content:
            application/json:
              schema: { type: object, properties: { message: { type: string } } }
components:
  schemas:
    Book:
      type: object
      properties:
        id: { type: integer }
        title: { type: string }
        tags: { type: array, items: { type: string } }
        author: { type: object, properties: { name: { type: string } } }
`;

/** The start of every suite. */
const CALLS = `import { deepStrictEqual as equal } from "node:assert";
const url = Deno.env.get("COVTOOL_URL");
const book = { id: 1, title: "Momo", tags: ["a", "b"], author: { name: "Ende" } };
const list = await fetch(url + "/books");
const books = await list.text();
const one = await fetch(url + "/books/1");
const first = await one.text();
const none = await fetch(url + "/books/9");
const error = await none.text();
`;

const NOTHING = CALLS;

const EVERYTHING = `${CALLS}
equal([list.status, list.headers.get("x-total"), JSON.parse(books)], [200, "1", [book]]);
equal([one.status, JSON.parse(first)], [200, book]);
equal([none.status, JSON.parse(error)], [404, { message: "none" }]);
`;

const HALF = `${CALLS}
equal(list.status, 200);
equal(JSON.parse(books)[0].title, "Momo");
equal(JSON.parse(first).author.name, "Ende");
equal(none.status, 404);
`;

const ALL_PARTS = [
  "/books 200 status",
  "/books 200 body",
  "/books 200 property /*/author",
  "/books 200 property /*/author/name",
  "/books 200 property /*/id",
  "/books 200 property /*/tags",
  "/books 200 list /*/tags",
  "/books 200 property /*/title",
  "/books 200 header X-Total",
  "/books/{id} 200 status",
  "/books/{id} 200 body",
  "/books/{id} 200 property /author",
  "/books/{id} 200 property /author/name",
  "/books/{id} 200 property /id",
  "/books/{id} 200 property /tags",
  "/books/{id} 200 list /tags",
  "/books/{id} 200 property /title",
  "/books/{id} 404 status",
  "/books/{id} 404 body",
  "/books/{id} 404 property /message",
];

interface Part {
  readonly path: string;
  readonly status_code: string;
  readonly part: string;
  readonly name?: string;
  readonly instance_path?: string;
  readonly state: string;
}

function partName({ path, status_code, part, name = "", instance_path = name }: Part): string {
  return `${path} ${status_code} ${part} ${instance_path}`.trim();
}

/** A folder with the description and tests of an API, and a server for the API. */
class Books implements AsyncDisposable {
  readonly folder: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(folder: string) {
    this.folder = folder;
    const book = { id: 1, title: "Momo", tags: ["a", "b"], author: { name: "Ende" } };
    this.#server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/books") return Response.json([book], { headers: { "x-total": "1" } });
      if (pathname === "/books/1") return Response.json(book);
      return Response.json({ message: "none" }, { status: 404 });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async start(suite: string, ...options: readonly string[]): Promise<RunningCommand> {
    await Deno.writeTextFile(`${this.folder}/suite.ts`, suite);
    return startCommand(this.folder, [
      ...["mutate", "openapi.yaml", "--reverse", this.url, "--format", "json=report.json"],
      ...[...options, "--", Deno.execPath(), "run", "-A", "--no-check", "suite.ts"],
    ]);
  }

  /** Runs a suite, which has to succeed. */
  async measure(suite: string, ...options: readonly string[]): Promise<RunningCommand> {
    const command = await this.start(suite, ...options);
    assert.equal(await command.exitCode(), 0, command.err());
    return command;
  }

  async parts(): Promise<readonly Part[]> {
    return JSON.parse(await Deno.readTextFile(`${this.folder}/report.json`)).noticed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

async function inBooks(action: (books: Books) => Promise<void>): Promise<void> {
  await inFolder({ "openapi.yaml": DESCRIPTION }, async (folder) => {
    await using books = new Books(folder);
    await action(books);
  });
}

async function untilWritten(path: string): Promise<void> {
  while (!await Deno.stat(path).catch(() => false)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function assertEnded(...ids: readonly number[]): Promise<void> {
  for (let tries = 0; ids.some(isRunning); tries++) {
    assert.ok(tries < 200, `${ids.filter(isRunning)} of ${ids} still run`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isRunning(id: number): boolean {
  try {
    Deno.kill(id, "SIGCONT");
    return true;
  } catch {
    return false;
  }
}

Deno.test("a suite without assertions notices no change, and one that asserts everything notices all", async () => {
  await inBooks(async (books) => {
    for (const [suite, state] of [[NOTHING, "unnoticed"], [EVERYTHING, "noticed"]] as const) {
      const command = await books.measure(suite, "--operation", "GET /books");
      const parts = await books.parts();
      assert.deepEqual(parts.map(partName), ALL_PARTS.slice(0, 9));
      assert.deepEqual(parts.filter((part) => part.state !== state), []);
      assert.match(
        command.err(),
        state === "noticed" ? /Noticed .* \(100%\)/ : /no test fails if the whole body is empty/,
      );
    }
  });
});

Deno.test("the verdicts on a suite with some assertions are right, in reports, thresholds and hits", async () => {
  await inBooks(async (books) => {
    const { folder } = books;
    const command = await books.measure(HALF, "--format", "hits=half.hits");
    const parts = await books.parts();
    assert.deepEqual(parts.map(partName), ALL_PARTS);
    const noticed = parts.filter(({ state }) => state === "noticed");
    assert.deepEqual(noticed.map(partName), [
      "/books 200 status",
      "/books 200 body",
      "/books 200 property /*/title",
      "/books/{id} 200 body",
      "/books/{id} 200 property /author",
      "/books/{id} 200 property /author/name",
      "/books/{id} 404 status",
    ]);
    const { summary } = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
    assert.deepEqual(summary.noticed, {
      noticed: 7,
      unnoticed: 13,
      not_tried: 0,
      total: 20,
      percent: 35,
      measured: true,
    });
    assert.match(command.err(), /GET \/books: 200: no test fails if property \[\]\.id is missing/);
    const judged = (...options: string[]) =>
      runCovtool([
        ...["merge", `${folder}/openapi.yaml`, `${folder}/half.hits`],
        ...["--format", `json=${folder}/merged.json`, ...options],
      ]);
    await fails(
      judged("--fail-under-noticed", "36"),
      /noticed parts of responses: 35% is below 36%/,
    );
    assert.equal((await judged("--fail-under-noticed", "35")).code, 0);
    const [mutated, merged] = await Promise.all(
      ["report.json", "merged.json"].map(async (name) =>
        JSON.parse(await Deno.readTextFile(`${folder}/${name}`)).noticed
      ),
    );
    assert.deepEqual(merged, mutated);
    await fails(
      judged("--fail-on", "unnoticed-bodies"),
      /Failed on unnoticed-bodies:\n +GET \/books\/\{id\} 404: no test fails if the whole body is empty/,
    );
    const worse = await books.start(
      NOTHING,
      ...["--level", "bodies", "--baseline", "merged.json", "--fail-on", "decrease=noticed"],
    );
    await fails(worse.outcome(), /noticed parts of responses: 0% is below the baseline's 35%/);
    await succeeds(judged(`${folder}/half.hits`, "--format", `json=${folder}/twice.json`));
    const doubled = JSON.parse(await Deno.readTextFile(`${folder}/twice.json`));
    assert.deepEqual(doubled.summary.noticed.percent, 35);
  });
});

Deno.test("--level bodies and --operation leave parts out, and --runs ends early with a report", async () => {
  await inBooks(async (books) => {
    await books.measure(EVERYTHING, "--level", "bodies", "--operation", "GET /books");
    assert.deepEqual((await books.parts()).map(partName), ALL_PARTS.slice(0, 2));
    const short = await books.measure(EVERYTHING, "--runs", "5");
    assert.match(short.err(), /^\d runs · .* left · at most \d runs? left$/m);
    assert.match(short.err(), /^5 runs in \S+ \w+\.$/m);
    assert.match(
      short.err(),
      /The budget ended after 5 runs\..*raise\s--runs,\sor\skeep\sresults\swith\s--resume/s,
    );
    const states = (await books.parts()).map(({ state }) => state);
    assert.ok(states.includes("not_tried"));
    const late = ["--runs", "9", "--budget", "0.01s", "--timeout", "1m"];
    assert.match(
      (await books.measure(EVERYTHING, ...late)).err(),
      /after 2 runs\..*raise\s--budget,/s,
    );
  });
});

Deno.test("--dry-run lists what would be changed, and changes nothing", async () => {
  await inBooks(async ({ folder, url }) => {
    await Deno.writeTextFile(`${folder}/suite.ts`, EVERYTHING);
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", COVTOOL_MODULE, "mutate", "openapi.yaml", "--reverse", url, "--dry-run"],
        ...["--", Deno.execPath(), "run", "-A", "--no-check", "suite.ts"],
      ],
      cwd: folder,
      env: { XDG_DATA_HOME: `${folder}/data` },
    }).output();
    assert.equal(code, 0);
    const text = new TextDecoder().decode(stdout);
    assert.match(text, /^GET \/books 200: the status \(other class, neighbour\)\n/);
    assert.match(text, /GET \/books 200: property \[\]\.author\.name \(removed, null\)\n/);
    assert.match(text, /\n20 parts, \d+ changes at most\. That takes from \d+ runs/);
    assert.deepEqual([...Deno.readDirSync(folder)].filter(({ name }) => /coverage/.test(name)), []);
  });
});

Deno.test("tests that fail without changes are an error that shows their output", async () => {
  await inBooks(async (books) => {
    const { folder } = books;
    const failing = await books.start(`${CALLS}\nequal(list.status, 201);`);
    await fails(failing.outcome(), /Output of the tests:\n.*AssertionError/s);
    assert.match(failing.err(), /The tests fail without any change \(first run, exit code 1\)/);
    const once = `${CALLS}\nawait Deno.mkdir("left-behind");`;
    const second = await books.start(once);
    await fails(second.outcome(), /second run, exit code 1.*--before COMMAND resets it/s);
    await Deno.remove(`${folder}/left-behind`);
    await books.measure(once, "--runs", "3", "--before", "rm -rf left-behind");
  });
});

Deno.test("mutate shows the lines of a failing run that say what failed", async () => {
  const failing = async (...lines: readonly string[]): Promise<readonly string[]> => {
    const command = new QuietCommand(["printf", "%s\\n", ...lines], {});
    return (await command.run(10_000)).failingLines();
  };
  // pytest shows the code of a test before the reason for the failure.
  const shown = [
    ">       assert book.price == 2",
    "E       assert 1 == 2",
    "test_books.py:4: Error",
  ];
  assert.deepEqual(await failing("logger.error(book)", ...shown), shown);
  // Newman numbers failures and repeats them at the end.
  const told = ["1. AssertionError  Response code is 200 OK", "   expected false to be truthy"];
  const request = "POST /follow [500 Internal Server Error]";
  assert.deepEqual(
    await failing(
      request,
      "13. Response code is 200 OK",
      "\x1b[90m \x1b[39m",
      " # failure",
      ...told,
    ),
    [
      ...[" # failure", ...told],
    ],
  );
  assert.deepEqual(await failing("No error yet", "ok 1 - a", "not ok 2 - b", "  why"), [
    ...["not ok 2 - b", "  why"],
  ]);
  assert.deepEqual(await failing("fine", "Error: no database", "at x"), [
    ...["Error: no database", "at x"],
  ]);
  // Mocha and node:test list failures at the end, but names of passing tests may look like failures.
  const mocha = ["  1 failing", "  1) Books", "     Error: Timeout of 2000ms exceeded."];
  assert.deepEqual(await failing("  ✔ should fail without id", "  1) lists", ...mocha), mocha);
  assert.deepEqual(await failing("✔ no error", "Error: none"), ["Error: none"]);
  assert.deepEqual(await failing("a", "b"), ["a", "b"]);
});

Deno.test("tests that send no documented request are an error that says what to do", async () => {
  await inBooks(async (books) => {
    const { folder } = books;
    const silent = await books.start("");
    await fails(silent.outcome(), /No request reached the proxy\. Do the clients call/);
    const other = await books.start('await fetch(Deno.env.get("COVTOOL_URL") + "/other");');
    await fails(other.outcome(), /No response of the tests is documented/);
    const file = startCommand(folder, ["mutate", "openapi.yaml", "--", "./openapi.yaml"]);
    await fails(
      file.outcome(),
      /Cannot run the command \.\/openapi\.yaml: it is not an executable/,
    );
    await Deno.writeTextFile(`${folder}/conftest.py`, "");
    const inProcess = startCommand(folder, ["mutate", "openapi.yaml", "--", "true"]);
    await fails(inProcess.outcome(), /pip install covtool, then covtool mutate -- pytest\./);
    await fails(
      runCovtool(["mutate", `${folder}/openapi.yaml`]),
      /No test command given\. Put it after --/,
    );
  });
});

Deno.test("a part that only one of the two unchanged runs reaches has no verdict, with a note", async () => {
  await inBooks(async (books) => {
    const command = await books.measure(
      `const url = Deno.env.get("COVTOOL_URL");
const one = await fetch(url + "/books/1");
if (!(await one.json().catch(() => ({}))).title) throw new Error("none");
const isFirst = await Deno.mkdir("visited").then(() => true, () => false);
if (isFirst) await (await fetch(url + "/books")).text();`,
      ...["--level", "bodies"],
    );
    assert.match(
      command.err().replace(/\s+/g, " "),
      /2 parts of responses came in only one of the two runs without changes, and have no verdict/,
    );
    const parts = await books.parts() as readonly (Part & { readonly reason?: string })[];
    assert.deepEqual(parts.map((part) => [partName(part), part.state, part.reason !== undefined]), [
      ["/books 200 status", "not_tried", true],
      ["/books 200 body", "not_tried", true],
      ["/books/{id} 200 status", "unnoticed", false],
      ["/books/{id} 200 body", "noticed", false],
    ]);
  });
});

Deno.test("responses without documented bodies get changed statuses and headers, with a note", async () => {
  await inBooks(async (books) => {
    const { folder } = books;
    await Deno.writeTextFile(
      `${folder}/openapi.yaml`,
      `openapi: 3.1.0
info: { title: Books, version: "1" }
paths:
  /books: { get: { responses: { "200": { description: All. } } } }
`,
    );
    const command = await books.measure(EVERYTHING);
    assert.deepEqual((await books.parts()).map(partName), ["/books 200 status"]);
    assert.match(
      command.err().replace(/\s+/g, " "),
      /No response has a documented body, so only statuses and headers are changed/,
    );
  });
});

Deno.test("a budget that is too small for one changed run is an error that says what to raise", async () => {
  await inBooks(async (books) => {
    const slow = `${CALLS}\nawait new Promise((resolve) => setTimeout(resolve, 2000));`;
    const none = await books.start(slow, "--budget", "1s");
    await fails(
      none.outcome(),
      /The tests didn't end within .*so nothing is measured\. Raise --budget/s,
    );
    const few = await runCovtool("mutate openapi.yaml --runs 2 -- true");
    assert.match(few.err, /--runs: Expected a value greater than or equal to 3/);
  });
});

Deno.test("a run that hangs is ended, and its change counts as noticed", async () => {
  await inBooks(async (books) => {
    await books.measure(
      `${CALLS}\nif (books === "[]") await new Promise((resolve) => setTimeout(resolve, 60_000));`,
      ...["--timeout", "3", "--runs", "6", "--level", "bodies", "--operation", "GET /books"],
    );
    const body = (await books.parts()).find(({ part }) => part === "body");
    assert.equal(body?.state, "noticed");
    assert.match(JSON.stringify(body), /"timed_out":true/);
  });
});

Deno.test("runs on a machine that gets slower don't count as hanging", async () => {
  await inBooks(async (books) => {
    const { folder } = books;
    const suite = `${CALLS}
const runs = Number(await Deno.readTextFile("runs").catch(() => "0"));
await Deno.writeTextFile("runs", String(runs + 1));
const seconds = [0, 0, 4, 10.5][runs] ?? 0;
await new Promise((resolve) => setTimeout(resolve, seconds * 1000));`;
    const options = ["--level", "bodies", "--operation", "GET /books"];
    await books.measure(suite, ...options);
    assert.deepEqual((await books.parts()).map(({ state }) => state), ["unnoticed", "unnoticed"]);
    assert.ok(Number(await Deno.readTextFile(`${folder}/runs`)) >= 4);
  });
});

Deno.test("Ctrl+C before the first result writes no report", async () => {
  await inBooks(async (books) => {
    const { folder } = books;
    const command = await books.start(`${CALLS}await Deno.writeTextFile("runs", "");
await new Promise((resolve) => setTimeout(resolve, 60_000));`);
    await untilWritten(`${folder}/runs`);
    command.child.kill("SIGINT");
    assert.equal(await command.exitCode(), 130, command.err());
    assert.match(command.err(), /covtool: exit 130: interrupted; nothing is known yet/);
    await assert.rejects(Deno.stat(`${folder}/report.json`), Deno.errors.NotFound);
  });
});

Deno.test("Ctrl+C during the command of --before starts no tests", async () => {
  await inBooks(async (books) => {
    const { folder } = books;
    const suite = `await Deno.writeTextFile("runs", "");`;
    const command = await books.start(suite, "--before", "echo > resets; sleep 60");
    await untilWritten(`${folder}/resets`);
    command.child.kill("SIGINT");
    assert.equal(await command.exitCode(), 130, command.err());
    assert.equal(existsSync(`${folder}/runs`), false);
  });
});

Deno.test("a command has more than a month, where that is its time", async () => {
  assert.equal((await new QuietCommand(["sleep", "0.1"], {}).run(31 * 86_400_000)).timedOut, false);
});

Deno.test("Ctrl+C ends the tests and reports the results so far", async () => {
  await inBooks(async (books) => {
    const { folder } = books;
    const suite = `${CALLS}
await Deno.writeTextFile("pid", String(Deno.pid));
if (books === "[]") {
  await Deno.writeTextFile("hangs", "");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}`;
    const command = await books.start(suite, "--timeout", "50");
    await untilWritten(`${folder}/hangs`);
    command.child.kill("SIGINT");
    assert.equal(await command.exitCode(), 130, command.err());
    assert.match(command.err(), /covtool: exit 130: interrupted; reports have what is known/);
    assert.equal((await books.parts()).length, ALL_PARTS.length);
    assert.ok(!isRunning(Number(await Deno.readTextFile(`${folder}/pid`))));
  });
});

Deno.test("tests and their processes end with covtool, and --resume continues", async () => {
  for (const [signal, code] of [["SIGTERM", 130], ["SIGKILL", 137]] as const) {
    await inBooks(async (books) => {
      const { folder } = books;
      const suite = `${
        EVERYTHING.replace(
          "equal(",
          `
if (books === "[]" && !Deno.args.length && !await Deno.stat("ids").catch(() => false)) {
  const { pid } = new Deno.Command("sleep", { args: ["60"], stdout: "null" }).spawn();
  await Deno.writeTextFile("ids", JSON.stringify([Deno.pid, pid]));
  Deno.kill(Deno.ppid, "${signal}");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}
equal(`,
        )
      }`;
      const operation = ["--operation", "GET /books"];
      const options = ["--level", "bodies", ...operation, "--resume", "mutate.hits"];
      const first = await books.start(suite, ...options);
      assert.equal(await first.exitCode(), code, first.err());
      await assertEnded(...JSON.parse(await Deno.readTextFile(`${folder}/ids`)));
      await books.measure(suite, ...options);
      const states = (await books.parts()).map(({ state }) => state);
      assert.deepEqual(states, ["noticed", "noticed"]);
    });
  }
});

Deno.test("--resume continues an earlier command, but only for the same description", async () => {
  await inBooks(async (books) => {
    const { folder } = books;
    const options = ["--level", "bodies", "--resume", "mutate.hits"];
    const first = await books.measure(EVERYTHING, "--runs", "5", ...options);
    assert.match(first.err(), /or\srun\sit\sagain:\s--resume\sgoes\son\./);
    const known = (await books.parts()).filter(({ state }) => state === "noticed");
    const all = ALL_PARTS.filter((name) => /status|body/.test(name));
    assert.ok(known.length > 0 && known.length < all.length);
    const second = await books.measure(EVERYTHING, ...options);
    assert.match(second.err(), new RegExp(`parts: ${known.length} noticed`));
    const report = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
    assert.equal(report.summary.noticed.noticed, all.length);
    assert.equal(report.traffic.recorded, 3);
    await Deno.writeTextFile(`${folder}/openapi.yaml`, DESCRIPTION.replace("Books", "Shelf"));
    const other = await books.start(EVERYTHING, ...options);
    await fails(other.outcome(), /mutate\.hits has results of another version of the description/);
  });
});

Deno.test("if results can't be saved, no partial file is left", async () => {
  await inBooks(async (books) => {
    const suite = `await Deno.mkdir("mutate.hits", { recursive: true });\n${EVERYTHING}`;
    const mutate = await books.start(suite, "--runs", "3", "--resume", "mutate.hits");
    await fails(mutate.outcome(), /Cannot write mutate\.hits: This is a folder/);
    assert.ok(!existsSync(`${books.folder}/mutate.hits.part`));
  });
});

/** A test without a connection, whose recorder in the same process makes the responses. */
const IN_PROCESS = `import { deepStrictEqual as equal } from "node:assert";
const changes = Deno.env.get("COVTOOL_CHANGES");
const test = { name: "reads a book", file: "books_test.ts" };
const answer = { status_code: 200, headers: [["content-type", "application/json"]], body: '{"id":1,"title":"Momo"}' };
const asked = await fetch(changes, {
  method: "POST",
  body: JSON.stringify({ request: { method: "GET", url: "http://test/books/1" }, response: answer, test }),
});
const changed = asked.status === 200 ? await asked.json() : undefined;
const status = changed?.status_code ?? 200;
const book = JSON.parse(changed === undefined ? answer.body : atob(changed.body_base64));
try {
  equal(book.title, "Momo");
} catch (error) {
  await fetch(changes + "/outcome", { method: "POST", body: JSON.stringify({ test, outcome: "failed" }) });
  throw error;
}
equal((await fetch(changes.replace(/.$/, "x"), { method: "POST", body: "{}" })).status, 404);
`;

Deno.test("recorders in the tests' process request changes, and say which test notices", async () => {
  await inBooks(async ({ folder }) => {
    await Deno.writeTextFile(`${folder}/books_test.ts`, IN_PROCESS);
    const command = startCommand(folder, [
      ...["mutate", "openapi.yaml", "--format", "json=report.json"],
      ...["--", Deno.execPath(), "run", "-A", "--no-check", "books_test.ts"],
    ], { NO_PROXY: "127.0.0.1" });
    assert.equal(await command.exitCode(), 0, command.err());
    const { noticed, traffic } = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
    const name = "books_test.ts > reads a book";
    assert.deepEqual(
      noticed.map((part: Part & { reached_by: string[]; noticed_by?: string[] }) =>
        [partName(part), part.state, part.reached_by, part.noticed_by] as const
      ),
      [
        ["/books/{id} 200 status", "unnoticed", [name], undefined],
        ["/books/{id} 200 body", "noticed", [name], [name]],
        ["/books/{id} 200 property /id", "unnoticed", [name], undefined],
        ["/books/{id} 200 property /title", "noticed", [name], [name]],
      ],
    );
    assert.equal(traffic.matched, 1);
    const file = "books_test.ts";
    assert.deepEqual(noticed[0].closest_test, { name: "reads a book", file, line: 3 });
    assert.match(command.err(), /in books_test\.ts:3 > reads a book/);
  });
});

Deno.test("if test names are known, each test gets its own changes, with the same verdicts", async () => {
  await inBooks(async (books) => {
    const { folder } = books;
    await Deno.writeTextFile(
      `${folder}/books_test.ts`,
      `import { deepStrictEqual as equal } from "node:assert";
const url = Deno.env.get("COVTOOL_URL") ?? "${books.url}";
const read = async (path: string) => {
  const response = await fetch(url + path);
  return { status: response.status, body: await response.json().catch(() => null) };
};
Deno.test("asserts nothing", async () => void await read("/books/1"));
Deno.test("reads", async () => equal((await read("/books/1")).body.author, { name: "Ende" }));
Deno.test("asserts the status", async () => equal((await read("/books/1")).status, 200));
Deno.test("finds none", async () => equal((await read("/books/9")).status, 404));
`,
    );
    const setup = new URL("../../src/entries/deno.ts", import.meta.url).href;
    const found = [];
    for (const isNamed of [true, false]) {
      const options = isNamed ? [] : ["--reverse", books.url];
      const preload = isNamed ? [`--preload=${setup}`] : [];
      const command = startCommand(folder, [
        ...["mutate", "openapi.yaml", "--format", "json=report.json", ...options],
        ...["--level", "bodies", "--operation", "GET /books/{id}", "--"],
        ...[Deno.execPath(), "test", "-A", "--no-check", ...preload, "books_test.ts"],
      ]);
      assert.equal(await command.exitCode(), 0, command.err());
      const parts = await books.parts() as readonly (Part & { noticed_by?: string[] })[];
      found.push(parts.map((part) => [partName(part), part.state]));
      if (!isNamed) continue;
      const noticed = parts.flatMap((part) =>
        part.state === "noticed" ? [[partName(part), ...part.noticed_by ?? []]] : []
      );
      assert.deepEqual(noticed, [
        ["/books/{id} 200 status", "books_test.ts > asserts the status"],
        ["/books/{id} 200 body", "books_test.ts > reads"],
        ["/books/{id} 404 status", "books_test.ts > finds none"],
      ]);
    }
    assert.deepEqual(found[0], found[1]);
  });
});
