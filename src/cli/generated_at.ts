import { CommandError } from "./command_error.ts";

/**
 * The time that reports carry, in UTC: SOURCE_DATE_EPOCH (seconds since 1970) where it is set, so that the
 * same input gives the same bytes; else now.
 *
 * @param now Milliseconds since 1970.
 * @throws {CommandError} where SOURCE_DATE_EPOCH is no such number.
 */
export function generatedAt(
  variables: Readonly<Record<string, string | undefined>>,
  now: number,
): string {
  const epoch = variables["SOURCE_DATE_EPOCH"];
  if (epoch === undefined || epoch === "") return secondsText(new Date(now));
  const date = /^\d+$/.test(epoch) ? new Date(Number(epoch) * 1000) : undefined;
  if (date === undefined || Number.isNaN(date.getTime())) {
    throw new CommandError(
      `SOURCE_DATE_EPOCH is "${epoch}". It has to be a whole number of seconds since 1970.`,
    );
  }
  return secondsText(date);
}

function secondsText(date: Date): string {
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}
