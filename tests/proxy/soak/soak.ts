/**
 * Sends requests through the proxy from faulty clients to faulty servers, and compares what the proxy recorded with
 * what the clients sent and the servers received. Needs `/proc`, so it runs on Linux.
 *
 *     deno task soak                                         100,000 requests, from a random seed that it prints
 *     deno task soak --requests 2000 --seed 7                fewer, from a given seed
 *     deno task soak --minutes 60                            for at least an hour
 *     deno task soak --program dist/covtool                  the built program
 *     deno task soak --program dist/program/cli.js           its bundle, in this Deno
 *     deno task soak --only smuggling                        one kind of client
 *
 * Exits with 1 if there is a problem.
 *
 * @module
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { print } from "../../../scripts/print.ts";
import { COVTOOL_MODULE } from "../../covtool_module.ts";
import { isModule, runSoak } from "./run_soak.ts";

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      requests: { type: "string", default: "100000" },
      minutes: { type: "string", default: "0" },
      connections: { type: "string", default: "32" },
      seed: { type: "string" },
      program: { type: "string" },
      only: { type: "string" },
    },
  });
  const seed = values.seed ?? String(Math.floor(Math.random() * 1e9));
  print(`Seed ${seed}, ${values.requests} requests, ${values.connections} connections`);
  const { balance, problems, seconds, first, last, before, after, stderr } = await runSoak({
    requests: Number(values.requests),
    minutes: Number(values.minutes),
    connections: Number(values.connections),
    seed,
    program: values.program === undefined ? undefined : resolve(values.program),
    only: values.only,
    isMeasured: Number(values.requests) >= 10_000 && isModule(values.program ?? COVTOOL_MODULE),
    onProgress: print,
  });
  print(JSON.stringify(balance, null, 2));
  const show = (name: string, state: typeof first): void =>
    print(`${name}: ${state.megabytes.toFixed(0)} MB, ${state.descriptors} descriptors`);
  show("before the first client", before);
  show("first quarter after the warm-up", first);
  show("last quarter", last);
  show("after the last client", after);
  print(`${seconds.toFixed(0)} s`);
  for (const problem of problems) print(`PROBLEM: ${problem}`);
  if (problems.length > 0) print(stderr.slice(-3000));
  print(problems.length === 0 ? "No problem" : `${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
