import { listGaps } from "../coverage_map/list_gaps.ts";
import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { type GapList, gapsJson, gapsMarkdown, gapsText } from "../report/gap_list.ts";
import { usableWidth } from "../report/blocks/text_blocks.ts";
import { withoutCommands } from "../report/text/plain_text.ts";
import type { Host } from "../run/host.ts";
import { checkStandardInput } from "../run/load_apis.ts";
import { locateTests } from "../run/locate_tests.ts";
import { measureKeepingRequests } from "../run/measure.ts";
import { isStandardOutput, writeOutput } from "../run/outputs.ts";
import { printSentences } from "../run/error_sentences.ts";
import type { Configured } from "./command_groups.ts";
import { gapKinds, suggestError } from "./suggest.ts";

export async function gaps(options: Configured<"gaps">, host: Host): Promise<number> {
  const path = isStandardOutput(options.listOutput) ? undefined : options.listOutput;
  const guard = new OutputGuard([{ name: "The list of gaps", path }]);
  checkStandardInput([...options.traffic, ...options.production]);
  const { map, warnings } = await measureKeepingRequests(options, host, guard);
  const production = options.production.length === 0
    ? undefined
    : await measureKeepingRequests({ ...options, traffic: options.production }, host, guard);
  const list = listLocatedGaps(map, production?.map, options);
  const text = FORMATS[options.listFormat](list, usableWidth(host.stdout.columns ?? 80));
  if (path === undefined) {
    await host.stdout.write(options.listFormat === "text" ? withoutCommands(text) : text);
  } else await writeOutput(path, [text]);
  await printSentences(host, [
    ...[...warnings, ...production?.warnings ?? []].map((warning) => `Warning: ${warning}`),
    ...(path === undefined ? [] : [`Gaps: ${path}`]),
  ]);
  return 0;
}

const FORMATS: Readonly<
  Record<Configured<"gaps">["listFormat"], (list: GapList, width: number) => string>
> = { text: gapsText, json: gapsJson, markdown: gapsMarkdown };

function listLocatedGaps(
  map: MeasuredApi,
  production: MeasuredApi | undefined,
  { gap, operation, kinds, limit, server }: Configured<"gaps">,
): GapList {
  try {
    const list = listGaps(map, {
      gaps: gap.length === 0 ? undefined : gap,
      operations: operation,
      kinds: gapKinds(map, kinds),
      limit,
      server,
      production,
      workingDirectory: process.cwd(),
    });
    const gaps = list.gaps.map((one) =>
      one.suggestion === undefined ? one : { ...one, suggestion: locateTests([one.suggestion])[0] }
    );
    return { ...list, gaps };
  } catch (error) {
    throw suggestError(error);
  }
}
