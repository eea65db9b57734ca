import { BodyBuffer, NO_BODY, type ObservedBody } from "./body_buffer.ts";
import { type EmitterLike, observeEmitter } from "./observe_emitter.ts";

/** A stream of Node.js that its owner reads. */
export interface ReadableLike extends EmitterLike {
  readonly readableEnded?: boolean;
  readonly readableEncoding?: string | null;
}

/**
 * Sees what a stream of Node.js yields to its owner, who reads it when and how he likes: each chunk is announced as
 * `data`, also where it is piped, iterated or read.
 *
 * @param keepsPart Whether what was seen of a body that breaks off is of use.
 */
export function observeReadable(
  stream: ReadableLike,
  limit: number,
  keepsPart = false,
): ObservedBody {
  if (stream.readableEnded === true) return NO_BODY;
  const buffer = new BodyBuffer(limit, keepsPart);
  observeEmitter(stream, (event, chunk) => {
    if (event === "data") {
      buffer.add(chunk, stream.readableEncoding ?? undefined);
    } else if (event === "end") buffer.end();
    else if (event === "error" || event === "close" || event === "aborted") buffer.cut();
  });
  return buffer.body();
}
