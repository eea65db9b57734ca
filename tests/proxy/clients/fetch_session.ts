import type { SessionAnswer, SessionRequest } from "./session_requests.ts";

/** Sends the session with `fetch`. Runs in pages too, so it may not use anything outside of the function. */
export async function fetchSession(
  base: string,
  requests: readonly SessionRequest[],
  fetcher: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<SessionAnswer[]> {
  const answers: SessionAnswer[] = [];
  for (const { method, path, headers, body } of requests) {
    const response = await fetcher(base + path, {
      method,
      headers: headers ?? {},
      ...(body !== undefined && {
        body: Uint8Array.from(atob(body), (unit) => unit.charCodeAt(0)),
      }),
    });
    const bytes = await response.arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    answers.push({
      status: response.status,
      headers: [...response.headers],
      length: bytes.byteLength,
      sha: [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
    });
  }
  return answers;
}
