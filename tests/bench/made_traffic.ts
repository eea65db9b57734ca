import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type GeneratedInteraction, TrafficGenerator } from "./generate_traffic.ts";

/**
 * Generated interactions from a number on, read from a file like recordings. Generating them in this process would
 * fragment the heap for everything that is recorded.
 */
export function madeTraffic(
  description: string,
  from: number,
  count: number,
): readonly GeneratedInteraction[] {
  const folder = mkdtempSync(join(tmpdir(), "covtool-bench-"));
  try {
    const path = join(folder, "traffic.json");
    const numbers = [String(from), String(count)];
    const run = ["run", "-A", "--quiet", fileURLToPath(import.meta.url), description, path];
    execFileSync(Deno.execPath(), [...run, ...numbers], { stdio: ["ignore", "ignore", "inherit"] });
    return JSON.parse(readFileSync(path, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// In its own process, so that the garbage of generating traffic doesn't affect the measurement.
if (import.meta.main) {
  const [description = "", output = "", from = "0", count = "0"] = process.argv.slice(2);
  const document = JSON.parse(readFileSync(description, "utf8"));
  const generator = new TrafficGenerator(document, 1 + Number(from));
  const numbers = Array.from({ length: Number(count) }, (_, at) => Number(from) + at);
  writeFileSync(output, JSON.stringify(numbers.map((number) => generator.interaction(number))));
}
