import type { Host, OutputStream } from "../run/host.ts";
import { processHost } from "../run/process_host.ts";

/** Milliseconds that a write may take. After one that takes longer, writes are no longer awaited. */
const WRITE_TIMEOUT = 500;

/** The process of a test runner. Some runners replace methods of its streams, so that a write may never call back. */
export function runnerHost(): Host {
  const host = processHost();
  return { ...host, stdout: withTimeout(host.stdout), stderr: withTimeout(host.stderr) };
}

function withTimeout(stream: OutputStream): OutputStream {
  let isAnswered = true;
  return {
    isTerminal: stream.isTerminal,
    columns: stream.columns,
    async write(text) {
      const written = stream.write(text).then(() => true);
      if (!isAnswered) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<boolean>((resolve) => {
        timer = setTimeout(() => resolve(false), WRITE_TIMEOUT);
      });
      isAnswered = await Promise.race([written, late]);
      clearTimeout(timer);
    },
  };
}
