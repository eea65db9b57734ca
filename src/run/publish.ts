import { Ansis } from "ansis";
import { fileErrorSentence, readTextFile } from "../files/files.ts";
import { checkThresholds, type Thresholds } from "../map/thresholds.ts";
import { type BaseReport, readBaseReport } from "../report/base_report.ts";
import {
  DEFAULT_FORMAT,
  formatsOfExtension,
  type Reporter,
  type ReporterInput,
  reporterOf,
  REPORTERS,
} from "../report/reporters.ts";
import { generatedAt } from "../report/generated_at.ts";
import type { Report } from "../report/report.ts";
import { jsonWithoutCommands, withoutCommands } from "../report/text/without_commands.ts";
import type { TextReportOptions } from "../report/text_report.ts";
import { CommandError } from "./command_error.ts";
import type { Host } from "./host.ts";
import { LineSources } from "./line_sources.ts";
import type { Measurement } from "./measure.ts";
import { type GuardedOutput, OutputGuard } from "./output_guard.ts";
import type { Output } from "./outputs.ts";
import type { PublishOptions } from "./publish_options.ts";
import { summaryText } from "./summary_text.ts";
import { isColored, outputWidth } from "./terminal.ts";
import { writeOutput } from "./write_output.ts";

/** What reports are made of. */
export interface Published extends Measurement {
  /** What is said where nothing was recorded: a sentence. */
  readonly nothingRecorded?: string | undefined;
}

/**
 * Writes the reports, and says on standard error what came of it.
 *
 * @returns the exit code: 1 where a threshold is not met.
 * @throws {CommandError} where a report cannot be written.
 */
export type Publish = (measured: Published) => Promise<number>;

/**
 * Checks what can be checked of the reports that are asked for before there is traffic.
 *
 * @param outputs Where they go, as {@linkcode chooseOutputs} says.
 * @param inputs Files that are read, and so must not be written; undefined ones are passed over.
 * @param guard Knows what else is written; by default nothing is.
 * @throws {CommandError} where a report would be written over an input, or the report to compare with cannot be read.
 */
export async function preparePublish(
  outputs: readonly Output[],
  options: PublishOptions,
  inputs: readonly (string | undefined)[],
  host: Host,
  guard: OutputGuard = new OutputGuard(guardedReports(outputs)),
): Promise<Publish> {
  await guard.check([options.schema, ...inputs, options.baseReport]);
  reportTime(host); // a broken SOURCE_DATE_EPOCH is said now
  const base = await readBase(options.baseReport);
  return async ({ map, warnings, recordings = [], nothingRecorded }) => {
    await guard.check([...map.documentUrls(), ...recordings]);
    const result = map.report({ title: options.title, generatedAt: reportTime(host) });
    const thresholds = thresholdsOf(options);
    const sources = new LineSources(map, result);
    const input: Omit<ReporterInput, "source" | "text"> = {
      view: () => map.descriptionView(result),
      base,
      thresholds,
      badge: options.badgeDimensions.flat(),
    };
    for (const output of outputs) {
      const source = () => sources.of(output);
      const text = textLayout(output.path === undefined ? host.stdout : undefined, options, host);
      await write(result, output, { ...input, source, text }, host);
    }
    const read = [options.schema, ...inputs, options.baseReport, ...map.documentUrls()];
    await sources.writeCopies(guardedReports(outputs), [...read, ...recordings]);

    const shortfalls = checkThresholds(result.summary, thresholds);
    const summary = summaryText(result, {
      width: outputWidth(host.variables, host.stderr),
      colors: new Ansis(isColored(options.color, host.variables, host.stderr) ? 1 : 0),
      written: outputs.flatMap(({ path }) => path === undefined ? [] : [path]),
      isShown: outputs.some(({ path }) => path === undefined),
      warnings: [
        ...warnings,
        ...misnamed(options),
        ...unused(options, outputs),
        ...sources.warnings,
      ],
      nothingRecorded,
      shortfalls,
    });
    await host.stderr.write(withoutCommands(summary));
    return shortfalls.length > 0 ? 1 : 0;
  };
}

/** Reports as the guard of all that is written knows them. */
export function guardedReports(outputs: readonly Output[]): GuardedOutput[] {
  return outputs.map(({ path }) => ({ name: "The report", path }));
}

/** `-o report.json` alone writes a page: said, since the name promises something else. */
function misnamed({ formats, output }: PublishOptions): string[] {
  const meant = formatsOfExtension(/\.(\w+)$/.exec(output ?? "")?.[1] ?? "");
  if (formats.length > 0 || meant.length === 0 || meant.includes(DEFAULT_FORMAT)) return [];
  return [
    `${output} contains HTML. For ${meant.join(" or ")} add ${
      meant.map((format) => `--format ${format}`).join(" or ")
    }.`,
  ];
}

/** Options that were given and change nothing: said, since something else was expected of them. */
function unused(given: PublishOptions, outputs: readonly Output[]): string[] {
  const absent = (REPORTERS as readonly Reporter[]).filter(({ name }) =>
    !outputs.some(({ format }) => format === name)
  );
  return absent.flatMap(({ name, options }) =>
    options.filter((option) => isGiven(given[option])).map((option) =>
      `${flagOf(option)} is ignored without --format ${name}.`
    )
  );
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
}

/** `baseReport` as `--base-report`. */
function flagOf(option: string): string {
  return `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function thresholdsOf(options: PublishOptions): Thresholds {
  return {
    base: options.failUnder,
    operations: options.failUnderOperations,
    parameters: options.failUnderParameters,
    keywords: options.failUnderKeywords,
    examples: options.failUnderExamples,
    responses: options.failUnderResponses,
  };
}

async function readBase(path: string | undefined): Promise<BaseReport | undefined> {
  if (path === undefined) return undefined;
  const complain = (sentence: string, cause: unknown) =>
    new CommandError(`Cannot compare with ${path}: ${sentence}`, cause);
  let text: string;
  try {
    text = await readTextFile(path);
  } catch (error) {
    throw complain(fileErrorSentence(error), error);
  }
  try {
    return readBaseReport(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw complain("It isn't JSON. Create it with --format json.", error);
    }
    throw error instanceof TypeError ? complain(error.message, error) : error;
  }
}

async function write(
  result: Report,
  { format, path }: Output,
  input: ReporterInput,
  host: Host,
): Promise<void> {
  const reporter = reporterOf(format);
  const chunks = reporter.write(result, input);
  if (path === undefined) {
    for (const chunk of chunks) await host.stdout.write(SAFE[reporter.log](chunk));
    return;
  }
  await writeOutput(path, chunks);
}

/** Keeps build servers from acting on a chunk of a report. */
const SAFE: Readonly<Record<Reporter["log"], (chunk: string) => string>> = {
  lines: withoutCommands,
  json: jsonWithoutCommands,
  escaped: String,
};

function textLayout(
  stream: Host["stdout"] | undefined,
  options: PublishOptions,
  host: Host,
): TextReportOptions {
  return {
    width: outputWidth(host.variables, stream),
    colored: isColored(options.color, host.variables, stream),
    skipCovered: options.skipCovered,
    skipEmpty: options.skipEmpty,
    showMissing: options.showMissing.flat(),
  };
}

function reportTime(host: Host): string {
  try {
    return generatedAt(host.variables["SOURCE_DATE_EPOCH"], host.now());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(error.message, error);
  }
}
