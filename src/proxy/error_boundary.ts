/** A problem that the user of the proxy should know about. */
export interface ProxyNotice {
  /** Code of the event, for programs. */
  readonly kind:
    | "certificate_refused"
    | "upstream_unreachable"
    | "upstream_certificate"
    | "upstream_broken"
    | "recording_failed"
    | "exchange_failed"
    | "body_cut"
    | "secure_client"
    | "client_excess"
    | "loop";
  /** One or two sentences: what happened, and what to do. */
  readonly message: string;
}

/** Maximum number of notices that are remembered, so that they are not repeated. */
const MAX_REMEMBERED = 1000;

/** Passes on each distinct notice once. */
export class Notices {
  readonly #listener: (notice: ProxyNotice) => void;
  readonly #reported = new Set<string>();

  constructor(listener: (notice: ProxyNotice) => void) {
    this.#listener = listener;
  }

  report(kind: ProxyNotice["kind"], message: string, key: string = message): void {
    const id = `${kind} ${key}`;
    if (this.#reported.has(id)) return;
    if (this.#reported.size >= MAX_REMEMBERED) this.#reported.clear();
    this.#reported.add(id);
    this.#listener({ kind, message });
  }
}

export function failureNotice(error: unknown): ProxyNotice {
  const problem = error instanceof Error ? error.message : String(error);
  return {
    kind: "exchange_failed",
    message:
      `covtool itself failed on a request (${problem}). The client got an error, or the request was not recorded; other requests are unaffected. Please report this, with the request if possible.`,
  };
}

export function ignore(): void {}

/** Keeps an error in one exchange from ending the process, and so all other exchanges. */
export class ErrorBoundary {
  readonly #listener: (error: unknown) => void;
  #failures = 0;

  /** @param listener Called with each error. Errors that it throws itself are dropped. */
  constructor(listener: (error: unknown) => void) {
    this.#listener = listener;
  }

  get failures(): number {
    return this.#failures;
  }

  report(error: unknown): void {
    this.#failures++;
    try {
      this.#listener(error);
    } catch {
      // The listener failed, so there is nothing left to report to.
    }
  }

  /** Runs an action that must not throw. If it does, the error is reported and `recover` called. */
  run(action: () => void, recover: () => void): void {
    try {
      action();
    } catch (error) {
      this.#recover(error, recover);
    }
  }

  /** Returns an event handler that does not throw: {@linkcode ErrorBoundary.run} without a closure for each event. */
  handler<Argument>(
    action: (argument: Argument) => void,
    recover: () => void,
  ): (argument: Argument) => void {
    return (argument) => {
      try {
        action(argument);
      } catch (error) {
        this.#recover(error, recover);
      }
    };
  }

  #recover(error: unknown, recover: () => void): void {
    this.report(error);
    try {
      recover();
    } catch (secondError) {
      this.report(secondError);
    }
  }
}
