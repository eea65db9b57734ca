import { endResponse } from "./end_response.ts";
import type { ProxiedResponse } from "./proxied_message.ts";

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
  endResponse(response, body, closes);
}

/** Breaks off a response, so that the client does not take it for a complete one. */
export function breakOff(response: ProxiedResponse): void {
  if ("stream" in response) response.stream.close(INTERNAL_ERROR);
  else response.destroy();
}

/** The error code of HTTP/2 (RFC 9113, section 7). */
const INTERNAL_ERROR = 2;
