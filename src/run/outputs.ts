import { resolve } from "node:path";
import { DEFAULT_FORMAT, defaultFileName, type ReportFormat } from "../report/reporters.ts";
import { CommandError } from "./command_error.ts";
import type { OutputChoice } from "./values/output_value.ts";

/** One report to write. */
export interface Output {
  readonly format: ReportFormat;
  /** The file; undefined is standard output. */
  readonly path: string | undefined;
}

/** What stands for standard output where a path is expected. */
const STANDARD = "-";
/** Its names in the file system: what is written there by another way lands in the middle of what others write. */
const NAMES = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/** Whether a path that a command line names is standard output. */
export function isStandardOutput(path: string | undefined): boolean {
  return path === STANDARD || (path !== undefined && NAMES.includes(resolve(path)));
}

/**
 * Decides which reports are written where. Without a format it is HTML; a page without a path becomes
 * `coverage.html`; the other formats go to standard output, where only one can go. `-` and `/dev/stdout` are standard
 * output too.
 *
 * @param choices What `--format` was given, in order.
 * @param output What `-o` was given: the path of the one format.
 * @throws {CommandError} where reports would end up in the same place.
 */
export function chooseOutputs(
  choices: readonly OutputChoice[],
  output: string | undefined,
): readonly Output[] {
  const wanted: readonly OutputChoice[] = choices.length === 0
    ? [{ format: DEFAULT_FORMAT, path: undefined }]
    : choices;
  const [first] = wanted;
  if (output !== undefined && (wanted.length > 1 || first?.path !== undefined)) {
    const example = wanted.map(({ format, path }) =>
      `--format ${format}=${path ?? defaultFileName(format)}`
    );
    throw new CommandError(
      `-o works with a single report. Use ${example.join(" ")} instead.`,
    );
  }
  const outputs = wanted.map(({ format, path }): Output => {
    const named = path ?? output ??
      (format === DEFAULT_FORMAT ? defaultFileName(format) : STANDARD);
    return { format, path: isStandardOutput(named) ? undefined : named };
  });
  const seen = new Set<string | undefined>();
  for (const { format, path } of outputs) {
    if (seen.has(path)) {
      throw new CommandError(
        path === undefined
          ? `Only one report can go to standard output. Give the others a path, for example --format ${format}=${
            defaultFileName(format)
          }.`
          : `Two reports would be written to ${path}. Give each its own path.`,
      );
    }
    seen.add(path);
  }
  return outputs;
}
