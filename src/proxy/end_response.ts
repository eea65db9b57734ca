import type { IncomingMessage, ServerResponse } from "node:http";
import { clearTimeout, setTimeout } from "node:timers";
import type { ProxiedResponse } from "./proxied_message.ts";

/** How many writes are on their way, and what follows the last one. */
interface Writing {
  count: number;
  isEnding: boolean;
}

const writing = new WeakMap<ProxiedResponse, Writing>();

/** Milliseconds for a client to send the rest of its request, where the connection ends behind the response. */
const LINGER = 2000;

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
 * Ends a response, with its last part if there is one.
 *
 * A connection that is closed on a client which is still sending is reset, and the response may get lost in that (RFC
 * 9112, section 9.6). So a response behind which the connection ends waits for the end of its request, but not long.
 *
 * @param closes True if its head says that the connection ends behind it.
 */
export function endResponse(response: ProxiedResponse, last?: Uint8Array, closes = false): void {
  const { req: request } = response;
  const stays = "stream" in response || response.shouldKeepAlive && !closes;
  if (stays || request.complete) {
    if (last === undefined) endWritten(response);
    else (response as ServerResponse).end(last);
    return;
  }
  if (last !== undefined) writePart(response, last);
  endBehind(request as IncomingMessage, response as ServerResponse);
}

function endBehind(request: IncomingMessage, response: ServerResponse): void {
  const end = (): void => {
    clearTimeout(timer);
    endWritten(response);
  };
  const timer = setTimeout(end, LINGER);
  request.once("end", end);
  response.once("close", () => clearTimeout(timer));
  request.resume();
}

/**
 * Ends a response of which all parts are written; over TLS, as soon as they are gone.
 *
 * Over TLS, Deno (2.7 to 2.9) never ends a response whose end has no bytes of its own, as behind a length or in HTTP/1.0,
 * if a write is still on its way: neither the next request of the connection is read then, nor is it closed.
 */
function endWritten(response: ProxiedResponse): void {
  const state = writing.get(response);
  // In the open, who looks whether everything is answered (`ended_clients.ts`) must not find an end that is still to come.
  const isSecure = "encrypted" in response.req.socket;
  if (!isSecure || state === undefined || state.count === 0) (response as ServerResponse).end();
  else state.isEnding = true;
}
