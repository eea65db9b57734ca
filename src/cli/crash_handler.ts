import process from "node:process";

export interface CrashHandler {
  readonly failures: number;
  stop(): void;
}

/** Keeps the process alive when the runtime's own network code throws because of a peer's data. */
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

export function failuresSentence(failures: number): string[] {
  if (failures === 0) return [];
  const what = failures === 1
    ? "on one request"
    : `on ${failures.toLocaleString("en-US")} requests`;
  return [
    `covtool itself failed ${what} and went on. See the messages above, and please report this. The results may lack these requests.`,
  ];
}
