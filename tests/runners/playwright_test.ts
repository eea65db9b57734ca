import assert from "node:assert/strict";
import { fails, succeeds } from "../command_end.ts";
import type { Report } from "../../mod.ts";
import { freePort } from "../proxy/raw_client.ts";
import { coveredBy, type NpmProject, npmProject, timeless } from "./npm_project.ts";
import { CHROMIUM, needing, NEEDS_CHROMIUM } from "../requirement.ts";

/** A server for the tests, with a page that calls the API. */
const SERVER = `const { createServer } = require("node:http");
createServer((request, response) => {
  if (request.url === "/") {
    response.setHeader("content-type", "text/html");
    response.end(
      "<script>fetch('/api/v1/books?page=9').then(() => { document.title = 'done'; })</script>",
    );
    return;
  }
  request.resume();
  if (request.url.includes("page=9")) {
    // The test ends before the body does.
    response.write("[");
    return;
  }
  response.statusCode = request.method === "POST" ? 201 : 200;
  response.setHeader("content-type", "application/json");
  response.end("[]");
}).listen(Number(process.env.PORT), "127.0.0.1");
`;

const CONFIGURATION = `import { defineConfig } from "@playwright/test";

const origin = "http://127.0.0.1:" + process.env.PORT;
export default defineConfig({
  testDir: "tests",
  fullyParallel: true,
  reporter: [
    ["line"],
    ["covtool/playwright", {
      schema: "openapi.yaml",
      format: ["hits", "json"],
      print: false,
      ...JSON.parse(process.env.OPTIONS ?? "{}"),
    }],
  ],
  webServer: { command: "node server.cjs", url: origin },
  use: {
    baseURL: origin,
    launchOptions: { executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] },
  },
});
`;

const FIXTURES = `import { test as base } from "@playwright/test";
import { trackTest } from "covtool/playwright";

export const test = trackTest(base.extend<{ title: string }>({ title: "Momo" }));
export { expect } from "@playwright/test";
`;

/** A test file whose tests can run in parallel. */
function testFile(page: number): string {
  return `import { expect, test } from "./fixtures";

test.describe("books", () => {
  test("page ${page} is listed", async ({ request }) => {
    const response = await request.get("/api/v1/books", { params: { page: ${page} } });
    await expect(response).toBeOK();
  });
  test("a book is added", async ({ request, title }) => {
    const response = await request.post("/api/v1/books", { data: { title: title + ${page} } });
    expect(response.status()).toBe(201);
  });
});
`;
}

const PAGE_TEST = `import { expect, test } from "./fixtures";

test("the page asks for books", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveTitle("done");
});
test("a page's own request asks for books", async ({ page }) => {
  await expect(await page.request.get("/api/v1/books?page=8")).toBeOK();
});
`;

function playwright(
  project: NpmProject,
  args: readonly string[],
  options: Readonly<Record<string, unknown>> = {},
): ReturnType<NpmProject["run"]> {
  const env = { PORT: String(freePort()), OPTIONS: JSON.stringify(options), CHROMIUM };
  return project.run("playwright", ["test", ...args], env);
}

const OTHERS = {
  "tests/dies.spec.ts": `import { test } from "./fixtures";
test("dies", async ({ request }) => {
  await (await request.post("/api/v1/books", { data: { title: "Momo" } })).text();
  process.kill(process.pid, "SIGKILL");
});
`,
  "tests/asleep.spec.ts": `import { expect, test as base } from "@playwright/test";
import { collector, trackTest } from "covtool/playwright";
base("is as it was", () => {
  expect(trackTest(base)).toBe(base);
  expect(collector.isActive).toBe(false);
});
`,
  "tests/page.spec.ts": PAGE_TEST,
};

Deno.test("covtool/playwright measures what Playwright Test's workers send", async (test) => {
  using project = await npmProject(["@playwright/test@^1.65.0"]);
  project.write({
    "server.cjs": SERVER,
    "playwright.config.ts": CONFIGURATION,
    "tests/fixtures.ts": FIXTURES,
    ...OTHERS,
    ...Object.fromEntries([1, 2, 3].map((n) => [`tests/books${n}.spec.ts`, testFile(n)])),
  });
  let expected: Report;

  await test.step("a threshold that is not met fails the run", async () => {
    const run = playwright(project, ["--workers", "1", "books"], { failUnderOperations: 50 });
    assert.match((await fails(run, /12\.5% .*50/)).out, /6 passed/);
    const { verdict, ...report } = project.report();
    assert.equal(verdict?.passed, false);
    expected = report;
    assert.equal(expected.traffic.matched, 6);
  });

  await test.step("two workers give the same numbers as one", async () => {
    const parallel = await succeeds(playwright(project, ["--workers", "2", "books"]));
    assert.match(parallel.out, /using 2 workers/);
    assert.deepEqual(timeless(project.report()), timeless(expected));
    assert.match(parallel.err, /Operations +█+░+ +12\.5% +2 of 16/);
  });

  await test.step("the report says which test covered what", () => {
    assert.deepEqual(
      coveredBy(project, "POST", "/books"),
      [1, 2, 3].map((n) => `tests/books${n}.spec.ts > books > a book is added`),
    );
  });

  for (
    const [options, sentence] of [
      [{ failUnderAll: 50 }, /The options of covtool\/playwright .*: Unknown option "failUn/],
      [{ schema: "missing.yaml" }, /Cannot load .*missing\.yaml: There is no such file: check the/],
      [{ schema: "server.cjs" }, /Cannot load .*server\.cjs: /],
    ] as const
  ) {
    await test.step(`${JSON.stringify(options)} is an error before the first test`, async () => {
      const { code, out, err } = await playwright(project, ["books1"], options);
      assert.equal(code, 1);
      assert.match(out + err, new RegExp(`covtool: ${sentence.source}`));
      assert.doesNotMatch(out + err, /\n\s+at |Running|passed/);
    });
  }

  await test.step("inside covtool run, which alone reports, the reporter does nothing", async () => {
    Deno.removeSync(`${project.folder}/coverage.json`);
    await succeeds(project.run("covtool", [
      ...["run", "openapi.yaml", "--format", "json=run.json"],
      ...["--", "node_modules/.bin/playwright", "test", "books"],
    ], { PORT: String(freePort()), OPTIONS: '{"failUnder":100}', CHROMIUM }));
    assert.deepEqual(timeless(project.report("run.json")), timeless(expected));
    assert.throws(() => project.report());
  });

  await test.step("listing tests collects nothing", async () => {
    const { out } = await succeeds(playwright(project, ["--list", "books"], { failUnder: 99 }));
    assert.match(out, /Total: 6 tests/);
    assert.throws(() => project.report());
  });

  await test.step("a killed worker loses no completed request", async () => {
    const pages = NEEDS_CHROMIUM.isMet ? ["page.spec"] : [];
    const run = playwright(project, ["--workers", "1", "books3", "dies", ...pages]);
    assert.match((await fails(run)).out, NEEDS_CHROMIUM.isMet ? /4 passed/ : /2 passed/);
    assert.ok(coveredBy(project, "POST", "/books").includes("tests/dies.spec.ts > dies"));
    assert.equal(coveredBy(project, "GET", "/books").length, 1 + 2 * pages.length);
  });

  await test.step({
    ...needing(NEEDS_CHROMIUM, "requests by page.request and by the page are recorded"),
    fn: () =>
      assert.deepEqual(coveredBy(project, "GET", "/books").slice(1), [
        "tests/page.spec.ts > a page's own request asks for books",
        "tests/page.spec.ts > the page asks for books",
      ]),
  });

  await test.step("without the reporter, nothing changes", async () => {
    Deno.removeSync(`${project.folder}/coverage.json`);
    await succeeds(playwright(project, ["asleep", "--reporter", "line"]));
    assert.throws(() => project.report());
  });
});
