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
import process from "node:process";
import { parentPort } from "node:worker_threads";
import { processHost } from "./src/run/process_host.ts";
import { VERSION } from "./src/values/version.ts";

const args = process.argv.slice(2);
const host = processHost(new URL(import.meta.url));
// The program is bundled and compiled as one, so that its workers begin here too.
if (parentPort !== null) {
  const { serveJobs } = await import("./src/run/parallel/serve_jobs.ts");
  serveJobs(parentPort);
} else if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  // Scripts ask for it again and again, and nothing else has to load for that.
  await host.stdout.write(`covtool ${VERSION}\n`).catch(run);
} else await run();

async function run(): Promise<void> {
  const { main } = await import("./src/cli/main.ts");
  // Setting the code instead of exiting lets everything that was written reach its reader.
  process.exitCode = await main(args, host);
}
