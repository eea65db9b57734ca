// Runs the tests that suggest writes, with their runners, against the bookshop's server.
import assert from "node:assert/strict";
import { join } from "node:path";
import { nodePackage } from "../../scripts/npm/try_package.ts";
import { run, runOrThrow } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { main } from "../../src/cli/main.ts";
import { CoverageMap } from "../../src/coverage_map/coverage_map.ts";
import type { SuggestedHttpRequest } from "../../src/suggest/suggestion.ts";
import { BOOKSHOP_MODULES, startBookshop } from "../bookshop_server.ts";
import { fakeHost } from "../cli/fake_host.ts";
import { inFolder } from "../in_folder.ts";
import { once } from "../once.ts";
import { needsPython, PYTHON } from "../recorders/python_project.ts";
import { commandWorks, needing, type Requirement } from "../requirement.ts";
import { installed } from "../runners/npm_project.ts";

const NEEDS_SERVER = needsPython(BOOKSHOP_MODULES);
const NEEDS_PYTEST = needsPython(`${BOOKSHOP_MODULES}, pytest, requests`);

/** The server, and a program whose command prints its version. */
async function needsServerAnd(name: string, command: string, version: string) {
  const isMet = NEEDS_SERVER.isMet && await commandWorks(command, [version]);
  return { isMet, reason: `no ${name}, or ${NEEDS_SERVER.reason}` };
}

const DESCRIPTION = `${ROOT}/examples/bookshop/openapi.yaml`;
/** Operations whose responses don't depend on the order of tests: nothing is deleted. */
const OPERATIONS = ["listBooks", "replaceBook", "putCover", "login", "whoAmI", "oldBooks"];

/** Differences between the bookshop and its description, each of which is a finding. */
const FINDINGS = ["PUT /books/{book_id} refuses the same item twice in tags"];

/** Results of tests by title, reduced to letters and digits like function names. */
type Outcomes = ReadonlyMap<string, boolean>;

function simplified(title: string): string {
  return title.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

interface Example {
  readonly format: string;
  /** The server by default. */
  readonly needs?: Requirement;
  /** Packages of the runner on npm. */
  readonly packages?: readonly string[];
  /** The folder of the tests, by default `tests`. */
  readonly tests?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** True for requests that the client can't send. */
  readonly refuses?: (request: SuggestedHttpRequest) => boolean;
  run(folder: string, env: Record<string, string>): Promise<Outcomes>;
}

interface JestResults {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

interface PlaywrightResults {
  readonly suites: readonly {
    readonly specs: readonly { readonly title: string; readonly ok: boolean }[];
  }[];
}

interface K6Summary {
  readonly root_group: {
    readonly checks: Readonly<Record<string, { readonly name: string; readonly fails: number }>>;
  };
}

interface HurlResult {
  readonly entries: readonly {
    readonly line: number;
    readonly asserts: readonly { readonly success: boolean }[];
  }[];
}

async function runFor(
  pattern: RegExp,
  command: readonly [string, ...string[]],
  cwd: string,
  env: Record<string, string>,
): Promise<string> {
  const [program, ...args] = command;
  const { out, err } = await run(program, args, { cwd, env });
  assert.match(out, pattern, out + err);
  return out;
}

/** Runs a program that writes Jest's format of results to `results.json`. */
async function jestOutcomes(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: Record<string, string>,
): Promise<Outcomes> {
  const { out, err } = await run(program, [...args, "--outputFile=results.json"], { cwd, env });
  const results = await Deno.readTextFile(`${cwd}/results.json`)
    .catch(() => assert.fail(out + err));
  const { testResults } = JSON.parse(results) as JestResults;
  return new Map(
    testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ title, status }) => [simplified(title), status === "passed"])
    ),
  );
}

/** Reads results from lines: the first group is the status, and the second is the title. */
function linesAsOutcomes(text: string, line: RegExp, passed: string): Outcomes {
  return new Map(
    [...text.matchAll(line)].map(([, state, title = ""]) => [simplified(title), state === passed]),
  );
}

async function tapOutcomes(
  command: readonly [string, ...string[]],
  cwd: string,
  env: Record<string, string>,
): Promise<Outcomes> {
  const out = await runFor(/^ok /m, command, cwd, env);
  return linesAsOutcomes(out, /^(ok|not ok) \d+ - (.+)$/gm, "ok");
}

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>bookshop</artifactId>
  <version>1.0.0</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.13.4</version>
      <scope>test</scope>
    </dependency>
    <dependency>
      <groupId>io.rest-assured</groupId>
      <artifactId>rest-assured</artifactId>
      <version>5.5.7</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.14.0</version>
      </plugin>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.5.3</version>
      </plugin>
    </plugins>
  </build>
</project>
`;

const EXAMPLES: readonly Example[] = [
  {
    format: "vitest",
    packages: ["vitest@^5", `node@npm:${nodePackage(Deno.build.os, Deno.build.arch)}@22`],
    run: (folder, env) =>
      jestOutcomes(
        [
          "node_modules/node/bin/node",
          ...["node_modules/vitest/vitest.mjs", "run", "--reporter=json"],
        ],
        folder,
        env,
      ),
  },
  ...["jest", "supertest"].map((format): Example => ({
    format,
    packages: ["jest@^30", ...format === "jest" ? [] : ["supertest@^7"]],
    files: { "package.json": "{}" },
    run: (folder, env) =>
      jestOutcomes(["node", "node_modules/jest/bin/jest.js", "--json"], folder, env),
  })),
  {
    format: "node-test",
    run: (folder, env) => tapOutcomes(["node", "--test", "--test-reporter=tap"], folder, env),
  },
  {
    format: "deno-test",
    run: (folder, env) =>
      tapOutcomes(
        [Deno.execPath(), "test", "--reporter=tap", "--allow-env", "--allow-net", "tests"],
        folder,
        env,
      ),
  },
  {
    format: "playwright",
    packages: ["@playwright/test@^1"],
    files: { "package.json": "{}" },
    async run(folder, env) {
      const args = [
        "node_modules/@playwright/test/cli.js",
        "test",
        "--workers=2",
        "--reporter=json",
      ];
      const { suites } = JSON.parse(
        await runFor(/^\{/, ["node", ...args], folder, env),
      ) as PlaywrightResults;
      return new Map(
        suites.flatMap(({ specs }) => specs.map(({ title, ok }) => [simplified(title), ok])),
      );
    },
  },
  {
    format: "pytest",
    needs: NEEDS_PYTEST,
    async run(folder, env) {
      const args = ["-m", "pytest", "-p", "no:cacheprovider", "-rA", "-q", "tests"];
      const variables = { ...env, PYTHONDONTWRITEBYTECODE: "1" };
      const out = await runFor(/^PASSED/m, [PYTHON, ...args], folder, variables);
      return linesAsOutcomes(out, /^(PASSED|FAILED) \S+::test_(\S+)/gm, "PASSED");
    },
  },
  {
    format: "go-test",
    needs: await needsServerAnd("Go", "go", "version"),
    files: { "go.mod": "module example.com/bookshop\n\ngo 1.22\n" },
    async run(folder, env) {
      assert.equal(await runOrThrow("gofmt", ["-l", "tests"], { cwd: folder }), "");
      await runOrThrow("go", ["vet", "./..."], { cwd: folder });
      const out = await runFor(/--- PASS/, ["go", "test", "-v", "-count=1", "./..."], folder, env);
      return linesAsOutcomes(out, /^ {4}--- (PASS|FAIL): \w+\/(\S+)/gm, "PASS");
    },
  },
  {
    format: "k6",
    needs: await needsServerAnd("k6", "k6", "version"),
    async run(folder, env) {
      const outcomes = new Map<string, boolean>();
      for await (const { name } of Deno.readDir(`${folder}/tests`)) {
        const summary = `${folder}/${name}.json`;
        const args = ["run", "--quiet", "--summary-export", summary, `tests/${name}`];
        const { code, out, err } = await run("k6", args, { cwd: folder, env });
        const { root_group } = JSON.parse(
          await Deno.readTextFile(summary).catch(() => assert.fail(out + err)),
        ) as K6Summary;
        const checks = Object.values(root_group.checks);
        for (const { name, fails } of checks) outcomes.set(simplified(name), fails === 0);
        // k6 exits with 99 if a threshold is not met.
        assert.equal(code, checks.some(({ fails }) => fails > 0) ? 99 : 0, err);
      }
      return outcomes;
    },
  },
  {
    format: "hurl",
    needs: await needsServerAnd("Hurl", "hurl", "--version"),
    async run(folder, { API_URL = "", COVTOOL_AUTH_HTTPBASIC = "" }) {
      const variables = [`API_URL=${API_URL}`, `COVTOOL_AUTH_HTTPBASIC=${COVTOOL_AUTH_HTTPBASIC}`];
      const options = variables.flatMap((text) => ["--variable", text]);
      const outcomes = new Map<string, boolean>();
      for await (const { name } of Deno.readDir(`${folder}/tests`)) {
        const text = await Deno.readTextFile(`${folder}/tests/${name}`);
        const titles = text.split("\n");
        const args = ["--continue-on-error", "--json", ...options, `tests/${name}`];
        const { out, err } = await run("hurl", args, { cwd: folder, env: { NO_COLOR: "1" } });
        assert.match(out, /^\{/, err);
        const { entries } = JSON.parse(out) as HurlResult;
        for (const { line, asserts } of entries) {
          const title = titles[line - 2]?.replace(/^# /, "") ?? "";
          outcomes.set(simplified(title), asserts.every(({ success }) => success));
        }
      }
      return outcomes;
    },
  },
  {
    format: "junit",
    needs: await needsServerAnd("Maven", "mvn", "--version"),
    tests: "src/test/java",
    files: { "pom.xml": POM },
    refuses: ({ body = "" }) => body === "--covtool-boundary--\r\n",
    async run(folder, env) {
      const args = ["-q", "-B", `-Dmaven.repo.local=${ROOT}/.cache/m2`, "test"];
      const { out, err } = await run("mvn", args, { cwd: folder, env });
      const reports = join(folder, "target/surefire-reports");
      const outcomes = new Map<string, boolean>();
      for await (const { name } of Deno.readDir(reports)) {
        if (!name.endsWith(".xml")) continue;
        const text = await Deno.readTextFile(join(reports, name));
        for (const [, title = "", end] of text.matchAll(/<testcase name="([^"]+)"[^>]*?(\/?)>/g)) {
          outcomes.set(simplified(title), end === "/");
        }
      }
      assert.ok(outcomes.size > 0, out + err);
      return outcomes;
    },
  },
];

/** Starts a server in front of the bookshop that records requests. */
function startRecording(
  origin: string,
  map: CoverageMap,
): AsyncDisposable & { readonly url: string } {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = new Uint8Array(await request.arrayBuffer());
    const url = origin + pathname + search;
    map.record({ method, url, headers: Object.fromEntries(headers), body });
    const sent = new Headers(headers);
    sent.delete("host");
    const init = { method, headers: sent, redirect: "manual" } as const;
    const answer = await fetch(url, body.length === 0 ? init : { ...init, body });
    const { status } = answer;
    return new Response(status === 204 || status === 304 ? null : await answer.bytes(), {
      status,
      headers: { "Content-Type": answer.headers.get("Content-Type") ?? "" },
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/api/v1`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Used for all formats, because no test changes the responses of another. */
let bookshop: Awaited<ReturnType<typeof startBookshop>> | undefined;
if (NEEDS_SERVER.isMet) {
  Deno.test.beforeAll(async () => {
    bookshop = await startBookshop();
  });
  Deno.test.afterAll(async () => await bookshop?.[Symbol.asyncDispose]());
}

const suggested = once(async () => {
  const map = await CoverageMap.fromPath(DESCRIPTION, { values: false });
  return map.suggestRequests({ operations: OPERATIONS }).requests;
});

const OPTIONS = OPERATIONS.flatMap((name) => ["--operation", name]);

for (const { format, needs, packages, tests = "tests", files = {}, refuses, run } of EXAMPLES) {
  Deno.test({
    ...needing(
      needs ?? NEEDS_SERVER,
      `--format ${format} writes tests that run and send the suggested requests`,
    ),
    async fn() {
      await inFolder(files, async (folder) => {
        if (packages !== undefined) {
          await Deno.symlink(await installed(packages), `${folder}/node_modules`);
        }
        const host = fakeHost();
        const args = ["suggest", "--no-config", "--no-values", DESCRIPTION, ...OPTIONS];
        assert.equal(
          await main([...args, "--format", format, "-o", `${folder}/${tests}`], host),
          0,
        );
        assert.match(host.err(), /\nTests: \d+ files in /);

        const map = await CoverageMap.fromPath(DESCRIPTION);
        await using shop = startRecording(bookshop?.origin ?? "", map);
        const credentials = btoa("ann:password");
        const outcomes = await run(folder, {
          API_URL: shop.url,
          COVTOOL_AUTH_HTTPBASIC: credentials,
        });
        const failed = [...outcomes].filter(([, passed]) => !passed).map(([title]) => title);
        assert.deepEqual(failed.sort(), FINDINGS.map(simplified).sort());

        const expected = await CoverageMap.fromPath(DESCRIPTION, { values: false });
        const requests = await suggested();
        const sent = requests.filter(({ request }) => refuses?.(request) !== true);
        for (const { request } of sent) expected.record(request);
        assert.equal(outcomes.size, sent.length);
        const isSaid = host.err().includes(`\n${format} cannot send 1 request, left out.\n`);
        assert.equal(isSaid, sent.length < requests.length);
        assert.deepEqual(map.uncoveredKeywords(), expected.uncoveredKeywords());
      });
    },
  });
}
