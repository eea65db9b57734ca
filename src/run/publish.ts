import { Ansis } from "ansis";
import { fileErrorSentence, readTextFile } from "../files/files.ts";
import { checkThresholds, type Thresholds } from "../map/thresholds.ts";
import { type BaseReport, readBaseReport } from "../report/base_report.ts";
import { type FormatOptions, reportChunks, type ReportFormat } from "../report/formats.ts";
import { generatedAt } from "../report/generated_at.ts";
import type { Report } from "../report/report.ts";
import { jsonWithoutCommands, withoutCommands } from "../report/text/without_commands.ts";
import { generateTextReport } from "../report/text_report.ts";
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

/** What the end of a file's name promises. */
const EXTENSIONS: Readonly<Record<string, readonly ReportFormat[]>> = {
  json: ["json"],
  txt: ["text"],
  md: ["markdown"],
  info: ["lcov"],
  lcov: ["lcov"],
  xml: ["cobertura", "junit"],
  sarif: ["sarif"],
  svg: ["badge"],
};

/** What the reports are called that some options change. */
const FORMAT_NOUNS: Readonly<Partial<Record<ReportFormat, string>>> = {
  markdown: "Markdown report",
  badge: "badge",
  text: "text report",
};

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
    const formatOptions: Omit<FormatOptions, "source"> = {
      view: () => map.descriptionView(result),
      base,
      thresholds,
      badge: options.badgeDimensions.flat(),
    };
    for (const output of outputs) {
      const source = () => sources.of(output);
      await write(result, output, { ...formatOptions, source }, options, host);
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
  const extension = /\.(\w+)$/.exec(output ?? "")?.[1]?.toLowerCase() ?? "";
  const meant = Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension] : undefined;
  if (formats.length > 0 || meant === undefined) return [];
  return [
    `${output} is an HTML page. For ${meant.join(" or ")} add ${
      meant.map((format) => `--format ${format}`).join(" or ")
    }.`,
  ];
}

/** What was asked for and changes nothing: said, since something else was expected of it. */
function unused(options: PublishOptions, outputs: readonly Output[]): string[] {
  const given: readonly (readonly [boolean, string, ReportFormat])[] = [
    [options.baseReport !== undefined, "--base-report", "markdown"],
    [options.badgeDimensions.length > 0, "--badge-dimensions", "badge"],
    [options.showMissing.length > 0, "--show-missing", "text"],
    [options.skipCovered, "--skip-covered", "text"],
    [options.skipEmpty, "--skip-empty", "text"],
  ];
  return given.filter(([isGiven, , format]) =>
    isGiven && !outputs.some((output) => output.format === format)
  ).map(([, option, format]) =>
    `${option} is ignored without a ${FORMAT_NOUNS[format]}: add --format ${format}.`
  );
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
      throw complain("This is no JSON. Write the report with --format json.", error);
    }
    throw error instanceof TypeError ? complain(error.message, error) : error;
  }
}

async function write(
  result: Report,
  { format, path }: Output,
  formatOptions: FormatOptions,
  options: PublishOptions,
  host: Host,
): Promise<void> {
  const chunks = format === "text"
    ? [terminalText(result, path === undefined ? host.stdout : undefined, options, host)]
    : reportChunks(result, format, formatOptions);
  if (path === undefined) {
    const isJson = format === "json" || format === "sarif";
    const safe = isJson ? jsonWithoutCommands : isLines(format) ? withoutCommands : String;
    for (const chunk of chunks) await host.stdout.write(safe(chunk));
    return;
  }
  await writeOutput(path, chunks);
}

/** Other formats are one line of markup, or escape what a build server would act on. */
function isLines(format: ReportFormat): boolean {
  return format === "text" || format === "markdown";
}

function terminalText(
  result: Report,
  stream: Host["stdout"] | undefined,
  options: PublishOptions,
  host: Host,
): string {
  return generateTextReport(result, {
    width: outputWidth(host.variables, stream),
    colored: isColored(options.color, host.variables, stream),
    skipCovered: options.skipCovered,
    skipEmpty: options.skipEmpty,
    showMissing: options.showMissing.flat(),
  });
}

function reportTime(host: Host): string {
  try {
    return generatedAt(host.variables["SOURCE_DATE_EPOCH"], host.now());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(error.message, error);
  }
}
