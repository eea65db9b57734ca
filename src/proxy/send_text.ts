import type { IncomingMessage, ServerResponse } from "node:http";
import { clearTimeout, setTimeout } from "node:timers";
import { endWritten, writePart } from "./end_written.ts";
import type { ProxiedResponse } from "./proxied_message.ts";

/** Milliseconds for a client that is refused to send the rest of its request. */
const LINGER = 2000;

/**
 * Answers a client with plain text.
 *
 * @param closes Closes the connection afterwards, where the client speaks HTTP/1.1.
 */
export function sendText(
  response: ProxiedResponse,
  status: number,
  text: string,
  closes: boolean,
): void {
  const body = new TextEncoder().encode(text);
  const fields = {
    "content-type": "text/plain; charset=utf-8",
    "content-length": String(body.length),
  };
  if ("stream" in response) {
    // The response itself remembers fields that it failed to send before.
    const { stream } = response;
    if (stream.destroyed || stream.headersSent) return;
    stream.respond({ ":status": status, ...fields });
    stream.end(body);
    return;
  }
  response.writeHead(status, closes ? { ...fields, connection: "close" } : fields);
  if (!closes || response.req.complete) response.end(body);
  else {
    writePart(response, body);
    endBehind(response.req, response);
  }
}

/**
 * Ends a response when its request has come, or too late: a connection that is closed on a client that is still sending
 * is reset, and the response may get lost in that (RFC 9112, section 9.6).
 */
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

/** Breaks off a response, so that the client does not take it for a complete one. */
export function breakOff(response: ProxiedResponse): void {
  if ("stream" in response) response.stream.close(INTERNAL_ERROR);
  else response.destroy();
}

/** The error code of HTTP/2 (RFC 9113, section 7). */
const INTERNAL_ERROR = 2;
