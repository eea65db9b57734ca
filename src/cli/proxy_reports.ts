import { Ansis } from "ansis";
import type { CoverageMap } from "../coverage_map.ts";
import { fileErrorSentence } from "../files.ts";
import type { Thresholds } from "../map/thresholds.ts";
import type { Proxy } from "../proxy/proxy_options.ts";
import { CommandError } from "./command_error.ts";
import type { Host } from "./host.ts";
import type { Output } from "./outputs.ts";
import type { ProxyCommandOptions } from "./proxy_options.ts";
import { summaryText } from "./summary_text.ts";
import { isColored, outputWidth } from "./terminal.ts";

/**
 * Writes the reports of a session, and says what came of it.
 *
 * @returns 1 where a threshold is not met, else 0.
 * @throws {CommandError} where a report cannot be written.
 */
export async function proxyReports(
  map: CoverageMap,
  options: ProxyCommandOptions,
  host: Host,
  outputs: readonly Output[],
  proxy: Proxy,
): Promise<number> {
  const { title } = options;
  const thresholds: Thresholds = {
    base: options.failUnder,
    operations: options.failUnderOperations,
    parameters: options.failUnderParameters,
    keywords: options.failUnderKeywords,
    examples: options.failUnderExamples,
    responses: options.failUnderResponses,
  };
  for (const { format, path } of outputs) {
    if (path === undefined) {
      await host.stdout.write(
        format === "text"
          ? map.generateTextReport({
            width: outputWidth(host.variables, host.stdout),
            colored: isColored(options.color, host.variables, host.stdout),
          })
          : map.generateReport({ format, title, thresholds }),
      );
      continue;
    }
    try {
      await map.saveReport({ format, title, thresholds, outputFile: path });
    } catch (error) {
      throw new CommandError(`Cannot write ${path}: ${fileErrorSentence(error)}`, error);
    }
  }
  const shortfalls = map.checkThresholds(thresholds);
  await host.stderr.write(summaryText(map.report({ title }), {
    width: outputWidth(host.variables, host.stderr),
    colors: new Ansis(isColored(options.color, host.variables, host.stderr) ? 1 : 0),
    written: [
      ...outputs.flatMap(({ path }) => path === undefined ? [] : [path]),
    ],
    isShown: outputs.some(({ path }) => path === undefined),
    warnings: [],
    nothingRecorded: silence(options, proxy),
    shortfalls,
  }));
  return shortfalls.length > 0 ? 1 : 0;
}

/** Why nothing was recorded. */
function silence(options: ProxyCommandOptions, proxy: Proxy): string {
  if (proxy.requests > 0) {
    return "Requests passed through, but none to a host that is recorded. Check --intercept, --pass-through and the host of --base-path.";
  }
  return options.reverse === undefined
    ? `No request reached the proxy. Is HTTP_PROXY set to ${proxy.url} where the client runs? NO_PROXY often covers localhost: empty it. A client that cannot be pointed at a proxy needs --reverse.`
    : `No request reached the proxy. Do the clients call ${proxy.url} instead of ${options.reverse}?`;
}
