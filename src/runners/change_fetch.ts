import { Buffer } from "node:buffer";
import { isSequence } from "../http/complete_records.ts";
import { askForChange, changesUrl } from "./ask_for_change.ts";

/** Statuses for which `new Response()` rejects a body. */
const BODILESS = new Set([101, 103, 204, 205, 304]);

/**
 * Lets `covtool mutate` change what the global `fetch` returns to tests (docs/protocol.md). Does nothing in other runs.
 *
 * @param testName Returns the name of the running test.
 */
export function changeFetch(testName: () => string | undefined): void {
  const url = changesUrl();
  if (!url) return;
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const sent = new Request(input, init);
    const copy = sent.clone();
    const test = testName();
    return await changeResponse(url, copy, test, await fetch(sent));
  };
}

/**
 * Returns the response that a test gets instead of the given one: the same one if it is a sequence, which may have no
 * end. Reads the body of `request`.
 */
export async function changeResponse(
  url: string,
  request: Request,
  test: string | undefined,
  response: Response,
): Promise<Response> {
  if (isSequence(response.headers.get("content-type") ?? "")) return response;
  const body = Buffer.from(await response.arrayBuffer());
  const changed = await askForChange(url, {
    request: {
      method: request.method,
      url: request.url,
      headers: [...request.headers],
      ...(request.body &&
        { body_base64: Buffer.from(await request.arrayBuffer()).toString("base64") }),
    },
    response: {
      status_code: response.status,
      // Clients have decoded the body already.
      headers: [...response.headers].filter(([name]) => name !== "content-encoding"),
      body_base64: body.toString("base64"),
    },
    ...(test !== undefined && { test: { name: test } }),
  });
  const status = changed?.status_code ?? response.status;
  const bytes = changed === undefined ? body : Buffer.from(changed.body_base64, "base64");
  const replacement = new Response(BODILESS.has(status) ? null : bytes, {
    status,
    statusText: changed === undefined ? response.statusText : "",
    headers: (changed?.headers ?? [...response.headers]) as [string, string][],
  });
  return Object.defineProperties(replacement, {
    url: { value: response.url },
    redirected: { value: response.redirected },
  });
}
