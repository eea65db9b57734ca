import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { GeneratedInteraction } from "./generate_traffic.ts";

const MAKE = fileURLToPath(new URL("make_traffic.ts", import.meta.url));

/**
 * Generated interactions from one number on, read from a file as recordings are: made in this process, they would lie
 * between what making them has left behind, and so would all that is recorded.
 */
export function madeTraffic(
  description: string,
  from: number,
  count: number,
): readonly GeneratedInteraction[] {
  const folder = mkdtempSync(join(tmpdir(), "covtool-bench-"));
  try {
    const path = join(folder, "traffic.json");
    const run = ["run", "-A", "--quiet", MAKE, description, path, String(from), String(count)];
    execFileSync(Deno.execPath(), run, { stdio: ["ignore", "ignore", "inherit"] });
    return JSON.parse(readFileSync(path, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
