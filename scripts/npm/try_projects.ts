/** A program for Node.js that uses all that the package offers; it throws where something is not as it should be. */
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

/** The same in TypeScript: what it says about types has to hold with every option that makes the compiler stricter. */
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

/** Options of TypeScript for what runs on Node.js 20, by how modules are found. */
export function compilerSettings(
  resolution: "nodenext" | "bundler",
  files: readonly string[],
  more: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({
    compilerOptions: {
      module: resolution === "bundler" ? "esnext" : "nodenext",
      moduleResolution: resolution,
      target: "es2022",
      lib: ["es2023", "dom", "dom.iterable"],
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      noEmit: true,
      skipLibCheck: false,
      ...more,
    },
    files,
  });
}

/** Measures in a page or in a worker what the page hands over as `description` and `recording`. */
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

/** The code of a worker. */
export const BROWSER_WORKER = `
import { measure } from "./measure.js";

addEventListener("message", ({ data }) => postMessage(measure(data)));
`;

/** The code of a page: it asks itself and a worker. */
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
