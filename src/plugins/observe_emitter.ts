import { BodyBuffer, NO_BODY, type ObservedBody } from "./body_buffer.ts";

/** The part that all event emitters of Node.js have in common. */
export interface EmitterLike {
  /** Calls the listeners of an event; returns false if there are none. */
  emit(event: string, ...values: never[]): boolean;
}

/** Observes events before listeners do. An added listener could start streams or hide errors, so `emit` is replaced. */
export function observeEmitter(
  emitter: EmitterLike,
  onEvent: (event: string, ...values: unknown[]) => void,
): void {
  const emit = emitter.emit;
  const observed = function (this: unknown, event: string, ...values: never[]): boolean {
    onEvent(event, ...values);
    return Reflect.apply(emit, this, [event, ...values]);
  };
  replaceMethod(emitter, "emit", observed);
}

/** Replaces a method. It is not enumerable, so that copies and comparisons of the object don't include it. */
export function replaceMethod(
  target: object,
  name: string,
  value: (...args: never[]) => unknown,
): void {
  Object.defineProperty(target, name, {
    value,
    configurable: true,
    writable: true,
    enumerable: false,
  });
}

export function hasMethods<Name extends string>(
  value: unknown,
  ...names: readonly Name[]
): value is Readonly<Record<Name, (...args: never[]) => unknown>> {
  return typeof value === "object" && value !== null &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === "function");
}

export function isEmitter(value: unknown): value is EmitterLike {
  return hasMethods(value, "emit", "on");
}

export interface ReadableLike extends EmitterLike {
  readonly readableEnded?: boolean;
  readonly readableEncoding?: string | null | undefined;
}

/** Observes the chunks of a Node.js stream, however its owner reads it. */
export function observeReadable(
  stream: ReadableLike,
  limit: number,
  keepsPart = false,
): ObservedBody {
  if (stream.readableEnded === true) return NO_BODY;
  const buffer = new BodyBuffer(limit, keepsPart);
  fillFromStream(stream, buffer);
  return buffer.toObservedBody();
}

export function fillFromStream(stream: ReadableLike, buffer: BodyBuffer): void {
  observeEmitter(stream, (event, chunk) => {
    if (event === "data") buffer.add(chunk, stream.readableEncoding ?? undefined);
    else if (event === "end") buffer.end();
    else if (event === "error" || event === "close" || event === "aborted") buffer.cut();
  });
}

export interface WritableLike {
  write(...args: never[]): unknown;
  end(...args: never[]): unknown;
}

/** Observes the data written to a Node.js request or response, without side effects for the writer. */
export function observeWrites(target: WritableLike, buffer: () => BodyBuffer): void {
  const { write, end } = target;
  let isEnding = false;
  const addChunk = (chunk: unknown, encoding: unknown): void => {
    if (chunk !== undefined && chunk !== null && typeof chunk !== "function") {
      buffer().add(chunk, encoding);
    }
  };
  replaceMethod(target, "write", function (this: unknown, ...args: never[]): unknown {
    // On some platforms, end() calls write() for the last chunk.
    if (!isEnding) addChunk(args[0], args[1]);
    return Reflect.apply(write, target, args);
  });
  replaceMethod(target, "end", function (this: unknown, ...args: never[]): unknown {
    if (!isEnding) {
      isEnding = true;
      addChunk(args[0], args[1]);
      buffer().end();
    }
    return Reflect.apply(end, target, args);
  });
}
