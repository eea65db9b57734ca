import process from "node:process";

export type EndSignal = "SIGINT" | "SIGTERM";

/** Listens for Ctrl+C and SIGTERM. Returns a function that stops listening. */
export function onEndSignals(listener: (signal: EndSignal) => void): () => void {
  // On Windows, a program can't handle SIGTERM.
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

export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const stop = onEndSignals(() => {
      stop();
      resolve();
    });
  });
}
