import { OutputGuard } from "../files/output_guard.ts";
import { formatAmount } from "../report/wording/amounts.ts";
import { withoutCommands } from "../report/text/without_commands.ts";
import { CommandError } from "../run/command_error.ts";
import type { Host } from "../run/host.ts";
import { measureKeeping } from "../run/measure_keeping.ts";
import { isStandardOutput } from "../run/outputs.ts";
import { saidText } from "../run/said_text.ts";
import { writeOutput } from "../run/write_output.ts";
import { SUGGESTION_FORMATS } from "../suggest/formats/suggestion_formats.ts";
import { SuggestError, type Suggestions } from "../suggest/suggestion.ts";
import type { CoverageMap } from "../coverage_map/coverage_map.ts";
import type { SuggestCommandOptions } from "./suggest_options.ts";

/**
 * `covtool suggest`: writes requests that close gaps.
 *
 * @returns the exit code, 0.
 * @throws {CommandError} and the errors of loading and reading, each with a sentence for the user.
 */
export async function suggest(options: SuggestCommandOptions, host: Host): Promise<number> {
  if (options.apis !== undefined) {
    throw new CommandError(
      `${options.schema} names several APIs. Name the description of one: covtool suggest openapi.yaml`,
    );
  }
  const path = isStandardOutput(options.suggestionOutput) ? undefined : options.suggestionOutput;
  const guard = new OutputGuard([{ name: "The file of suggestions", path }]);
  const { map, warnings } = await measureKeeping(options, host, guard);
  const suggestions = suggested(map, options);
  const format = SUGGESTION_FORMATS.find(({ name }) => name === options.suggestionFormat);
  const text = format?.write(suggestions, `${map.report().title}: what to send next`) ?? "";
  if (path === undefined) {
    await host.stdout.write(format?.name === "text" ? withoutCommands(text) : text);
  } else await writeOutput(path, [text]);
  const said = [
    ...warnings.map((warning) => `Warning: ${warning}`),
    summary(suggestions),
    ...(path === undefined ? [] : [`Suggestions: ${path}`]),
  ];
  await host.stderr.write(withoutCommands(`${said.map(saidText).join("\n")}\n`));
  return 0;
}

function suggested(map: CoverageMap, options: SuggestCommandOptions): Suggestions {
  const { limit, server, operation: operations } = options;
  const dimensions = new Set(options.kinds.flat());
  const kinds = dimensions.size === 0
    ? undefined
    : [...dimensions].map((dimension) => KINDS[dimension]);
  try {
    return map.suggestRequests({ operations, kinds, limit, server });
  } catch (error) {
    if (!(error instanceof SuggestError)) throw error;
    throw new CommandError(
      error.code === "no_server"
        ? "The description names no server with a host. Say where requests go: --server http://localhost:3000"
        : error.message,
      error,
    );
  }
}

const KINDS = {
  operations: "operation_uncovered",
  parameters: "parameter_uncovered",
  keywords: "keyword_uncovered",
  examples: "example_uncovered",
  responses: "response_uncovered",
} as const;

function summary({ requests, unreachable }: Suggestions): string {
  const gaps = requests.reduce((sum, { closes }) => sum + closes.length, 0);
  const closing = requests.length === 1 ? "closes" : "close";
  const never = unreachable.filter(({ impossible }) => impossible).length;
  const left = [
    ...never === 0 ? [] : [` No request can close ${formatAmount(never, "gap")}.`],
    ...never === unreachable.length
      ? []
      : [` None was found for ${formatAmount(unreachable.length - never, "gap")}.`],
  ].join("");
  return `${formatAmount(requests.length, "request")} ${closing} ${
    formatAmount(gaps, "gap")
  }.${left}`;
}
