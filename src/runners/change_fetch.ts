import { Buffer } from "node:buffer";
import { Agent, request } from "node:http";
import { readVariable } from "../run/traffic_folder.ts";

/** Statuses whose responses can't be made with a body. */
const BODILESS = new Set([101, 103, 204, 205, 304]);

/** What covtool answers: the response that the test gets. */
interface Changed {
  readonly status_code: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body_base64: string;
}

/**
 * Lets `covtool mutate` change what the global `fetch` gives to tests (docs/protocol.md); does nothing in other runs.
 *
 * @param testName The test that is running.
 */
export function changeFetch(testName: () => string | undefined): void {
  const url = readVariable("COVTOOL_CHANGES");
  if (!url) return;
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const sent = new Request(input, init);
    const copy = sent.body === null ? undefined : sent.clone();
    const test = testName();
    const response = await fetch(sent);
    const body = Buffer.from(await response.arrayBuffer());
    const changed = await askForChange(url, {
      request: {
        method: sent.method,
        url: sent.url,
        headers: [...sent.headers],
        ...(copy && { body_base64: Buffer.from(await copy.arrayBuffer()).toString("base64") }),
      },
      response: {
        status_code: response.status,
        // The body is decoded by now.
        headers: [...response.headers].filter(([name]) => name !== "content-encoding"),
        body_base64: body.toString("base64"),
      },
      ...(test !== undefined && { test: { name: test } }),
    });
    const status = changed?.status_code ?? response.status;
    const bytes = changed === undefined ? body : Buffer.from(changed.body_base64, "base64");
    const made = new Response(BODILESS.has(status) ? null : bytes, {
      status,
      statusText: changed === undefined ? response.statusText : "",
      headers: (changed?.headers ?? [...response.headers]) as [string, string][],
    });
    const { redirected } = response;
    Object.defineProperties(made, {
      url: { value: response.url },
      redirected: { value: redirected },
    });
    return made;
  };
}

/** Tells `covtool mutate` how a test ended; does nothing in other runs. */
export async function tellOutcome(test: string, isPassed: boolean): Promise<void> {
  const url = readVariable("COVTOOL_CHANGES");
  const outcome = isPassed ? "passed" : "failed";
  if (url) await askForChange(`${url}/outcome`, { test: { name: test }, outcome });
}

/** Asks without the proxies that the environment names, which are for the requests of tests. */
function askForChange(url: string, message: object): Promise<Changed | undefined> {
  return new Promise((resolve) => {
    const asked = request(url, { method: "POST", agent: new Agent() }, (answer) => {
      const chunks: Uint8Array[] = [];
      answer.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      answer.on("end", () =>
        resolve(
          answer.statusCode === 200 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined,
        ));
    });
    asked.on("error", () => resolve(undefined)); // covtool has gone, and nothing is changed any more
    asked.end(JSON.stringify(message));
  });
}
