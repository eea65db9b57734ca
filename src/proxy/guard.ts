/**
 * Keeps an error in one exchange from ending the others: what peers send leads to code that runs in handlers of events,
 * where an error that is thrown would end the whole process.
 */
export class Guard {
  readonly #listener: (error: unknown) => void;
  #failures = 0;

  /** @param listener Called with each error. Errors that it throws itself are dropped. */
  constructor(listener: (error: unknown) => void) {
    this.#listener = listener;
  }

  /** Errors so far. */
  get failures(): number {
    return this.#failures;
  }

  /** Counts an error that nothing has dealt with, and says it. */
  report(error: unknown): void {
    this.#failures++;
    try {
      this.#listener(error);
    } catch {
      // There is no one left to report it to.
    }
  }

  /**
   * Runs an action that must not throw.
   *
   * @param recover Ends what the action belongs to, where it throws all the same.
   */
  run(action: () => void, recover: () => void): void {
    try {
      action();
    } catch (error) {
      this.#recover(error, recover);
    }
  }

  /** A handler of events that does not throw; {@linkcode Guard.run} without a new function for each event. */
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
    } catch (again) {
      this.report(again);
    }
  }
}
