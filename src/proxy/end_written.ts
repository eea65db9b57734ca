import type { ServerResponse } from "node:http";
import type { ProxiedResponse } from "./proxied_message.ts";

/** How many writes are on their way, and what follows the last one. */
interface Writing {
  count: number;
  isEnding: boolean;
}

const writing = new WeakMap<ProxiedResponse, Writing>();

/**
 * Writes part of a body, which {@linkcode endWritten} may end.
 *
 * @returns false if the client has to catch up first.
 */
export function writePart(response: ProxiedResponse, bytes: Uint8Array): boolean {
  if ("stream" in response) return response.write(bytes);
  const state = writing.get(response) ?? { count: 0, isEnding: false };
  writing.set(response, state);
  state.count++;
  return response.write(bytes, () => {
    if (--state.count === 0 && state.isEnding) response.end();
  });
}

/**
 * Ends a response of which all parts are written, as soon as they are gone.
 *
 * Over TLS, Deno (2.7 to 2.9) never ends a response whose end has no bytes of its own, as behind a length or in HTTP/1.0,
 * if a write is still on its way: neither the next request of the connection is read then, nor is it closed.
 */
export function endWritten(response: ProxiedResponse): void {
  const state = writing.get(response);
  if (state === undefined || state.count === 0) (response as ServerResponse).end();
  else state.isEnding = true;
}
