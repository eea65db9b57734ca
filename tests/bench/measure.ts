// One measurement in a process of its own: prints a line of JSON.
import process from "node:process";
import { readFileSync } from "node:fs";
import { CoverageMap } from "../../mod.ts";
import { descriptionPath } from "./descriptions.ts";
import { TrafficGenerator } from "./generate_traffic.ts";

/** Milliseconds of processor time since the process began: unlike the clock's, they don't grow while others work. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds that the fastest of several runs takes. */
async function fastest(runs: number, run: () => unknown): Promise<number> {
  let best = Infinity;
  for (let index = 0; index < runs; index++) {
    const start = processorTime();
    await run();
    best = Math.min(best, processorTime() - start);
  }
  return best;
}

function megabytes(): number {
  return Math.round(Deno.memoryUsage().rss / 1e6);
}

async function measureLoad(name: string): Promise<Record<string, number>> {
  const path = descriptionPath(name);
  const text = readFileSync(path, "utf8");
  const runs = text.length > 2e7 ? 3 : 7;
  const floor = await fastest(runs, () => JSON.parse(text));
  let keywords = 0;
  const load = await fastest(runs, async () => {
    keywords = (await CoverageMap.fromPath(path)).statistic().keywords.total;
  });
  return { bytes: text.length, floor, load, keywords, megabytes: megabytes() };
}

async function measureRecord(name: string, count: number): Promise<Record<string, number>> {
  const path = descriptionPath(name);
  const generator = new TrafficGenerator(JSON.parse(readFileSync(path, "utf8")));
  const interactions = Array.from({ length: count }, (_, index) => generator.interaction(index));
  const bodies = interactions.filter(({ request }) => request.body !== undefined);
  const bytes = bodies.reduce((sum, { request }) => sum + (request.body?.length ?? 0), 0);
  const isJson = (headers: Record<string, string>) =>
    headers["Content-Type"] === "application/json";
  const floor = await fastest(5, () => {
    for (const { request } of interactions) {
      const url = new URL(request.url);
      for (const _ of url.searchParams);
      if (request.body === undefined) continue;
      if (isJson(request.headers)) JSON.parse(request.body);
      else for (const _ of new URLSearchParams(request.body));
    }
  });
  const map = await CoverageMap.fromPath(path, { basePath: "/" });
  const record = await fastest(5, () => {
    for (const { request, response, timestamp } of interactions) {
      map.record(request, response, timestamp);
    }
  });
  let evaluations = 0;
  for (const operation of map.report().operations) {
    for (const { keywords } of operation.parameters) {
      for (const { valid, invalid } of keywords) evaluations += valid + invalid;
    }
  }
  return {
    interactions: count,
    matched: map.report().traffic.matched / 5,
    withBody: bodies.length,
    bodyBytes: Math.round(bytes / Math.max(1, bodies.length)),
    evaluations: Math.round(evaluations / 5 / count),
    floor: floor * 1000 / count,
    record: record * 1000 / count,
    megabytes: megabytes(),
  };
}

const [what, name, count] = Deno.args;
if (what === "load") console.log(JSON.stringify(await measureLoad(name ?? "")));
else console.log(JSON.stringify(await measureRecord(name ?? "", Number(count ?? 20000))));
