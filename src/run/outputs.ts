import { resolve } from "node:path";
import {
  DEFAULT_FORMAT,
  type Reporter,
  REPORTERS,
  type ReportFormat,
} from "../report/reporters.ts";
import type { GuardedOutput } from "../files/output_guard.ts";
import { CommandError, usageError } from "./command_error.ts";
import type { OutputChoice } from "./options/option_kinds.ts";
import { fileErrorSentence } from "../files/files.ts";
import { type WriteOptions, writeTextFile } from "../files/write_text_file.ts";

export interface Output<Format extends string = ReportFormat> {
  readonly format: Format;
  /** The file; undefined for standard output. */
  readonly path: string | undefined;
}

const STANDARD_OUTPUT = "-";
/** File names of standard output. Opened as files, they would be written to independently of the stream. */
const STDOUT_FILES = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

export function isStandardOutput(path: string | undefined): boolean {
  return path === STANDARD_OUTPUT || (path !== undefined && STDOUT_FILES.includes(resolve(path)));
}

/** Chooses the file of each report. Without a path, HTML and hits go to default files, others to standard output. */
export function chooseOutputs(
  choices: readonly OutputChoice[],
  output: string | undefined,
): readonly Output[] {
  return chooseOutputsAmong<ReportFormat>(choices, output, REPORTERS, DEFAULT_FORMAT);
}

export function chooseOutputsAmong<Format extends string>(
  choices: readonly OutputChoice<Format>[],
  output: string | undefined,
  reporters: readonly (Pick<Reporter, "file" | "isFile"> & { readonly name: Format })[],
  defaultFormat: Format,
): readonly Output<Format>[] {
  const reporterFor = (format: Format) => reporters.find(({ name }) => name === format);
  const defaultFileName = (format: Format) => reporterFor(format)?.file ?? STANDARD_OUTPUT;
  const requested: readonly OutputChoice<Format>[] = choices.length === 0
    ? [{ format: defaultFormat, path: undefined }]
    : choices;
  const [first] = requested;
  if (output !== undefined && (requested.length > 1 || first?.path !== undefined)) {
    const example = requested.map(({ format, path }) =>
      `--format ${format}=${path ?? defaultFileName(format)}`
    );
    throw usageError(`-o works with a single report. Use ${example.join(" ")} instead.`);
  }
  const outputs = requested.map(({ format, path }): Output<Format> => {
    const file = path ?? output ??
      (reporterFor(format)?.isFile === true ? defaultFileName(format) : STANDARD_OUTPUT);
    return { format, path: isStandardOutput(file) ? undefined : file };
  });
  const [, second] = outputs.filter(({ path }) => path === undefined);
  if (second !== undefined) {
    const example = `--format ${second.format}=${defaultFileName(second.format)}`;
    throw usageError(
      `Only one report can go to standard output. Give the others a path, for example ${example}.`,
    );
  }
  return outputs;
}

export function hitsPath(outputs: readonly Output[]): string | undefined {
  return outputs.find(({ format }) => format === "hits")?.path;
}

/** Returns a file for {@linkcode OutputGuard}; none without a path, which would mean standard output there. */
export function guardedFile(name: string, path: string | undefined): GuardedOutput[] {
  return path === undefined ? [] : [{ name, path }];
}

export function guardedReports(outputs: readonly Pick<Output, "path">[]): GuardedOutput[] {
  return outputs.map(({ path }) => ({ name: "The report", path }));
}

/** Writes a file completely or not at all. */
export async function writeOutput(
  path: string,
  text: Iterable<string> | AsyncIterable<string>,
  options: WriteOptions = {},
): Promise<void> {
  try {
    await writeTextFile(path, text, options);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new CommandError(`Cannot write ${path}: ${fileErrorSentence(error)}`, error);
  }
}

/** True for errors of the file system; others come from making the text, and explain themselves. */
function isFileError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "NotCapable" || "syscall" in error ||
    ("code" in error && error.code === "ERR_INVALID_ARG_VALUE") ||
    /\(os error \d+\)/.test(error.message);
}
