import type { Suggestion } from "../../mod.ts";
import type { Measured } from "./measured.ts";

/**
 * Sends suggestions to a server, and counts valid requests that it accepts and invalid ones that it refuses. `failed`
 * counts requests without a response or with a server error. Valid requests whose status depends on the server's data
 * are only counted as `byData`. Prints each response that isn't of the expected kind to standard error.
 */
export async function sendSuggestions(
  name: string,
  suggestions: readonly Suggestion[],
  statusesOfData: ReadonlySet<number> = new Set(),
): Promise<Measured> {
  const counts = { valid: 0, accepted: 0, broken: 0, refused: 0, failed: 0, byData: 0 };
  for (const { request, breaks } of suggestions) {
    const { status, text } = await answerTo(request);
    const [all, right] = breaks === null
      ? ["valid", "accepted"] as const
      : ["broken", "refused"] as const;
    const isFailure = status === 0 || status >= 500;
    if (breaks === null && statusesOfData.has(status)) counts.byData++;
    else counts[all]++;
    if (isFailure) counts.failed++;
    if (!isFailure && (status < 400) === (breaks === null)) counts[right]++;
    else {
      const what = breaks === null ? "valid" : `breaks ${breaks.schema_path}`;
      const { method, url, body = "" } = request;
      const line = `${name}: ${status} for ${method} ${url}, ${what}\n  ${body}\n  ${text}\n`;
      Deno.stderr.writeSync(new TextEncoder().encode(line));
    }
  }
  return counts;
}

async function answerTo({ method, url, headers, body }: Suggestion["request"]) {
  const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
  try {
    const answer = await fetch(url, {
      ...{ method, headers, redirect: "manual" },
      ...hasBody && { body },
    });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    return { status: 0, text: String(error) }; // the server closed the connection
  }
}
