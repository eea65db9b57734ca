import { Ansis } from "ansis";
import { fileErrorSentence, writeTextFile } from "../files.ts";
import { reportChunks } from "../report/formats.ts";
import { generatedAt } from "../report/generated_at.ts";
import type { Report } from "../report/report.ts";
import { generateTextReport } from "../report/text_report.ts";
import { CommandError } from "./command_error.ts";
import type { Host } from "./host.ts";
import { measure } from "./measure.ts";
import { chooseOutputs, type Output } from "./outputs.ts";
import type { ReportOptions } from "./report_options.ts";
import { summaryText } from "./summary_text.ts";
import { isColored, outputWidth } from "./terminal.ts";

/**
 * `covtool report`: measures recorded traffic against a description and writes the reports.
 *
 * @returns the exit code: 1 where a threshold is not met.
 * @throws {CommandError} and the errors of loading and reading, each with a sentence for the user.
 */
export async function report(options: ReportOptions, host: Host): Promise<number> {
  const outputs = chooseOutputs(options.formats, options.output);
  refuseOverwriting(outputs, [options.schema, ...options.traffic]);
  const time = reportTime(host);
  const { map, warnings } = await measure(options, host);
  const result = map.report({ title: options.title, generatedAt: time });
  for (const output of outputs) await write(result, output, options, host);

  const shortfalls = map.checkThresholds({
    base: options.failUnder,
    operations: options.failUnderOperations,
    parameters: options.failUnderParameters,
    keywords: options.failUnderKeywords,
    examples: options.failUnderExamples,
    responses: options.failUnderResponses,
  });
  const summary = summaryText(result, {
    width: outputWidth(host.variables, host.stderr),
    colors: new Ansis(isColored(options.color, host.variables, host.stderr) ? 1 : 0),
    written: outputs.flatMap(({ path }) => path === undefined ? [] : [path]),
    isShown: outputs.some(({ path }) => path === undefined),
    warnings: [...warnings, ...misnamed(options)],
    shortfalls,
  });
  await host.stderr.write(summary);
  return shortfalls.length > 0 ? 1 : 0;
}

/** A slip such as `--format json=openapi.json` must not cost the description. */
function refuseOverwriting(outputs: readonly Output[], inputs: readonly string[]): void {
  for (const { path } of outputs) {
    if (path !== undefined && inputs.includes(path)) {
      throw new CommandError(
        `The report would overwrite ${path}, which is to be read. Give the report another path.`,
      );
    }
  }
}

/** `-o report.json` alone writes a page: said, since the name promises something else. */
function misnamed({ formats, output }: ReportOptions): string[] {
  const extension = /\.(json|txt)$/i.exec(output ?? "")?.[1]?.toLowerCase();
  if (formats.length > 0 || extension === undefined) return [];
  const format = extension === "json" ? "json" : "text";
  return [`${output} is an HTML page. For ${format} add --format ${format}.`];
}

async function write(
  result: Report,
  { format, path }: Output,
  options: ReportOptions,
  host: Host,
): Promise<void> {
  const chunks = generate(
    result,
    format,
    path === undefined ? host.stdout : undefined,
    options,
    host,
  );
  if (path === undefined) {
    for (const chunk of chunks) await host.stdout.write(chunk);
    return;
  }
  try {
    await writeTextFile(path, chunks);
  } catch (error) {
    throw new CommandError(`Cannot write ${path}: ${fileErrorSentence(error)}`, error);
  }
}

function generate(
  result: Report,
  format: Output["format"],
  stream: Host["stdout"] | undefined,
  options: ReportOptions,
  host: Host,
): Iterable<string> {
  if (format !== "text") return reportChunks(result, format);
  return [generateTextReport(result, {
    width: outputWidth(host.variables, stream),
    colored: isColored(options.color, host.variables, stream),
    skipCovered: options.skipCovered,
    skipEmpty: options.skipEmpty,
    showMissing: options.showMissing.flat(),
  })];
}

function reportTime(host: Host): string {
  try {
    return generatedAt(host.variables["SOURCE_DATE_EPOCH"], host.now());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(error.message, error);
  }
}
