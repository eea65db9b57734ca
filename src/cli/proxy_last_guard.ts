import process from "node:process";

/** Errors that reached the end of the process, and were kept from ending it. */
export interface LastGuard {
  /** How many there were. */
  readonly failures: number;
  /** Lets errors end the process again. */
  stop(): void;
}

/**
 * Keeps errors from ending the process that no exchange of the proxy can catch, since they are thrown by the runtime's
 * own handlers of what peers send.
 *
 * @param listener Hears of each.
 */
export function startLastGuard(listener: (error: unknown) => void): LastGuard {
  let failures = 0;
  const onError = (error: unknown): void => {
    failures++;
    listener(error);
  };
  process.on("uncaughtException", onError);
  process.on("unhandledRejection", onError);
  return {
    get failures() {
      return failures;
    },
    stop() {
      process.off("uncaughtException", onError);
      process.off("unhandledRejection", onError);
    },
  };
}
