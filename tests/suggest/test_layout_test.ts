// Tests that generated test files match the formatters and linters of their languages.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { run, runOrThrow } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { describeTests } from "../../src/coverage_map/describe_tests.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { suggestFor } from "../../src/coverage_map/suggest_for.ts";
import { TEST_FORMATS } from "../../src/suggest/formats/tests/test_formats.ts";
import { shopApi } from "../shop_api.ts";
import { inFolder } from "../in_folder.ts";
import { once } from "../once.ts";
import { PYTHON } from "../recorders/python_project.ts";
import { commandWorks, needing } from "../requirement.ts";
import { installed } from "../runners/npm_project.ts";
import { HARD_API } from "./hard_api.ts";

/** Formats that differ from Vitest only in their first lines, so a few of their tests are enough. */
const ALIKE = ["jest", "node-test"];

/** Texts longer than a Java constant can be, wherever a request has text. */
const LONG_TEXT = { type: "string", maxLength: 70_000 };
/** A text with names that Java tests import if they use them. */
const CODE = { type: "string", example: 'say "hasKey(1).getBytes(UTF_8)"' };
const LONG_FIELDS = {
  schema: { type: "object", properties: { "100 %": LONG_TEXT, note: LONG_TEXT, code: CODE } },
};
const LONG_API = shopApi({
  "/a": {
    post: {
      parameters: [
        { name: "q", in: "query", schema: LONG_TEXT },
        { name: "X-Q", in: "header", schema: LONG_TEXT },
      ],
      requestBody: {
        content: {
          "application/json": LONG_FIELDS,
          "application/x-www-form-urlencoded": LONG_FIELDS,
          "multipart/form-data": {
            schema: {
              type: "object",
              properties: {
                note: LONG_TEXT,
                file: { ...LONG_TEXT, contentMediaType: "image/png" },
              },
            },
          },
          "text/plain": { schema: LONG_TEXT },
        },
      },
      responses: { 200: {} },
    },
  },
});

const SMALL_API = shopApi({ "/a": { get: { responses: { 200: {} } } } });

/** The tests for each API, the same for all formats. */
const described = once(async () => {
  const apis = {
    bookshop: await MeasuredApi.fromPath("examples/bookshop/openapi.yaml"),
    shop: MeasuredApi.fromDict(HARD_API),
    small: MeasuredApi.fromDict(SMALL_API),
    // A server only changes the first line.
    served: MeasuredApi.fromDict({ ...SMALL_API, servers: [{ url: "http://localhost:3000" }] }),
    long: MeasuredApi.fromDict(LONG_API),
  };
  return Object.entries(apis).map(([group, api]) => {
    const { requests } = suggestFor(api, { serverPlaceholder: true });
    return { group, tests: describeTests(api, requests) };
  });
});

/** The files of a format: tests of the bookshop, of the shop above, and of a small API with and without a server. */
async function write(name: string): Promise<Record<string, string>> {
  const format = TEST_FORMATS.find((one) => one.name === name);
  assert(format !== undefined);
  const files: Record<string, string> = {};
  for (const { group, tests } of await described()) {
    if (group === "bookshop" && ALIKE.includes(name) || group === "long" && name !== "junit") {
      continue;
    }
    const sendable = tests.filter((test) => format.refuses?.(test) !== true);
    assert.ok(sendable.length > (["bookshop", "shop"].includes(group) ? 30 : 0));
    files[format.fileName(group)] = format.write(sendable, group);
  }
  return files;
}

const LINT = `import js from "@eslint/js";
import globals from "globals";
export default [
  js.configs.recommended,
  { files: ["**/*.{js,mjs,ts}"], languageOptions: { globals: { ...globals.node, ...globals.jest } } },
  { files: ["**/supertest.*"], languageOptions: { sourceType: "commonjs" } },
  { files: ["**/k6.*"], languageOptions: { globals: { __ENV: "readonly" } } },
];
`;

Deno.test("JavaScript tests are formatted like Prettier's output, and pass ESLint", async () => {
  const files: Record<string, string> = { "eslint.config.mjs": LINT };
  for (const format of ["vitest", "jest", "node-test", "playwright", "supertest", "k6"]) {
    for (const [name, text] of Object.entries(await write(format))) {
      files[`tests/${name.replace(/\..*/, "")}/${format}${/\.\w+$/.exec(name)?.[0]}`] = text;
    }
  }
  const modules = await installed(["prettier@^3.6", "eslint@^10", "@eslint/js@^10", "globals@^17"]);
  await inFolder(files, async (cwd) => {
    await Deno.symlink(modules, `${cwd}/node_modules`);
    const checked = await run("node", ["node_modules/prettier/bin/prettier.cjs", "-l", "tests"], {
      cwd,
    });
    assert.equal(checked.out, "", checked.err);
    const linted = await run("node", ["node_modules/eslint/bin/eslint.js", "tests"], { cwd });
    assert.equal(linted.out, "", linted.err);
  });
});

Deno.test("Deno tests are formatted like deno fmt's output, pass deno lint, and type-check", async () => {
  await inFolder(await write("deno-test"), async (cwd) => {
    for (const args of [["fmt", "--check"], ["lint"], ["check", "."]]) {
      await runOrThrow(Deno.execPath(), args, { cwd, env: { NO_COLOR: "1" } });
    }
  });
});

Deno.test({
  ...needing({
    isMet: await commandWorks("gofmt", ["-h"]) || await commandWorks("go", ["version"]),
    reason: "no Go; install it from go.dev",
  }, "Go tests have gofmt's layout, and pass go vet"),
  async fn() {
    const files = { "go.mod": "module example.com/shop\n\ngo 1.22\n", ...await write("go-test") };
    await inFolder(files, async (cwd) => {
      assert.equal(await runOrThrow("gofmt", ["-l", "."], { cwd }), "");
      await runOrThrow("go", ["vet", "./..."], { cwd });
    });
  },
});

Deno.test({
  ...needing({
    isMet: await commandWorks(PYTHON, ["-m", "ruff", "--version"]),
    reason: "no Python with ruff; install it, or set PYTHON",
  }, "Python tests have ruff's layout, and pass ruff"),
  async fn() {
    await inFolder(await write("pytest"), async (cwd) => {
      await runOrThrow(PYTHON, ["-m", "ruff", "format", "--diff", "--isolated", "."], { cwd });
      await runOrThrow(PYTHON, ["-m", "ruff", "check", "--isolated", "."], { cwd });
    });
  },
});

Deno.test("Java tests have no line of more than 100 columns", async () => {
  for (const file of Object.values(await write("junit"))) {
    assert.deepEqual(file.split("\n").filter((line) => line.length > 100), []);
  }
});

Deno.test("Java tests have no constant that is too long to compile", async () => {
  for (const file of Object.values(await write("junit"))) {
    const constants = file.match(
      /"""\n.*?"""|"(?:\\.|[^"\\\n])*"(?:\s*\+\s*"(?:\\.|[^"\\\n])*")*/gs,
    );
    assert.deepEqual(
      constants?.filter(({ length }) => length >= 65_535).map(({ length }) => length),
      [],
    );
  }
});

Deno.test("names of tests keep words with apostrophes together", async () => {
  const text = Object.values(await write("pytest")).join("");
  assert.match(text, /^def test_get_books_refuses_a_string_that_doesnt_match_/m);
  assert.doesNotMatch(text, /_doesn_t_/);
});

const FORMATTER = "com.google.googlejavaformat:google-java-format:1.28.0:jar:all-deps";
const REPOSITORY = `${ROOT}/.cache/m2`;

Deno.test({
  ...needing({
    isMet: await commandWorks("mvn", ["--version"]),
    reason: "no Maven",
  }, "Java tests have google-java-format's layout"),
  async fn() {
    await inFolder(await write("junit"), async (cwd) => {
      const [group = "", name, version] = FORMATTER.split(":");
      const folder = `${REPOSITORY}/${group.replaceAll(".", "/")}/${name}/${version}`;
      const jar = `${folder}/${name}-${version}-all-deps.jar`;
      if (!existsSync(jar)) {
        const get = ["dependency:get", `-Dartifact=${FORMATTER}`];
        await runOrThrow("mvn", ["-q", "-B", `-Dmaven.repo.local=${REPOSITORY}`, ...get], { cwd });
      }
      const files = Array.from(Deno.readDirSync(cwd), ({ name }) => name);
      // Such a short run isn't worth an optimizing compiler.
      const quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar, "--dry-run"];
      assert.equal(await runOrThrow("java", [...quick, ...files], { cwd }), "");
    });
  },
});
