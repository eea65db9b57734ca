import process from "node:process";

export type EndSignal = "SIGINT" | "SIGTERM";

/** Listens for Ctrl+C and for requests to stop. */
export function onEndSignals(listener: (signal: EndSignal) => void): () => void {
  // Windows has no SIGTERM that a program could handle.
  const signals: EndSignal[] = process.platform === "win32" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  const heard = signals.map((signal) => {
    const listen = (): void => listener(signal);
    process.on(signal, listen);
    return () => process.off(signal, listen);
  });
  return () => {
    for (const stop of heard) stop();
  };
}

/** Resolves on Ctrl+C, or when the program is asked to stop. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const stop = onEndSignals(() => {
      stop();
      resolve();
    });
  });
}
