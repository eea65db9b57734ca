import { fileErrorSentence, readTextFile } from "../files/files.ts";
import { type BaseReport, readBaseReport } from "../report/base_report.ts";
import { CommandError } from "./command_error.ts";

/**
 * Reads the JSON report to compare with.
 *
 * @param path Its file; undefined for none.
 * @throws {CommandError} if it cannot be read, or isn't a JSON report of covtool.
 */
export async function readBaseReportFile(
  path: string | undefined,
): Promise<BaseReport | undefined> {
  if (path === undefined) return undefined;
  try {
    return readBaseReport(JSON.parse(await readText(path)));
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw complaint(path, "It isn't JSON. Create it with --format json.", error);
    }
    throw error instanceof TypeError ? complaint(path, error.message, error) : error;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readTextFile(path);
  } catch (error) {
    throw complaint(path, fileErrorSentence(error), error);
  }
}

function complaint(path: string, sentence: string, cause: unknown): CommandError {
  return new CommandError(`Cannot compare with ${path}: ${sentence}`, cause);
}
