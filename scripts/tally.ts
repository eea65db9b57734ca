import { print } from "./print.ts";

/** The maximum length of a printed failure message. */
const LONGEST_MESSAGE = 4000;

/** Counts checks, which run one after the other. */
export interface Tally {
  /** Runs a check, which fails by throwing; what it returns is printed beside its name. */
  check(name: string, what: () => Promise<string | void>): Promise<void>;
  /** The line "N passed, N failed". */
  total(): string;
  /** True if checks were run and none failed. */
  isGood(): boolean;
  /** Prints the total and exits, with 1 unless `isGood()`. */
  exit(): never;
}

export function createTally(say: (line: string) => void = print): Tally {
  let passed = 0;
  let failed = 0;
  const total = (): string => `${passed} passed, ${failed} failed`;
  const isGood = (): boolean => failed === 0 && passed > 0;
  return {
    async check(name, what) {
      try {
        const note = await what();
        passed += 1;
        say(`ok: ${name}${typeof note === "string" ? ` (${note})` : ""}`);
      } catch (error) {
        failed += 1;
        const message = error instanceof Error ? error.message : String(error);
        say(`not ok: ${name}\n${message.slice(0, LONGEST_MESSAGE)}`);
      }
    },
    total,
    isGood,
    exit() {
      say(total());
      return Deno.exit(isGood() ? 0 : 1);
    },
  };
}
