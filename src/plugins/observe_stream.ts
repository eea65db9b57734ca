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
