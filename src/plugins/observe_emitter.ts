/** The part that all event emitters of Node.js have. */
export interface EmitterLike {
  /** Calls the listeners of an event; false if there are none. */
  emit(event: string, ...values: never[]): boolean;
}

/**
 * Sees the events that an object of Node.js sends, before its listeners do. Nothing is listened to: a listener can
 * start a stream (`data`), keep a response from being thrown away (`response`), or hide an error (`error`).
 *
 * @example
 * ```ts
 * import { EventEmitter } from "node:events";
 * import { observeEmitter } from "./observe_emitter.ts";
 * import assert from "node:assert/strict";
 *
 * const emitter = new EventEmitter();
 * const seen: unknown[] = [];
 * observeEmitter(emitter, (event, value) => seen.push(event, value));
 * assert.equal(emitter.emit("end", 1), false);
 * assert.deepEqual(seen, ["end", 1]);
 * ```
 */
export function observeEmitter(
  emitter: EmitterLike,
  see: (event: string, ...values: unknown[]) => void,
): void {
  const emit = emitter.emit;
  const observed = function (this: unknown, event: string, ...values: never[]): boolean {
    see(event, ...values);
    return Reflect.apply(emit, this, [event, ...values]);
  };
  // Not enumerable, so that copies and comparisons of the object do not show it.
  Object.defineProperty(emitter, "emit", {
    value: observed,
    configurable: true,
    writable: true,
    enumerable: false,
  });
}

/** True if a value sends events as objects of Node.js do. */
export function isEmitter(value: unknown): value is EmitterLike {
  return typeof value === "object" && value !== null && "emit" in value && "on" in value &&
    typeof value.emit === "function" && typeof value.on === "function";
}
