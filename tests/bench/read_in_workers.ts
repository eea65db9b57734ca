/**
 * Measures what several threads are worth: `covtool report` with one and with two, in turns, on traffic files of several
 * sizes, and whether both write the same report. Seconds are those of the clock, so the machine has to be quiet; what
 * counts is their ratio.
 *
 *     deno run -A tests/bench/read_in_workers.ts                        Stripe, 1,000 MB, as JSON
 *     deno run -A tests/bench/read_in_workers.ts GitHub lines 32 128    other descriptions, layouts and sizes
 *
 * COVTOOL names another program than that of the sources: `COVTOOL="node dist/program/cli.js"`. Files lie in the temporary
 * folder (TMPDIR) and are removed afterwards.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { print } from "../../scripts/print.ts";
import { descriptionPath } from "./descriptions.ts";
import { type GeneratedInteraction, TrafficGenerator } from "./generate_traffic.ts";

const ROUNDS = 3;
const MEGABYTE = 1e6;
/** How many different interactions there are; a file repeats them, since making them takes longer than reading. */
const DIFFERENT = 20_000;

interface Layout {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  entry(interaction: GeneratedInteraction): unknown;
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  json: { begin: '{"interactions": [', between: ",\n", end: "]}", entry: (entry) => entry },
  lines: { begin: "", between: "\n", end: "\n", entry: (entry) => entry },
  har: { begin: '{"log": {"entries": [', between: ",\n", end: "]}}", entry: harEntry },
};

function harEntry({ request, response, timestamp }: GeneratedInteraction): unknown {
  const headers = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
  return {
    startedDateTime: new Date(timestamp * 1000).toISOString(),
    time: response.elapsed * 1000,
    request: {
      method: request.method,
      url: request.url,
      headers,
      ...(request.body !== undefined && {
        postData: { mimeType: request.headers["Content-Type"], text: request.body },
      }),
    },
    response: { status: response.status_code, headers: [], content: { text: "x".repeat(1000) } },
  };
}

async function generate(
  path: string,
  description: string,
  layout: Layout,
  size: number,
): Promise<void> {
  const generator = new TrafficGenerator(JSON.parse(readFileSync(description, "utf8")));
  const entries = Array.from(
    { length: DIFFERENT },
    (_, index) => JSON.stringify(layout.entry(generator.interaction(index))),
  );
  const file = createWriteStream(path);
  let block = layout.begin;
  let written = 0;
  for (let index = 0; written < size * MEGABYTE; index++) {
    block += `${index === 0 ? "" : layout.between}${entries[index % DIFFERENT]}`;
    if (block.length < MEGABYTE) continue;
    const bytes = new TextEncoder().encode(block);
    written += bytes.length;
    block = "";
    if (!file.write(bytes)) await once(file, "drain");
  }
  file.end(block + layout.end);
  await once(file, "close");
}

interface Run {
  readonly seconds: number;
  readonly report: string;
}

function run(description: string, traffic: string, threads: number): Run {
  const source = fileURLToPath(new URL("../../cli.ts", import.meta.url));
  const [command = "", ...before] = process.env["COVTOOL"]?.split(" ") ??
    [Deno.execPath(), "run", "-A", "--quiet", source];
  const args = ["report", description, traffic, "--format", "json", "--jobs", String(threads)];
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(command, [...before, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
    env: { ...process.env, SOURCE_DATE_EPOCH: "1700000000" },
  });
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0 || stderr.includes("Warning")) throw new Error(stderr);
  return { seconds, report: stdout };
}

async function compare(name: string, kind: string, size: number): Promise<void> {
  const layout = LAYOUTS[kind];
  if (layout === undefined) throw new TypeError(`There is no layout ${kind} of traffic.`);
  const folder = mkdtempSync(join(tmpdir(), "covtool-bench-"));
  try {
    const description = descriptionPath(name);
    const traffic = join(folder, "traffic");
    await generate(traffic, description, layout, size);
    const ratios: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const one = run(description, traffic, 1);
      const two = run(description, traffic, 2);
      if (one.report !== two.report) throw new Error("Two threads write another report than one.");
      ratios.push(one.seconds / two.seconds);
      print(
        `${name}, ${kind}, ${size} MB: ${one.seconds.toFixed(2)} s in one thread, ` +
          `${two.seconds.toFixed(2)} s in two: ${(one.seconds / two.seconds).toFixed(2)} ×`,
      );
    }
    const median = ratios.sort((left, right) => left - right)[Math.floor(ROUNDS / 2)] ?? 0;
    print(`${name}, ${kind}, ${size} MB: median ${median.toFixed(2)} ×`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const [name = "Stripe", kind = "json", ...sizes] = Deno.args;
  for (const size of sizes.length === 0 ? ["1000"] : sizes) await compare(name, kind, Number(size));
}
