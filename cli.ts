/**
 * The program `covtool`: measures how much of an API recorded traffic exercises. It is run, not imported:
 *
 * ```sh
 * deno run --allow-read --allow-write --allow-env jsr:@covtool/covtool/cli report openapi.yaml traffic.json
 * ```
 *
 * Its commands are `report`, `run`, `proxy`, `convert` and `completion`; `--help` behind each tells its options.
 *
 * @module
 */
import { writeSync } from "node:fs";
import process from "node:process";
import { VERSION } from "./src/values/version.ts";

const args = process.argv.slice(2);
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  // Scripts ask for it again and again, and nothing else has to load for that.
  try {
    writeSync(1, `covtool ${VERSION}\n`);
  } catch {
    await run(); // says what is wrong
  }
} else await run();

async function run(): Promise<void> {
  const [{ parentPort }, { processHost }] = await Promise.all([
    import("node:worker_threads"),
    import("./src/run/process_host.ts"),
  ]);
  // The program is bundled and compiled as one, so that its workers begin here too.
  if (parentPort !== null) {
    const { serveJobs } = await import("./src/run/parallel/pool_worker.ts");
    serveJobs(parentPort);
    return;
  }
  const { main } = await import("./src/cli/main.ts");
  // Setting the code instead of exiting lets everything that was written reach its reader.
  process.exitCode = await main(args, processHost(new URL(import.meta.url)));
  // Deno takes listeners away before it ends by itself: a signal of `ulimit -f` that comes late would kill it after all.
  process.once("exit", (code) => process.exit(code));
}
