// Tables that are only made on request: they take minutes, or depend on what the caller names.
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { descriptionPath } from "./descriptions.ts";
import { generateTraffic } from "./generate_traffic.ts";
import { type Row, table } from "./markdown_table.ts";
import { median } from "./measured.ts";
import { memoryTable, proxyTable } from "./proxy_tables.ts";
import { covtoolCommand, runCommand } from "./run_command.ts";
import { serverTable } from "./server_table.ts";
import { type BenchRequest, count, type MakeTable, measure } from "./tables.ts";
import { LAYOUTS, writeRecording } from "./write_recording.ts";

/** In megabytes. V8's longest string has about 537 million units. */
const LARGEST_TEXT = 500;
/** In megabytes: the size with whose memory larger ones are compared. */
const SMALL = 20;

function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "covtool-bench-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Numbers in a comma-separated option. */
function numbers(value: string): number[] {
  return value.split(",").map(Number);
}

/** The requested layouts, or all. */
function layouts({ option }: BenchRequest) {
  const kind = option("layout");
  return Object.entries(LAYOUTS).filter(([name]) => kind === undefined || name === kind);
}

/** Speed and peak memory of reading large recordings, compared with `JSON.parse` of the same text. */
function readTable(request: BenchRequest): string {
  const [name = "GitHub"] = request.chosen ?? [];
  const sizes = numbers(request.option("megabytes") ?? "200");
  const rows = layouts(request).flatMap(([kind, layout]) =>
    sizes.map((size) =>
      inFolder((folder): Row => {
        const [small, large] = [join(folder, `small-${kind}`), join(folder, kind)];
        writeRecording(small, descriptionPath(name), layout, SMALL);
        writeRecording(large, descriptionPath(name), layout, size);
        const { peak: base } = measure("read", "read", small);
        const { rate, interactions, peak } = measure("read", "read", large);
        const parse = size > LARGEST_TEXT ? undefined : measure("read", "parse", large);
        return [
          `${kind}, ${count(size)} MB, ${count(interactions)} interactions`,
          `${rate.toFixed(0)} MB/s`,
          parse === undefined ? "–" : `${(100 * rate / parse.rate).toFixed(0)} %`,
          `${peak.toFixed(0)} MB`,
          `${(peak - base).toFixed(0)} MB`,
        ];
      })
    )
  );
  const head = ["Recording", "read", "of JSON.parse", "peak", `over that of ${SMALL} MB`];
  return table("Large recordings", head, rows);
}

/** The gain from a second thread in wall-clock time, on an idle machine; both runs must write the same report. */
function threadsTable(request: BenchRequest): string {
  const { chosen = ["Stripe"], option } = request;
  const [command, ...before] = covtoolCommand(option("program"));
  const run = (description: string, traffic: string, threads: number) => {
    const args = ["report", description, traffic, "--format", "json", "--jobs", String(threads)];
    const env = { SOURCE_DATE_EPOCH: "1700000000" };
    return runCommand(command, [...before, ...args], { env });
  };
  const sizes = numbers(option("megabytes") ?? "1000");
  const rows = chosen.flatMap((name) =>
    layouts(request).flatMap(([kind, layout]) =>
      sizes.map((size) =>
        inFolder((folder): Row => {
          const [description, traffic] = [descriptionPath(name), join(folder, "traffic")];
          writeRecording(traffic, description, layout, size);
          const rounds = [1, 2, 3].map(() =>
            [run(description, traffic, 1), run(description, traffic, 2)] as const
          );
          for (const [one, two] of rounds) {
            if (one.output === two.output) continue;
            throw new Error("Two threads write another report than one.");
          }
          const seconds = (thread: 0 | 1) =>
            `${(median(rounds.map((round) => round[thread].elapsed)) / 1000).toFixed(2)} s`;
          const ratio = median(rounds.map(([one, two]) => one.elapsed / two.elapsed));
          const title = `${name}, ${kind}, ${count(size)} MB`;
          return [title, seconds(0), seconds(1), `${ratio.toFixed(2)} ×`];
        })
      )
    )
  );
  return table("Threads, by the clock", ["Recording", "one", "two", "ratio"], rows);
}

/** The size of hits as traffic grows, and the time to count it and to merge two hits files. */
function hitsTable({ chosen = ["GitHub"], option }: BenchRequest): string {
  const goals = numbers(option("interactions") ?? "1000,10000,100000");
  const [command, ...before] = covtoolCommand(option("program"));
  const run = (args: readonly string[], input: string) =>
    runCommand(command, [...before, ...args], { input });
  const rows = chosen.flatMap((name) =>
    inFolder((folder) => {
      const description = descriptionPath(name);
      const [traffic, two] = [join(folder, "traffic.jsonl"), join(folder, "two.hits")];
      const interactions = generateTraffic(description, Math.max(...goals));
      return goals.map((goal, index): Row => {
        for (const one of interactions.slice(goals[index - 1] ?? 0, goal)) {
          appendFileSync(traffic, `${JSON.stringify(one)}\n`);
        }
        const options = ["--base-path", "/"];
        const counted = run(["record-hits", description, ...options], traffic);
        writeFileSync(two, counted.output.repeat(2));
        const merged = run(["merge", description, "-", ...options, "--output", "-"], two);
        return [
          `${name}, ${count(goal)} interactions`,
          `${(counted.output.length / 1000).toFixed(0)} kB`,
          ...[counted, merged].flatMap(({ milliseconds, megabytes }) => [
            `${(milliseconds / 1000).toFixed(1)} s`,
            `${megabytes.toFixed(0)} MB`,
          ]),
        ];
      });
    })
  );
  return table("Hits", ["Traffic", "hits", "counting", "peak", "merging two", "peak"], rows);
}

/**
 * The cost of recording for a test suite: runs the command after `--` in turns with and without `COVTOOL_TRAFFIC`.
 * Cached results don't count, so `go test` needs `-count=1`.
 */
function recorderTable({ option, command: [command, ...args] }: BenchRequest): string {
  if (command === undefined) {
    throw new RangeError("Name the command that runs the tests: recorder -- python3 -m pytest -q");
  }
  return inFolder((folder) => {
    const run = (traffic: string) =>
      runCommand(command, args, { env: { COVTOOL_TRAFFIC: traffic } });
    run("");
    const rounds = Array.from(
      { length: Number(option("rounds") ?? 5) },
      (_, round) => [run(""), run(join(folder, String(round)))] as const,
    );
    const recordings = readdirSync(join(folder, "0")).filter((name) => name.endsWith(".ndjson"));
    const requests = recordings.reduce(
      (sum, name) => sum + readFileSync(join(folder, "0", name), "utf8").split("\n").length - 2,
      0,
    );
    const rows = (["elapsed", "milliseconds"] as const).map((kind): Row => [
      kind === "elapsed" ? "by the clock" : "processor time",
      ...[0, 1].map((which) =>
        `${(median(rounds.map((round) => round[which as 0 | 1][kind])) / 1000).toFixed(2)} s`
      ),
      `${median(rounds.map(([plain, recorded]) => recorded[kind] / plain[kind])).toFixed(3)} ×`,
    ]);
    const head = [`${count(requests)} requests`, "without recording", "recorded", "ratio"];
    return table("Recording a suite of tests", head, rows);
  });
}

/** The tables by name. */
export const MORE_TABLES: Readonly<Record<string, MakeTable>> = {
  read: readTable,
  threads: threadsTable,
  hits: hitsTable,
  recorder: recorderTable,
  proxy: proxyTable,
  memory: memoryTable,
  servers: serverTable,
};
