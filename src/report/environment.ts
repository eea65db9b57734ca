import { isoTime } from "./wording/amounts.ts";

/** The members of `process` that are used. Browsers have no `process`. */
interface Environment {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly cwd?: () => string;
  };
}

/** Reads from `process`. Undefined if the platform lacks what is read or denies access. */
function readProcess<Result>(
  read: (process: Environment["process"]) => Result,
): Result | undefined {
  try {
    return read((globalThis as Environment).process);
  } catch {
    return undefined;
  }
}

export function workingDirectory(): string | undefined {
  return readProcess((process) => process?.cwd?.());
}

/** The time of a report, in UTC to the second: SOURCE_DATE_EPOCH if it is set and readable, otherwise now. */
export function generatedAt(
  epoch: string | undefined = readProcess((process) => process?.env?.["SOURCE_DATE_EPOCH"]),
  now: number = Date.now(),
): string {
  if (epoch === undefined || epoch === "") return isoTime(Math.floor(now / 1000));
  const date = new Date(/^\d+$/.test(epoch) ? Number(epoch) * 1000 : NaN);
  if (Number.isNaN(date.getTime())) {
    throw new RangeError(
      `SOURCE_DATE_EPOCH is "${epoch}". It has to be a whole number of seconds since 1970.`,
    );
  }
  return isoTime(Number(epoch));
}
