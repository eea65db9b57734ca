/** A program for Node.js that uses everything that the package offers, and throws if something is wrong. */
export const NODE_PROGRAM = `
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import { CoverageMap } from "covtool";
import { createProxy } from "covtool/proxy";
import schema from "covtool/report.schema.json" with { type: "json" };

const map = await CoverageMap.fromPath("openapi.yaml");
const recording = readFileSync("traffic.json", "utf8");
for (const { request, response, timestamp } of JSON.parse(recording).interactions) {
  map.record(request, response, timestamp);
}
writeFileSync("statistic.json", JSON.stringify(map.statistic()));
await map.saveReport({ format: "markdown", outputFile: "library.md" });
assert.ok(map.generateReport({ format: "html" }).startsWith("<!doctype html>"));
const copy = await CoverageMap.fromPath("openapi.yaml");
copy.mergeHits(map.exportHits());
assert.deepEqual(copy.statistic(), map.statistic());
assert.equal(schema.$schema, "https://json-schema.org/draft/2020-12/schema");

const server = createServer((_request, response) => void response.end("[]"));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const seen = CoverageMap.fromDict({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: { "/books": { get: { responses: { 200: { description: "Books" } } } } },
});
const proxy = await createProxy(seen, {
  reverse: "http://127.0.0.1:" + server.address().port,
  dataFolder: "authority",
});
assert.equal(await (await fetch(proxy.url + "/books")).text(), "[]");
await proxy.close();
server.close();
assert.deepEqual(seen.statistic().responses, { seen: 1, total: 1 });
`;

/** A CommonJS program, as many test suites are: every entry for Node.js must work with `require()`. */
export const COMMONJS_PROGRAM = `
const assert = require("node:assert/strict");
const { createServer, get } = require("node:http");
const { existsSync, readFileSync, rmSync } = require("node:fs");
const { CoverageMap, DescriptionError } = require("covtool");
const { connectMiddleware } = require("covtool/server");

const measure = async () => {
  const map = await CoverageMap.fromPath("openapi.yaml");
  const recording = readFileSync("traffic.json", "utf8");
  for (const { request, response, timestamp } of JSON.parse(recording).interactions) {
    map.record(request, response, timestamp);
  }
  assert.deepEqual(map.statistic(), JSON.parse(readFileSync("statistic.json", "utf8")));
  assert.ok(map.generateReport({ format: "html" }).startsWith("<!doctype html>"));
  await map.saveReport({ format: "json", outputFile: "commonjs.json" });
  await assert.rejects(CoverageMap.fromPath("nothing.yaml"), DescriptionError);
  return map;
};

const ask = async (middleware) => {
  const server = createServer((request, response) =>
    middleware(request, response, () => void response.end("[]")));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve, reject) =>
    get({ port, path: "/api/v1/books" }, (response) => response.resume().on("end", resolve))
      .on("error", reject));
  await new Promise((resolve) => server.close(resolve));
};

(async () => {
  const map = await measure();
  const before = map.traffic().matched;
  await ask(connectMiddleware(map));
  assert.equal(map.traffic().matched, before + 1);

  rmSync("collected", { recursive: true, force: true });
  process.env.COVTOOL_TRAFFIC = "collected";
  const { collector, TestRun } = require("covtool/collect");
  assert.equal(collector.isActive, true);
  for (const name of ["jest", "playwright", "vitest", "node-test"]) {
    assert.equal(require("covtool/" + name).collector, collector, name);
  }
  // ES modules and CommonJS modules share the collector.
  assert.equal((await import("covtool/collect")).collector, collector);
  await ask(connectMiddleware(collector));
  await collector.flush();
  collector.close();
  assert.ok(existsSync("collected"));
  assert.equal(typeof require("covtool/vitest").covtool({}).configureVitest, "function");
  assert.equal(typeof require("covtool/proxy").createProxy, "function");
  const run = new TestRun({ schema: "openapi.yaml", print: false, failUnderOperations: 1 }, "here");
  const { TrafficCollector } = require("covtool/collect");
  const one = new TrafficCollector(run.folder.path);
  one.record({ method: "GET", url: "/api/v1/books" }, { status_code: 200 });
  one.close();
  assert.equal(await run.finish(), true);
  run.close();
})();
`;

/** A program in TypeScript: the package's types must compile with every option that makes the compiler stricter. */
export const TYPED_PROGRAM = `
import { CoverageMap, DescriptionError, type Statistic, type Thresholds } from "covtool";
import { createProxy, type Proxy } from "covtool/proxy";

const map: CoverageMap = CoverageMap.fromDict({ openapi: "3.1.0", info: {}, paths: {} });
map.record({ method: "GET", url: "http://localhost/books" }, { status_code: 200 });
const statistic: Statistic = map.statistic();
export const total: number = statistic.operations.total;
const thresholds: Thresholds = { operations: 80 };
export const fallsShort: boolean = map.checkThresholds(thresholds).length > 0;
// @ts-expect-error -- a status is a number
map.record({ method: "GET", url: "/" }, { status_code: "200" });
// @ts-expect-error -- there is no such format
map.generateReport({ format: "pdf" });
export async function load(path: string): Promise<CoverageMap | undefined> {
  try {
    return await CoverageMap.fromPath(path);
  } catch (error) {
    if (error instanceof DescriptionError) return undefined;
    throw error;
  }
}
export async function watch(): Promise<number> {
  const proxy: Proxy = await createProxy(map, { port: 0 });
  await proxy.close();
  return proxy.requests;
}
`;

/** Uses the types of every entry: compiled as ES modules, as CommonJS, and with the settings of most older projects. */
export const TYPED_ENTRIES = `
import { CoverageMap, type Report } from "covtool";
import { collector, TestRun } from "covtool/collect";
import JestReporter, { collector as ofJest } from "covtool/jest";
import { collector as ofNodeTest } from "covtool/node-test";
import { collector as ofPlaywright, trackTest } from "covtool/playwright";
import { createProxy } from "covtool/proxy";
import { connectMiddleware } from "covtool/server";
import { collector as ofVitest, covtool } from "covtool/vitest";

export const map: CoverageMap = CoverageMap.fromDict({ openapi: "3.1.0", info: {}, paths: {} });
export const report: Report = map.report();
export const same: boolean = [ofJest, ofNodeTest, ofPlaywright, ofVitest].every((it) => it === collector);
export const middlewares = [connectMiddleware(map), connectMiddleware(collector)];
export const others = [JestReporter, TestRun, createProxy, trackTest, covtool];
// @ts-expect-error -- a status is a number
collector.record({ method: "GET", url: "/" }, { status_code: "200" });
`;

export type Resolution = "nodenext" | "bundler" | "node10";

const MODULES: Readonly<Record<Resolution, string>> = {
  nodenext: "nodenext",
  bundler: "esnext",
  node10: "commonjs",
};

/** Returns a tsconfig.json for code that runs on Node.js 22, with a module resolution. */
export function compilerSettings(
  resolution: Resolution,
  files: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({
    compilerOptions: {
      module: MODULES[resolution],
      moduleResolution: resolution,
      target: "es2022",
      lib: ["es2023", "dom", "dom.iterable"],
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: resolution !== "node10",
      noEmit: true,
      skipLibCheck: false,
      ...more,
    },
    files,
  });
}

/** The module that measures a recording, in a page or in a worker. */
export const BROWSER_MEASURE = `
import { CoverageMap } from "covtool";

export function measure({ description, recording }) {
  const map = CoverageMap.fromDict(description);
  for (const { request, response, timestamp } of recording.interactions) {
    map.record(request, response, timestamp);
  }
  return { statistic: map.statistic(), page: map.generateReport({ format: "html" }).length };
}
`;

export const BROWSER_WORKER = `
import { measure } from "./measure.js";

addEventListener("message", ({ data }) => postMessage(measure(data)));
`;

/** The code of a page that measures by itself and in a worker. */
export const BROWSER_PAGE = `
import { measure } from "./measure.js";

globalThis.inPage = measure;
globalThis.inWorker = (given) =>
  new Promise((resolve, reject) => {
    const worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(given);
  });
`;
