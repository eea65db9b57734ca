import type { BodyBuffer } from "./body_buffer.ts";

/**
 * Puts a stream in the place of another that yields the same chunks, not one earlier than they are needed, and
 * tells the buffer of each.
 *
 * @example
 * ```ts
 * import { BodyBuffer } from "./body_buffer.ts";
 * import { observeStream } from "./observe_stream.ts";
 * import assert from "node:assert/strict";
 *
 * const buffer = new BodyBuffer(100);
 * const stream = observeStream(new Blob(["text"]).stream(), buffer);
 * assert.equal(await new Response(stream).text(), "text");
 * assert.equal((await buffer.body().seen).data?.length, 4);
 * ```
 */
export function observeStream<T>(
  stream: ReadableStream<T>,
  buffer: BodyBuffer,
): ReadableStream<T> {
  const reader = stream.getReader();
  return new ReadableStream<T>({
    async pull(controller) {
      buffer.start();
      try {
        const { done, value } = await reader.read();
        if (done) {
          buffer.end();
          controller.close();
        } else {
          buffer.add(value);
          controller.enqueue(value);
        }
      } catch (error) {
        buffer.cut();
        controller.error(error);
      }
    },
    async cancel(reason) {
      buffer.cut();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

/**
 * A stream of the same bytes as another, which is left alone until somebody reads: then the buffer is asked for.
 *
 * It is a stream of bytes, as those of responses are, so that it can be read into a buffer of the reader's own.
 */
export function observeLazily(
  stream: ReadableStream<Uint8Array>,
  bufferOf: () => BodyBuffer,
): ReadableStream<Uint8Array> {
  let reading:
    | { readonly reader: ReadableStreamDefaultReader<Uint8Array>; readonly buffer: BodyBuffer }
    | undefined;
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      reading ??= { reader: stream.getReader(), buffer: bufferOf() };
      const { reader, buffer } = reading;
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) {
            buffer.end();
            controller.close();
            // Whoever waits with a buffer of his own is told by this.
            controller.byobRequest?.respond(0);
            return;
          }
          buffer.add(value);
          if (value.byteLength === 0) continue;
          // A copy, since what is passed on here is taken away from its owner.
          controller.enqueue(new Uint8Array(value));
          return;
        }
      } catch (error) {
        buffer.cut();
        controller.error(error);
      }
    },
    async cancel(reason) {
      if (reading === undefined) {
        bufferOf().cut();
        await stream.cancel(reason);
        return;
      }
      reading.buffer.cut();
      await reading.reader.cancel(reason);
    },
  });
}

/** As {@linkcode observeStream}, for what Node.js takes as a body beside streams. */
export async function* observeIterable(
  chunks: AsyncIterable<unknown>,
  buffer: BodyBuffer,
): AsyncGenerator<unknown, void, undefined> {
  buffer.start();
  try {
    for await (const chunk of chunks) {
      buffer.add(chunk);
      yield chunk;
    }
    buffer.end();
  } finally {
    // Does nothing if it ended.
    buffer.cut();
  }
}

/** Reads a stream of one's own into a buffer, as far as it takes it; never rejects. */
export async function readStream(
  stream: ReadableStream<unknown>,
  buffer: BodyBuffer,
): Promise<void> {
  const reader = stream.getReader();
  buffer.start();
  buffer.onCut(() => void reader.cancel().catch(() => {}));
  try {
    while (!buffer.isDone) {
      const { done, value } = await reader.read();
      if (done) buffer.end();
      else buffer.add(value);
    }
  } catch {
    buffer.cut();
  }
}
