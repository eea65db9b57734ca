import process from "node:process";

/** Errors that reached the end of the process, and were kept from ending it. */
export interface CrashHandler {
  readonly failures: number;
  /** Lets errors end the process again. */
  stop(): void;
}

/** Keeps errors from ending the process that the runtime's own handlers of what peers send throw. */
export function startCrashHandler(listener: (error: unknown) => void): CrashHandler {
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

/** Warns, at the end, of errors inside covtool itself; nothing if there were none. */
export function failuresSentence(failures: number): string[] {
  if (failures === 0) return [];
  const what = failures === 1
    ? "on one request"
    : `on ${failures.toLocaleString("en-US")} requests`;
  return [
    `covtool itself failed ${what} and went on. See the messages above, and please report this. The results may lack these requests.`,
  ];
}
