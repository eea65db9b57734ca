// Runs cases in its own thread, so that an endless case can be detected and stopped.
import { Buffer } from "node:buffer";
import { parentPort, workerData } from "node:worker_threads";
import { randomFrom } from "../corpus/random.ts";
import { minimise } from "./minimise.ts";
import type { FuzzTarget } from "./fuzz_target.ts";
import { TARGETS } from "./targets/targets.ts";

/** A worker's task. */
export interface FuzzTask {
  /** Seeds of cases consist of this, the target's name and the case's number. */
  readonly seed: string;
  /** Names of targets. */
  readonly targets: readonly string[];
  /** The number of the first case. */
  readonly from: number;
  /** When to stop, in milliseconds since 1970. */
  readonly until: number;
  /** Runs only this case. */
  readonly only: string | undefined;
}

/** Messages of a worker: the beginning of a case, a failure with its minimized input, or the end. */
export type FuzzMessage =
  | { readonly kind: "case"; readonly name: string; readonly number: number }
  | {
    readonly kind: "failed";
    readonly name: string;
    readonly target: string;
    readonly message: string;
    readonly input: string;
  }
  | { readonly kind: "done" };

const task = workerData as FuzzTask;

function say(message: FuzzMessage): void {
  parentPort?.postMessage(message);
}

async function findFailure(target: FuzzTarget, input: Uint8Array): Promise<string | undefined> {
  try {
    await target.check(input);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.stack ?? error.message}` : String(error);
  }
}

/** The first line without numbers and names of values, which identifies equal failures. */
function failureKind(failure: string): string {
  return (failure.split("\n")[0] ?? "").replaceAll(/\d+|"[^"]*"|'[^']*'/g, "").slice(0, 60);
}

async function run(target: FuzzTarget, name: string, number: number): Promise<boolean> {
  say({ kind: "case", name, number });
  const input = target.make(randomFrom(name));
  const message = await findFailure(target, input);
  if (message === undefined) return true;
  const kind = failureKind(message);
  const smallest = await minimise(input, async (smaller) => {
    const failure = await findFailure(target, smaller);
    return failure !== undefined && failureKind(failure) === kind;
  });
  const found = await findFailure(target, smallest) ?? message;
  const text = Buffer.from(smallest).toString("base64");
  say({ kind: "failed", name, target: target.name, message: found, input: text });
  return false;
}

async function main(): Promise<void> {
  const targets = TARGETS.filter(({ name }) => task.targets.includes(name));
  if (task.only !== undefined) {
    const target = targets.find(({ name }) => task.only?.includes(`/${name}/`));
    if (target !== undefined) await run(target, task.only, 0);
  } else {
    for (let number = task.from; Date.now() < task.until; number++) {
      for (const target of targets) {
        if (!await run(target, `${task.seed}/${target.name}/${number}`, number)) return;
      }
    }
  }
  say({ kind: "done" });
}

await main();
