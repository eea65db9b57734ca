/**
 * A whole answer over HTTP/1.1 with a text, after which the connection ends; for connections that no server of the
 * runtime reads.
 *
 * @param status The code and its reason: `502 Bad Gateway`.
 */
export function plainAnswer(status: string, text: string): Uint8Array {
  const { length } = new TextEncoder().encode(text);
  return new TextEncoder().encode(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${length}\r\nConnection: close\r\n\r\n${text}`,
  );
}
