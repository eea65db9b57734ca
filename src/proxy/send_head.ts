import type { ClientRequest, ServerResponse } from "node:http";

/**
 * Sends the head of a message before its body, byte for byte. What it is to be followed by must be written later.
 *
 * Node.js writes one byte for each character of a head, but not in `flushHeaders()`, which makes UTF-8 of it; nor does
 * Deno (2.7 to 2.9) over TLS where a head and a body that are bytes go out together.
 */
export function sendHead(message: ClientRequest | ServerResponse): void {
  message.write("", "latin1");
  message.socket?.uncork();
}
