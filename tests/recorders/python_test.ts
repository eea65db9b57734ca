import assert from "node:assert/strict";
import { copyExample, DESCRIBE, EXPECTED, reportedNumbers } from "../../scripts/check_examples.ts";
import type { Report } from "../../src/report/report.ts";
import { needing, type Requirement } from "../requirement.ts";
import {
  checkChanges,
  checkConformance,
  compareReports,
  describeConformance,
  reportOf,
  withConformanceServer,
} from "./recorded_suite.ts";
import { decodeText, PYTHON, PYTHON_VARIABLES, pythonHas, withProgram } from "./python_project.ts";
import { inFolder } from "../in_folder.ts";

const HERE = decodeURIComponent(new URL(".", import.meta.url).pathname);

/** The clients of python/clients.py, what they need, and the needs of cases that they can't do. */
const CLIENTS: Readonly<Record<string, readonly [modules: string, without: string]>> = {
  Requests: ["requests", "repeated-request"],
  Httpx: ["httpx", ""],
  Httpx2: ["httpx2", ""],
  HttpxAsync: ["httpx", ""],
  Starlette: ["starlette.testclient", "streams"],
  Aiohttp: ["aiohttp", "encoded-slash"],
  Django: ["django", "repeated-request,upload-streams,encoded-slash"],
  DjangoRest: ["rest_framework", "repeated-request,upload-streams,encoded-slash"],
  DjangoAsync: ["django", "repeated-request,upload-streams,redirects,encoded-slash,streams,path"],
  Flask: ["flask", "repeated-request,upload-streams,encoded-slash,redirect-post"],
  AsgiMiddleware: ["pytest", "streams,repeated-request,redirects,upload-streams"],
  WsgiMiddleware: ["pytest", "repeated-request,redirects,upload-streams,encoded-slash"],
};

/** The only one that sends ten thousand requests: the others would take half a minute each. */
const FAST = "WsgiMiddleware";

function needsModules(modules: string): Requirement {
  return {
    isMet: pythonHas(`pytest, ${modules}`),
    reason:
      `no Python with ${modules}; install them with tests/recorders/python/requirements.txt, or set PYTHON`,
  };
}

async function runPython(
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(PYTHON, {
    args: [...args],
    cwd,
    env: { ...PYTHON_VARIABLES, ...variables },
  }).output();
  return { code, text: decodeText(stdout) + decodeText(stderr) };
}

for (const [client, [modules, without]] of Object.entries(CLIENTS)) {
  Deno.test({
    ...needing(
      needsModules(modules),
      `the recorder of Python passes the conformance set: ${client}`,
    ),
    async fn() {
      const left = client === FAST ? without : `many,${without}`;
      await inFolder({}, async (lines) => {
        await withConformanceServer(async (url) => {
          const { code, text } = await runPython(
            [
              "-m",
              "pytest",
              "-q",
              "-p",
              "no:cacheprovider",
              "-p",
              "no:django",
              "test_conformance.py",
            ],
            `${HERE}python`,
            {
              CONFORMANCE_CLIENT: client,
              CONFORMANCE_URL: url,
              CONFORMANCE_WITHOUT: left,
              COVTOOL_TRAFFIC: lines,
            },
          );
          assert.equal(code, 0, text);
        });
        await checkConformance(lines, left);
      });
    },
  });
}

for (const [client, [modules]] of Object.entries(CLIENTS)) {
  // A middleware writes what a server sends, and changes nothing.
  if (client.endsWith("Middleware")) continue;
  Deno.test({
    ...needing(
      needsModules(modules),
      `covtool mutate changes what tests in Python are given: ${client}`,
    ),
    async fn() {
      // Django's client hands over the parts of a stream as they come.
      const without = client.startsWith("Django") ? "held-streams" : "";
      const pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:django"];
      await withConformanceServer((url) =>
        checkChanges(without, async (variables) => {
          const { code, text } = await runPython(
            [...pytest, "test_conformance.py"],
            `${HERE}python`,
            { ...variables, CONFORMANCE_CLIENT: client, CONFORMANCE_URL: url },
          );
          assert.equal(code, 0, text);
        })
      );
    },
  });
}

/** Cases that end early, whose parts the proxy and a client count on their own sides, or that take a while. */
const UNCOMPARED = "many,limit,large,broken,stream-left";

for (const [client, [modules, without]] of Object.entries(CLIENTS)) {
  Deno.test({
    ...needing(
      needsModules(`httpx, ${modules}`),
      `the recorder of Python counts what the proxy counts: ${client}`,
    ),
    async fn() {
      // Django joins repeated fields of a response into one.
      const joined = client.startsWith("Django") ? "repeated-answer" : "";
      const left = [UNCOMPARED, without, joined].join();
      const pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:django"];
      const suite = [...pytest, `${HERE}python/test_conformance.py`];
      const variables = { CONFORMANCE_WITHOUT: left };
      await inFolder({ "openapi.json": await describeConformance() }, async (folder) => {
        await withConformanceServer(async (url) => {
          const { code, text } = await runPython(suite, folder, {
            ...variables,
            CONFORMANCE_CLIENT: client,
            CONFORMANCE_URL: url,
            COVTOOL_TRAFFIC: `${folder}/lines`,
          });
          assert.equal(code, 0, text);
          const recorded = await reportOf(folder, ["report", "openapi.json", "lines"]);
          const { PYTHONPATH = "" } = PYTHON_VARIABLES;
          const proxied = await reportOf(folder, ["proxy", "openapi.json", "--reverse", url], [
            "sh",
            "-c",
            `CONFORMANCE_URL=$COVTOOL_URL CONFORMANCE_CLIENT=Httpx CONFORMANCE_WITHOUT=${left} PYTHONPATH=${PYTHONPATH} ${PYTHON} ${
              suite.join(" ")
            }`,
          ]);
          assert.ok(recorded.traffic.matched > 15);
          compareReports(recorded, proxied);
        });
      });
    },
  });
}

const EVERYTHING =
  "requests, httpx, httpx2, fastapi, django, flask, aiohttp, xdist, pytest_asyncio";

Deno.test({
  ...needing(
    needsModules(EVERYTHING),
    "the recorder of Python changes no test, and its plugin reports",
  ),
  async fn() {
    await withProgram(async (variables) => {
      const { code, text } = await runPython(
        ["-m", "pytest", "-q", "-p", "pytester", "-p", "no:cacheprovider"],
        `${HERE}python/behaviour`,
        variables,
      );
      assert.equal(code, 0, text);
    });
  },
});

Deno.test({
  ...needing(
    needsModules("requests, httpx, fastapi, uvicorn, python_multipart, vcr"),
    "the recorder of Python, the proxy and a cassette of vcrpy count the same of one suite",
  ),
  async fn() {
    const program = `${HERE}python/same_suite.py`;
    await withProgram(async (_variables, folder) => {
      const { text } = await runPython([program, "describe"], folder);
      await Deno.writeTextFile(`${folder}/openapi.json`, text);
      const python = ["env", `PYTHONPATH=${PYTHON_VARIABLES["PYTHONPATH"]}`, PYTHON];
      // Without a folder, the same command records nothing.
      const suite = [...python, "-m", "covtool", program];
      const recorded = await reportOf(folder, ["run", "openapi.json"], suite);
      const proxied = await reportOf(folder, ["proxy", "openapi.json", "-p", "0"], suite);
      compareReports(recorded, proxied);
      const cassette = `${folder}/cassette.yaml`;
      const { code, text: said } = await runPython([program, "cassette", cassette], folder);
      assert.equal(code, 0, said);
      compareReports(recorded, await reportOf(folder, ["report", "openapi.json", cassette]));
      assert.ok(recorded.traffic.recorded > 38);
    });
  },
});

const EXAMPLES = {
  "fastapi-pytest": "fastapi, httpx2",
  "django-pytest": "rest_framework, pytest_django",
};

for (const [name, modules] of Object.entries(EXAMPLES)) {
  Deno.test({
    ...needing(needsModules(modules), `the example ${name} measures its tests`),
    async fn() {
      await withProgram(async (variables, folder) => {
        await copyExample(name, folder);
        const describe = DESCRIBE[name];
        if (describe !== undefined) {
          const { text } = await runPython(["-c", describe], folder);
          await Deno.writeTextFile(`${folder}/openapi.json`, text);
        }
        const { code, text } = await runPython(["-m", "pytest", "-q"], folder, variables);
        assert.equal(code, 0, text);
        assert.equal(reportedNumbers(text), EXPECTED[name]);
      });
    },
  });
}

/** Tests of an application without a connection, by two clients. */
const MUTATED = `import httpx

def answer(request):
    return httpx.Response(200, json={"id": 1, "title": "Momo"})

def test_title():
    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        assert client.get("http://test/books/1").json()["title"] == "Momo"

def test_nothing():
    with httpx.Client(transport=httpx.MockTransport(answer)) as client:
        assert client.get("http://test/books/1").is_success
`;

Deno.test({
  ...needing(
    needsModules("pytest, httpx"),
    "covtool mutate changes what tests in Python are given, and names those that notice",
  ),
  async fn() {
    const properties = { id: { type: "integer" }, title: { type: "string" } };
    const content = { "application/json": { schema: { properties } } };
    const description = {
      openapi: "3.1.0",
      info: { title: "Books", version: "1" },
      paths: { "/books/{id}": { get: { responses: { 200: { description: "", content } } } } },
    };
    const files = { "openapi.json": JSON.stringify(description), "test_books.py": MUTATED };
    await inFolder(files, async (folder) => {
      const { noticed } = await reportOf(folder, ["mutate", "openapi.json"], [
        ...["env", `PYTHONPATH=${PYTHON_VARIABLES["PYTHONPATH"]}`, PYTHON, "-m", "pytest", "-q"],
        ...["-p", "no:cacheprovider", "test_books.py"],
      ]) as unknown as Pick<Report, "noticed">;
      assert.deepEqual(
        noticed?.map(({ part, name, state, noticed_by }) => [part, name, state, noticed_by]),
        [
          ["status", undefined, "noticed", ["test_books.py::test_nothing"]],
          ["body", undefined, "noticed", ["test_books.py::test_title"]],
          ["property", "id", "unnoticed", undefined],
          ["property", "title", "noticed", ["test_books.py::test_title"]],
        ],
      );
    });
  },
});

Deno.test({
  ...needing(needsModules("pytest"), "the conformance set finds what a recorder does wrong"),
  async fn() {
    const { code, text } = await runPython(
      ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_check.py"],
      `${HERE}conformance`,
    );
    assert.equal(code, 0, text);
  },
});
