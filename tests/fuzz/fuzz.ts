/**
 * Gives covtool unusual input, and checks that it keeps its promises.
 *
 *     deno task fuzz                                   a minute, from a random seed that it prints
 *     deno task fuzz --seconds 3600 --seed 7           an hour, from a given seed
 *     deno task fuzz --target recordings               one target; can be repeated
 *     deno task fuzz --case 7/recordings/123           one case again
 *
 * A case that fails is minimized and kept in `tests/fuzz/cases/TARGET/`, which the tests run from then on. Exits with 1
 * then.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { print } from "../../scripts/print.ts";
import type { FuzzMessage, FuzzTask } from "./fuzz_worker.ts";
import { TARGETS } from "./targets/targets.ts";

const CASES = new URL("cases/", import.meta.url);
/** Milliseconds after which a case hangs: a thousand times as long as the slowest case. */
const HANGS = 60_000;

/** The result of a worker: the last case that it began, and its failure. */
interface Outcome {
  readonly cases: number;
  readonly failure: Extract<FuzzMessage, { kind: "failed" }> | undefined;
}

function runWorker(task: FuzzTask): Promise<Outcome> {
  const worker = new Worker(new URL("fuzz_worker.ts", import.meta.url), { workerData: task });
  let cases = 0;
  let last = "";
  return new Promise((resolve, reject) => {
    let timer = setTimeout(() => {}, 0);
    const end = (failure: Outcome["failure"]): void => {
      clearTimeout(timer);
      void worker.terminate();
      resolve({ cases, failure });
    };
    const watch = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const message = `It hangs: nothing happened for ${HANGS / 1000} seconds.`;
        end({ kind: "failed", name: last, target: last.split("/")[1] ?? "", message, input: "" });
      }, HANGS);
    };
    worker.on("message", (message: FuzzMessage) => {
      if (message.kind === "case") {
        cases++;
        last = message.name;
        watch();
      } else end(message.kind === "failed" ? message : undefined);
    });
    worker.on("error", (error) => {
      clearTimeout(timer);
      reject(new Error(`${last} ended the whole thread: ${error.message}`, { cause: error }));
    });
    watch();
  });
}

/** Keeps a failing case for the tests. Returns its path. */
function keep(target: string, name: string, input: string): string {
  const folder = new URL(`${target}/`, CASES);
  Deno.mkdirSync(folder, { recursive: true });
  const path = new URL(`${name.replaceAll(/[^\w.-]+/g, "-")}.bin`, folder);
  Deno.writeFileSync(path, Buffer.from(input, "base64"));
  return path.pathname;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      seed: { type: "string" },
      target: { type: "string", multiple: true },
      case: { type: "string" },
    },
  });
  const names = TARGETS.map(({ name }) => name);
  const unknown = values.target?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    print(`There is no target ${unknown}. Choose ${names.join(", ")}.`);
    return 1;
  }
  const seed = values.seed ?? String(Math.floor(Math.random() * 1e9));
  print(`Seed ${seed}, ${values.seconds} seconds`);
  const until = Date.now() + Number(values.seconds) * 1000;
  const targets = values.target ?? names;
  const { cases, failure } = await runWorker({ seed, targets, from: 0, until, only: values.case });
  if (failure === undefined) {
    print(`${cases} cases, none failed`);
    return 0;
  }
  print(`Case ${failure.name} fails:\n${failure.message}`);
  if (failure.input !== "") {
    const size = Buffer.from(failure.input, "base64").length;
    print(`Kept as ${keep(failure.target, failure.name, failure.input)} (${size} bytes)`);
  }
  print(`Again: deno task fuzz --case ${failure.name}`);
  return 1;
}

if (import.meta.main) Deno.exit(await main());
