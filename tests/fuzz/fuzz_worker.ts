// Runs cases one after the other in a thread of its own, so that a case that never ends can be told and stopped.
import { Buffer } from "node:buffer";
import { parentPort, workerData } from "node:worker_threads";
import { randomFrom } from "../corpus/random.ts";
import { minimise } from "./minimise.ts";
import type { FuzzTarget } from "./fuzz_target.ts";
import { TARGETS } from "./targets/targets.ts";

/** What a worker is asked to do. */
export interface FuzzTask {
  /** The seeds of its cases are this, the target's name and their numbers. */
  readonly seed: string;
  /** The names of targets. */
  readonly targets: readonly string[];
  /** The number of the first case. */
  readonly from: number;
  /** The time at which to stop, in milliseconds since 1970. */
  readonly until: number;
  /** Only this case. */
  readonly only: string | undefined;
}

/** What a worker says: each case when it begins, a failure with its smallest input, or the end. */
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

/** The first line without numbers and names of values: two failures with the same are one. */
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
