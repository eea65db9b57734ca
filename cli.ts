/**
 * The program `covtool`: measures how much of an API recorded traffic exercises.
 *
 * @module
 */
import process from "node:process";
import { main } from "./src/cli/main.ts";
import { processHost } from "./src/cli/process_host.ts";

// Setting the code instead of exiting lets everything that was written reach its reader.
process.exitCode = await main(process.argv.slice(2), processHost());
