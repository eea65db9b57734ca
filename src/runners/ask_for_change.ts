import { Buffer } from "node:buffer";
import { Agent, request } from "node:http";
import { readVariable } from "../run/traffic_folder.ts";

/** Marks covtool's own requests. `Symbol.for` gives every copy of this module the same symbol. */
const IS_ASKING: unique symbol = Symbol.for("covtool.asking");

/** covtool's reply: the response that the test is to get. */
export interface Changed {
  readonly status_code: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body_base64: string;
}

/** The URL at which `covtool mutate` is asked for changes. Undefined in other runs. */
export function changesUrl(): string | undefined {
  return readVariable("COVTOOL_CHANGES");
}

export function isAsking(request: object): boolean {
  return IS_ASKING in request;
}

/** Reports to `covtool mutate` how a test ended. Does nothing in other runs. */
export async function tellOutcome(test: string, isPassed: boolean): Promise<void> {
  const url = changesUrl();
  const outcome = isPassed ? "passed" : "failed";
  if (url) await askForChange(`${url}/outcome`, { test: { name: test }, outcome });
}

/** Doesn't use the proxies that the environment names: those are for the requests of tests. */
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
    asked.on("error", () => resolve(undefined)); // covtool has stopped, so no response is changed any more
    asked.end(JSON.stringify(message));
  });
}
