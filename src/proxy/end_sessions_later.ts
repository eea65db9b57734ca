import type { Http2SecureServer, ServerHttp2Session } from "node:http2";
import { setImmediate } from "node:timers";

type Ending = (...args: unknown[]) => void;

/**
 * Ends the HTTP/2 sessions of a server one turn of the event loop after they are told to end.
 *
 * Deno (2.9) frees a session as soon as that is done, even while it is reading what the client sent: a client that says
 * goodbye (GOAWAY) right after a large request would take the whole program down. Node.js waits by itself.
 */
export function endSessionsLater(server: Http2SecureServer): void {
  if (!("Deno" in globalThis)) return;
  server.on("session", (session) => {
    session.close = later(session, session.close as Ending);
    session.destroy = later(session, session.destroy as Ending);
  });
}

function later(session: ServerHttp2Session, end: Ending): Ending {
  return (...args) => void setImmediate(() => end.apply(session, args));
}
