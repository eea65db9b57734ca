import { generatedAt } from "../report/generated_at.ts";
import { CommandError } from "./command_error.ts";
import type { Host } from "./host.ts";

/**
 * The time that reports of a run carry: SOURCE_DATE_EPOCH where that is set, else now.
 *
 * @throws {CommandError} if SOURCE_DATE_EPOCH is no time.
 */
export function reportTime(host: Host): string {
  try {
    // Empty rather than undefined, for which it would look into the environment of this process.
    return generatedAt(host.variables["SOURCE_DATE_EPOCH"] ?? "", host.now());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(error.message, error);
  }
}
