/** The members of `process` that are used. Browsers have no `process`. */
interface Environment {
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly cwd?: () => string;
  };
}

/** Reads from `process`. Undefined if the platform lacks what is read or denies access. */
function ofProcess<Result>(read: (process: Environment["process"]) => Result): Result | undefined {
  try {
    return read((globalThis as Environment).process);
  } catch {
    return undefined;
  }
}

/** The absolute path of the working directory; undefined if there is none. */
export function workingDirectory(): string | undefined {
  return ofProcess((process) => process?.cwd?.());
}

/** The time of a report, in UTC to the second: SOURCE_DATE_EPOCH if it is set and readable, otherwise now. */
export function generatedAt(
  epoch: string | undefined = ofProcess((process) => process?.env?.["SOURCE_DATE_EPOCH"]),
  now: number = Date.now(),
): string {
  if (epoch === undefined || epoch === "") return secondsText(new Date(now));
  const date = new Date(/^\d+$/.test(epoch) ? Number(epoch) * 1000 : NaN);
  if (Number.isNaN(date.getTime())) {
    throw new RangeError(
      `SOURCE_DATE_EPOCH is "${epoch}". It has to be a whole number of seconds since 1970.`,
    );
  }
  return secondsText(date);
}

function secondsText(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
