/**
 * Shifts the clock of this process until the returned function is called. Only dates change, not timers, as on a
 * machine whose clock is set.
 */
export function shiftClock(milliseconds: number): () => void {
  const Real = globalThis.Date;
  const now = (): number => Real.now() + milliseconds;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    get: (target, name, receiver) => name === "now" ? now : Reflect.get(target, name, receiver),
  });
  return () => globalThis.Date = Real;
}
