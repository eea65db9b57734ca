import type { BodyBuffer } from "./body_buffer.ts";

/** What of a stream of Node.js takes what is written. */
export interface WritableLike {
  write(...args: never[]): unknown;
  end(...args: never[]): unknown;
}

/**
 * Sees what is written to a request or a response of Node.js, without being asked anything that the writer is not.
 *
 * @param bufferOf The buffer that is told, asked for with each chunk.
 */
export function observeWrites(target: WritableLike, bufferOf: () => BodyBuffer): void {
  const { write, end } = target;
  let isEnding = false;
  const see = (chunk: unknown, encoding: unknown): void => {
    if (chunk !== undefined && chunk !== null && typeof chunk !== "function") {
      bufferOf().add(chunk, encoding);
    }
  };
  replace(target, "write", function (this: unknown, ...args: never[]): unknown {
    // end() writes its last chunk with write() on some platforms.
    if (!isEnding) see(args[0], args[1]);
    return Reflect.apply(write, target, args);
  });
  replace(target, "end", function (this: unknown, ...args: never[]): unknown {
    if (!isEnding) {
      isEnding = true;
      see(args[0], args[1]);
      bufferOf().end();
    }
    return Reflect.apply(end, target, args);
  });
}

function replace(
  target: WritableLike,
  name: "write" | "end",
  value: (...args: never[]) => unknown,
): void {
  Object.defineProperty(target, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: false,
  });
}
