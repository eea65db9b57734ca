/**
 * Measures how large hits get as traffic grows, and what the program takes to count it and to merge two of them.
 *
 *     deno task build && deno run -A tests/bench/measure_hits_size.ts GitHub 1000 10000 100000
 *
 * Prints a line of JSON for each number of generated interactions. docs/scale.md has what it printed.
 *
 * @module
 */
import { readFileSync } from "node:fs";
import { descriptionPath } from "./descriptions.ts";
import { TrafficGenerator } from "./generate_traffic.ts";
import { print } from "../../scripts/print.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { inFolder } from "../in_folder.ts";

const PROGRAM = `${ROOT}/dist/covtool`;

interface Run {
  readonly out: Uint8Array;
  /** Processor seconds. */
  readonly seconds: number;
  /** Megabytes. */
  readonly memory: number;
}

/** Runs the program with GNU time, which knows what a process took. */
async function run(args: readonly string[], input: string): Promise<Run> {
  const { stdout, stderr, success } = await new Deno.Command("sh", {
    args: ["-c", `exec /usr/bin/time -f '%U %S %M' "$@" < "$0"`, input, PROGRAM, ...args],
  }).output();
  const said = new TextDecoder().decode(stderr).trimEnd();
  if (!success) throw new Error(said);
  const [user = 0, system = 0, memory = 0] = said.slice(said.lastIndexOf("\n") + 1).split(" ")
    .map(Number);
  return { out: stdout, seconds: user + system, memory: Math.round(memory / 1024) };
}

const [name = "", ...counts] = Deno.args;
const description = descriptionPath(name);
const generator = new TrafficGenerator(JSON.parse(readFileSync(description, "utf8")));
await inFolder({}, async (folder) => {
  const traffic = `${folder}/traffic.jsonl`;
  const file = await Deno.open(traffic, { create: true, append: true });
  const encoder = new TextEncoder();
  let made = 0;
  for (const count of counts.map(Number)) {
    for (; made < count; made++) {
      const line = `${JSON.stringify(generator.interaction(made))}\n`;
      await file.write(encoder.encode(line));
    }
    const counted = await run(["record-hits", description, "--base-path", "/"], traffic);
    await Deno.writeFile(`${folder}/two.hits`, new Uint8Array([...counted.out, ...counted.out]));
    const options = ["--base-path", "/", "--output", "-"];
    const merged = await run(["merge", description, "-", ...options], `${folder}/two.hits`);
    print(JSON.stringify({
      description: name,
      interactions: count,
      hits_bytes: counted.out.length,
      counting_cpu_s: counted.seconds,
      counting_mb: counted.memory,
      merging_cpu_s: merged.seconds,
      merging_mb: merged.memory,
    }));
  }
  file.close();
});
