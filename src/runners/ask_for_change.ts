import { Buffer } from "node:buffer";
import { Agent, request } from "node:http";
import { readVariable } from "../run/traffic_folder.ts";

/** Marks covtool's own requests, in every copy of this module. */
const IS_ASKING: unique symbol = Symbol.for("covtool.asking");

/** What covtool answers: the response that the test gets. */
export interface Changed {
  readonly status_code: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body_base64: string;
}

/** Where `covtool mutate` is asked; undefined in other runs. */
export function changesUrl(): string | undefined {
  return readVariable("COVTOOL_CHANGES");
}

/** True for a request of covtool's own. */
export function isAsking(request: object): boolean {
  return IS_ASKING in request;
}

/** Tells `covtool mutate` how a test ended; does nothing in other runs. */
export async function tellOutcome(test: string, isPassed: boolean): Promise<void> {
  const url = changesUrl();
  const outcome = isPassed ? "passed" : "failed";
  if (url) await askForChange(`${url}/outcome`, { test: { name: test }, outcome });
}

/** Asks without the proxies that the environment names, which are for the requests of tests. */
export function askForChange(url: string, message: object): Promise<Changed | undefined> {
  return new Promise((resolve) => {
    const asked = request(url, { method: "POST", agent: new Agent() }, (answer) => {
      const chunks: Uint8Array[] = [];
      answer.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      answer.on("end", () =>
        resolve(
          answer.statusCode === 200 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined,
        ));
    });
    Object.assign(asked, { [IS_ASKING]: true });
    asked.on("error", () => resolve(undefined)); // covtool has gone, and nothing is changed any more
    asked.end(JSON.stringify(message));
  });
}
