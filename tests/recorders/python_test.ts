import assert from "node:assert/strict";
import { copyExample, DESCRIBE, EXPECTED, reportedNumbers } from "../../scripts/check_examples.ts";
import { needing } from "../requirement.ts";
import {
  checkEach,
  compareReports,
  describeConformance,
  linesWithout,
  recordCases,
  recordChanges,
  reportIn,
  runForReport,
  withConformanceServer,
} from "./recorded_suite.ts";
import {
  decodeText,
  needsPython,
  PYTEST,
  PYTHON,
  PYTHON_COMMAND,
  PYTHON_VARIABLES,
  withProgram,
} from "./python_project.ts";
import { inFolder } from "../in_folder.ts";
import { once } from "../once.ts";

const HERE = decodeURIComponent(new URL(".", import.meta.url).pathname);

/** The clients in python/clients.py, the modules that they need, and features of cases that they don't support. */
const CLIENTS: Readonly<Record<string, readonly [modules: string, without: string]>> = {
  Requests: ["requests", "repeated-request"],
  Httpx: ["httpx", ""],
  Httpx2: ["httpx2", ""],
  HttpxAsync: ["httpx", ""],
  Starlette: ["starlette.testclient", "streams"],
  Aiohttp: ["aiohttp", "encoded-slash"],
  Django: ["django", "repeated-request,upload-streams,encoded-slash,held-streams"],
  DjangoRest: ["rest_framework", "repeated-request,upload-streams,encoded-slash,held-streams"],
  DjangoAsync: [
    "django",
    "repeated-request,upload-streams,redirects,encoded-slash,streams,path,held-streams",
  ],
  Flask: ["flask", "repeated-request,upload-streams,redirect-post"],
  AsgiMiddleware: ["pytest", "streams,repeated-request,redirects,upload-streams"],
  WsgiMiddleware: ["pytest", "repeated-request,redirects,upload-streams"],
};

/** The only one that sends ten thousand requests, because the others would need half a minute each. */
const FAST = "WsgiMiddleware";

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

const CONFORMANCE = [...PYTEST, "test_conformance.py"];

/** Finds the client in a test's name: `test_conformance.py::test_case[Requests-json]`. */
const CLIENT_OF_TEST = /\[(\w+)-/;

const INSTALLED = Object.entries(CLIENTS)
  .filter(([, [modules]]) => needsPython(`pytest, ${modules}`).isMet)
  .map(([client]) => client);

/** Lets clients send the cases in one process, because starting it takes long. */
async function sendCases(clients: readonly string[], variables: Readonly<Record<string, string>>) {
  const { code, text } = await runPython(CONFORMANCE, `${HERE}python`, {
    ...variables,
    CONFORMANCE_CLIENTS: clients.join(),
    CONFORMANCE_MANY: FAST,
  });
  assert.equal(code, 0, text);
}

const sent = once(() =>
  recordCases(CLIENT_OF_TEST, (variables) => sendCases(INSTALLED, variables))
);

/** Cases that end early, whose parts the proxy and a client count differently, or that take long. */
const UNCOMPARED = "many,limit,large,broken,stream-left";

/** The proxy's recording of the cases, sent by a client that can send all of them. */
const proxied = once(async () =>
  await inFolder({ "openapi.json": await describeConformance() }, async (folder) => {
    await withConformanceServer(async (url) => {
      const command = [...PYTHON_COMMAND, ...PYTEST, `${HERE}python/test_conformance.py`].join(" ");
      const variables = `CONFORMANCE_CLIENTS=Httpx CONFORMANCE_WITHOUT=${UNCOMPARED}`;
      const options = ["--reverse", url, "--save-traffic", "proxied.ndjson", "--no-redact"];
      await runForReport(folder, ["proxy", "openapi.json", ...options], [
        "sh",
        "-c",
        `CONFORMANCE_SERVER=$COVTOOL_URL ${variables} ${command}`,
      ]);
    });
    return await Deno.readTextFile(`${folder}/proxied.ndjson`);
  })
);

const WITHOUT = Object.fromEntries(
  Object.entries(CLIENTS).map(([client, [, without]]) => [client, without]),
);
const sendFew = Object.entries(WITHOUT).map(([client, without]) => [client, `many,${without}`]);
const checkSent = checkEach(sent, { ...Object.fromEntries(sendFew), [FAST]: WITHOUT[FAST] ?? "" });

for (const [client, [modules, without]] of Object.entries(CLIENTS)) {
  Deno.test({
    ...needing(
      needsPython(`pytest, ${modules}`),
      `the recorder of Python passes the conformance set: ${client}`,
    ),
    fn: () => checkSent(client),
  });

  Deno.test({
    ...needing(
      needsPython(`pytest, httpx, ${modules}`),
      `the recorder of Python gives the same counts as the proxy: ${client}`,
    ),
    async fn() {
      // Django joins repeated response fields.
      const joined = client.startsWith("Django") ? "repeated-answer" : "";
      const left = [UNCOMPARED, without, joined].join();
      const written = (await sent()).get(client)?.["lines.ndjson"] ?? "";
      const files = {
        "openapi.json": await describeConformance(),
        "recorded.ndjson": await linesWithout(written, left),
        "proxied.ndjson": await linesWithout(await proxied(), left),
      };
      await inFolder(files, async (folder) => {
        const recorded = await reportIn(folder, "recorded.ndjson");
        assert.ok(recorded.traffic.matched > 15);
        compareReports(recorded, await reportIn(folder, "proxied.ndjson"));
      });
    },
  });
}

/** A middleware only records what a server sends, and changes nothing. */
const CHANGING = INSTALLED.filter((client) => !client.endsWith("Middleware"));

const changed = once(() =>
  recordChanges(CLIENT_OF_TEST, (variables) => sendCases(CHANGING, variables))
);

const checkChanged = checkEach(changed, WITHOUT, "--changes");

for (const [client, [modules]] of Object.entries(CLIENTS)) {
  if (client.endsWith("Middleware")) continue;
  Deno.test({
    ...needing(
      needsPython(`pytest, ${modules}`),
      `covtool mutate changes the responses that Python tests get: ${client}`,
    ),
    fn: () => checkChanged(client),
  });
}

const EVERYTHING =
  "pytest, requests, httpx, httpx2, fastapi, django, flask, aiohttp, xdist, pytest_asyncio";

Deno.test({
  ...needing(
    needsPython(EVERYTHING),
    "the recorder of Python doesn't change test results, and its plugin prints a report",
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
    needsPython("pytest, requests, httpx, fastapi, uvicorn, python_multipart, vcr"),
    "the recorder of Python, the proxy and a vcrpy cassette give the same counts for one test suite",
  ),
  async fn() {
    const program = `${HERE}python/same_suite.py`;
    await withProgram(async (_variables, folder) => {
      const { text } = await runPython([program, "describe"], folder);
      await Deno.writeTextFile(`${folder}/openapi.json`, text);
      // Without a folder, the same command records nothing.
      const suite = [...PYTHON_COMMAND, "-m", "covtool", program];
      const recorded = await runForReport(folder, ["run", "openapi.json"], suite);
      const proxied = await runForReport(folder, ["proxy", "openapi.json", "-p", "0"], suite);
      compareReports(recorded, proxied);
      const cassette = `${folder}/cassette.yaml`;
      const { code, text: said } = await runPython([program, "cassette", cassette], folder);
      assert.equal(code, 0, said);
      compareReports(recorded, await runForReport(folder, ["report", "openapi.json", cassette]));
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
    ...needing(needsPython(`pytest, ${modules}`), `the example ${name} measures its tests`),
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

Deno.test({
  ...needing(needsPython("pytest"), "the conformance set finds mistakes of a recorder"),
  async fn() {
    const { code, text } = await runPython(
      ["-m", "pytest", "-q", "-p", "no:cacheprovider", "test_check.py"],
      `${HERE}conformance`,
    );
    assert.equal(code, 0, text);
  },
});
