import assert from "node:assert/strict";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { fileURLToPath } from "node:url";
import { CoverageMap } from "../../mod.ts";
import { compareReports } from "../../src/report/comparison/compare_reports.ts";
import { generateHtmlReport } from "../../src/report/html_report.ts";
import { generateUsageHtmlReport } from "../../src/report/usage/usage_html_report.ts";
import { main } from "../../src/cli/main.ts";
import { fakeHost } from "../cli/fake_host.ts";
import { describedMap } from "./described_map.ts";
import { ATTACK, type SampleKind, sampleReport } from "./sample_report.ts";
import { compare, PRODUCTION, TESTS } from "../report/usage_sample.ts";
import { CHROMIUM, needing, NEEDS_CHROMIUM } from "../requirement.ts";

let browser: Browser | undefined;
let context: BrowserContext | undefined;
let folder: string | undefined;
const written = new Set<PageKind>();

/**
 * A sample of only a report, or `described`: a report with its description; `tests` copies tests, and `usage` compares
 * production with tests.
 */
export type PageKind =
  | SampleKind
  | "described"
  | "tests"
  | "scoped"
  | "apis"
  | "lies"
  | "large"
  | "strays"
  | "silent"
  | "access"
  | "roles"
  | "usage";

/** Exclusions of `scoped`. */
const EXCLUDE = [
  { pattern: "POST /books", reason: "Tested <elsewhere>", source: "covtool.yaml:3" },
  { pattern: "keyword:type", source: "covtool.yaml:4" },
  { pattern: "response:200", reason: "Seen daily", until: "2020-01-31", source: "covtool.yaml:5" },
];

/** Where and how to open a page. */
export interface OpenOptions {
  /** The part of the address from the `#`. */
  readonly hash?: string;
  /** A Content-Security-Policy that a server sends with the page. */
  readonly policy?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: "light" | "dark";
  readonly javaScriptEnabled?: boolean;
  /** True for a page whose policy even forbids scripts of tests. */
  readonly bypassCSP?: boolean;
}

async function launch(): Promise<Browser> {
  browser ??= await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  return browser;
}

/** Tabs of the running test, which other tests can reuse, and its own windows. */
const tabs: Page[] = [];
const windows: Page[] = [];

/** Empty tabs for reuse, because a new one would be a new process. */
const idle: Page[] = [];

/** Errors of its pages, console messages, and requests to other addresses. */
const complaints: string[] = [];

/** An empty tab for the test. */
async function openTab(options: OpenOptions): Promise<Page> {
  const { viewport = { width: 1280, height: 720 }, colorScheme = "light", policy } = options;
  const { javaScriptEnabled = true, bypassCSP = false } = options;
  if (!javaScriptEnabled || bypassCSP || policy !== undefined) {
    const page = await (await launch()).newPage({ javaScriptEnabled, bypassCSP });
    windows.push(page);
    return page;
  }
  context ??= await (await launch()).newContext();
  const page = idle.pop() ?? await context.newPage();
  tabs.push(page);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, media: null });
  return page;
}

/** Makes tabs as empty as new ones. */
async function release(used: readonly Page[]): Promise<void> {
  for (const page of used) {
    for (const event of ["console", "pageerror", "request"]) page.removeAllListeners(event);
    await page.evaluate("location.protocol === 'file:' && localStorage.clear()");
    await page.mouse.move(0, 0);
    await page.goto("about:blank");
    idle.push(page);
  }
}

async function pageHtml(kind: PageKind): Promise<string> {
  if (kind === "described") return (await describedMap()).generateReport();
  if (kind === "scoped") return (await describedMap({ exclude: EXCLUDE })).generateReport();
  if (kind === "apis") return await apisHtml();
  if (kind === "tests") return await testsHtml();
  if (kind === "lies") return await liesHtml();
  if (kind === "large") return largeHtml();
  if (kind === "strays") return straysHtml();
  if (kind === "silent") return silentHtml();
  if (kind === "access") return accessHtml(20, 500);
  if (kind === "roles") return accessHtml(6, 4);
  if (kind === "usage") return usageHtml();
  return generateHtmlReport([{ name: undefined, report: sampleReport(kind), input: {} }]);
}

async function testsHtml(): Promise<string> {
  const host = fakeHost();
  const shop = fileURLToPath(new URL("../../examples/bookshop/", import.meta.url));
  await main([
    ...["report", "--no-config", `${shop}openapi.yaml`, `${shop}traffic.json`],
    ...["--format", "html", "-o", "-", "--test-format", "vitest"],
  ], host);
  return host.out();
}

async function liesHtml(): Promise<string> {
  const path = (from: string): string => fileURLToPath(new URL(`../../${from}`, import.meta.url));
  const map = await CoverageMap.fromPath(path("examples/findings-fastify/openapi.yaml"), {
    undocumentedProperties: true,
  });
  await map.cassette.recordFromPath(path("tests/fixtures/recordings/findings/schemathesis.yaml"));
  return map.generateReport();
}

const TEXT = { type: "string", maxLength: 5 };

/** Operations of which only the first was called. */
function largeHtml(): string {
  const own = Array.from({ length: 12 }, (_, index) => [`p${index}`, TEXT] as const);
  // No value fails the last keyword, so that it has value classes but no gaps.
  const properties = { ...Object.fromEntries(own), note: { minLength: 0 } };
  const post = {
    parameters: [{ name: "page", in: "query", schema: { type: "integer", minimum: 1 } }],
    requestBody: { content: { "application/json": { schema: { type: "object", properties } } } },
    responses: { 201: { description: "Created" } },
  };
  const paths = Object.fromEntries(
    Array.from({ length: 160 }, (_, index) => [`/items/${index}`, { post }]),
  );
  const map = CoverageMap.fromDict({
    openapi: "3.1.0",
    info: { title: "Items", version: "1" },
    paths,
  });
  const headers = { "content-type": "application/json" };
  map.record({ method: "POST", url: "/items/0", headers, body: '{"p0":"one"}' }, {
    status_code: 201,
  });
  return map.generateReport();
}

/** Traffic to another API. */
function straysHtml(): string {
  const paths = { "/books": { get: { responses: { 200: { description: "Books" } } } } };
  const info = { title: "Books", version: "1" };
  const map = CoverageMap.fromDict({ openapi: "3.1.0", info, paths });
  map.record({ method: "GET", url: "http://localhost/metrics" }, { status_code: 200 });
  return map.generateReport();
}

/** Traffic without responses and most header fields. */
function silentHtml(): string {
  const parameters = ["q", "debug"].map((name) => ({ name, in: "query", schema: TEXT }));
  const tenant = { name: "X-Tenant", in: "header", schema: TEXT };
  const get = { parameters: [...parameters, tenant], responses: { 404: { description: "None" } } };
  const map = CoverageMap.fromDict({
    openapi: "3.1.0",
    info: { title: "Books", version: "1" },
    paths: { "/books": { get }, "/magazines": { get } },
  }, { exclude: ["parameter:debug"] });
  map.record({ method: "GET", url: "/books?q=a" });
  return generateHtmlReport([{ name: undefined, report: map.report(), input: {} }]);
}

/** Two operations per path; the second identity reads what the first one created. */
function accessHtml(identities: number, count: number): string {
  const names = Array.from({ length: identities }, (_, index) => `role-${index + 1}`);
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const responses = { 200: { description: "Fine" }, 201: { description: "Created" } };
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      [`/r${index}`, { post: { tags: [`Tag ${index % 4}`], responses } }],
      [`/r${index}/{id}`, { get: { tags: [`Tag ${index % 4}`], parameters: [id], responses } }],
    ]).flat(),
  );
  const map = CoverageMap.fromDict({
    openapi: "3.1.0",
    info: { title: "Access", version: "1" },
    paths,
  }, {
    identities: names.map((name) => ({ name, header: "X-Key", value: `key of ${name}` })),
    access: [{ pattern: "/**", allow: ["role-1:own", "role-2:own"] }],
  });
  const send = (by: string, method: string, url: string, status_code: number): void =>
    map.record({ method, url, headers: { "X-Key": `key of ${by}` } }, {
      status_code,
      headers: { "content-type": "application/json" },
      body: '{"id":7}',
    });
  for (let index = 0; index < count; index++) {
    send("role-1", "POST", `/r${index}`, 201);
    for (const by of names) send(by, "GET", `/r${index}/7`, /-[12]$/.test(by) ? 200 : 403);
  }
  return map.generateReport();
}

function usageHtml(): string {
  const report = compare(TESTS, PRODUCTION);
  const { untested, unused } = report;
  return generateUsageHtmlReport({
    ...report,
    untested: [
      ...Array.from({ length: 12 }, () => untested).flat(),
      ...unused,
      ...untested.slice(0, 30),
    ],
    unused: Array.from({ length: 25 }, () => unused).flat(),
    not_measured: [{ side: "production", part: "request_headers" }],
  });
}

const FAILED = {
  passed: false,
  changes: "keywords −2.5 points",
  gates: ["responses", "operations"].map((name, index) => ({
    kind: "threshold" as const,
    name,
    asks: "at least 80%",
    found: "75% (6 of 8)",
    passed: index > 0,
    sentence: `${ATTACK} ${name}`,
  })),
};

async function apisHtml(): Promise<string> {
  const map = await describedMap();
  const report = map.report();
  const view = () => map.descriptionView(report);
  const shop = sampleReport("shop");
  const comparison = { ...compareReports(shop, shop), new_gaps: shop.gaps };
  return generateHtmlReport([
    { name: "Library", report, input: { view } },
    { name: "Shop", report: { ...shop, verdict: FAILED, comparison }, input: {} },
    { name: ATTACK, report: sampleReport("hostile"), input: {} },
  ], "Platform");
}

/** Writes a sample to a file once, and returns its address. */
async function writePage(kind: PageKind): Promise<string> {
  folder ??= await Deno.makeTempDir({ prefix: "covtool-page-" });
  const path = `${folder}/${kind}.html`;
  if (!written.has(kind)) {
    await Deno.writeTextFile(path, await pageHtml(kind));
    written.add(kind);
  }
  return `file://${path}`;
}

/** Opens the page of a sample report and waits until it is drawn. */
export async function openPage(kind: PageKind, options: OpenOptions = {}): Promise<Page> {
  const { hash = "", policy } = options;
  const page = await openTab(options);
  const address = await writePage(kind);
  if (policy !== undefined) {
    // Headers need a server, which this route stands in for.
    const body = await Deno.readTextFile(address.slice("file://".length));
    await page.route("http://pages.example/**", (route) =>
      route.fulfill({
        body,
        contentType: "text/html",
        headers: { "content-security-policy": policy },
      }));
    await page.goto("http://pages.example/coverage.html");
    return page;
  }
  const complain = (text: string): void => void complaints.push(`${kind} ${hash}: ${text}`);
  page.on("console", (message) => complain(message.text()));
  page.on("pageerror", (error) => complain(error.message));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !url.startsWith("data:")) complain(`asks for ${url}`);
  });
  await page.goto(address + hash);
  if (options.javaScriptEnabled !== false) await page.waitForSelector("main#main");
  return page;
}

/** Opens an image like its own address. */
export async function openSvg(svg: string): Promise<Page> {
  const page = await openTab({});
  await page.goto(`data:image/svg+xml,${encodeURIComponent(svg)}`);
  return page;
}

Deno.test.afterAll(async () => {
  await browser?.close();
  if (folder !== undefined) await Deno.remove(folder, { recursive: true });
});

/**
 * Defines a test in Chromium, which is skipped with the reason if there is none. Its pages may not report errors or
 * send requests.
 */
export function test(name: string, run: () => Promise<void>): void {
  Deno.test({
    ...needing(NEEDS_CHROMIUM, name),
    // The browser is started once for all tests.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      try {
        await run();
        assert.deepEqual(complaints, []);
        await release(tabs.splice(0));
      } catch (error) {
        // Whatever state the test left its windows in.
        await context?.close();
        [context, idle.length, tabs.length] = [undefined, 0, 0];
        throw error;
      } finally {
        complaints.length = 0;
        for (const window of windows.splice(0)) await window.close();
      }
    },
  });
}
