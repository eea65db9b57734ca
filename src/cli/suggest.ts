import { mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describeTests } from "../coverage_map/describe_tests.ts";
import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import { suggestFor } from "../coverage_map/suggest_for.ts";
import { fileErrorSentence } from "../files/files.ts";
import { OutputGuard } from "../files/output_guard.ts";
import { writeIfAbsent } from "../files/write_new_file.ts";
import { withoutCommands } from "../report/text/plain_text.ts";
import { formatAmount, sentenceList } from "../report/wording/amounts.ts";
import { CommandError } from "../run/command_error.ts";
import { printSentences } from "../run/error_sentences.ts";
import type { Host } from "../run/host.ts";
import { locateTests } from "../run/locate_tests.ts";
import { measureKeepingRequests } from "../run/measure.ts";
import { type Gap, gapKind, type GapKindName } from "../map/results.ts";
import { isStandardOutput, writeOutput } from "../run/outputs.ts";
import { SUGGESTION_FORMATS } from "../suggest/formats/suggestion_formats.ts";
import type { SuggestedTest, TestFormat } from "../suggest/formats/tests/test_format.ts";
import { TEST_FORMATS } from "../suggest/formats/tests/test_formats.ts";
import { SuggestError, type Suggestions, VALUES_NOT_COUNTED } from "../suggest/suggestion.ts";
import { groupItems } from "../values/collections.ts";
import type { Configured } from "./command_groups.ts";

export async function suggest(options: Configured<"suggest">, host: Host): Promise<number> {
  const path = isStandardOutput(options.suggestionOutput) ? undefined : options.suggestionOutput;
  const tests = TEST_FORMATS.find(({ name }) => name === options.suggestionFormat);
  const guard = new OutputGuard(
    tests === undefined ? [{ name: "The file of suggestions", path }] : [],
  );
  const { map, warnings } = await measureKeepingRequests(options, host, guard);
  const suggestions = makeSuggestions(map, options);
  const written = tests === undefined
    ? await writeRequests(suggestions, map, options.suggestionFormat, path, host)
    : await writeTests(describeTests(map, suggestions.requests), tests, path, host);
  await printSentences(host, [
    ...warnings.map((warning) => `Warning: ${warning}`),
    summary(suggestions),
    ...written,
  ]);
  return 0;
}

async function writeRequests(
  suggestions: Suggestions,
  map: MeasuredApi,
  name: string,
  path: string | undefined,
  host: Host,
): Promise<string[]> {
  const format = SUGGESTION_FORMATS.find((one) => one.name === name);
  const text = format?.write(suggestions, `${map.report().title}: what to send next`) ?? "";
  if (path === undefined) {
    await host.stdout.write(name === "text" ? withoutCommands(text) : text);
    return [];
  }
  await writeOutput(path, [text]);
  return [`Suggestions: ${path}`];
}

function makeSuggestions(map: MeasuredApi, options: Configured<"suggest">): Suggestions {
  const { limit, server, seed, operation: operations } = options;
  const gaps = options.gap.length === 0 ? undefined : options.gap;
  const kinds = gapKinds(map, options.kinds);
  try {
    // HAR and JSON are read as recordings by other programs, which need real URLs.
    const serverPlaceholder = !["har", "json"].includes(options.suggestionFormat);
    const wanted = { gaps, operations, kinds, limit, server, seed, serverPlaceholder };
    const found = suggestFor(map, wanted);
    return { ...found, requests: locateTests(found.requests) };
  } catch (error) {
    throw suggestError(error);
  }
}

/** Turns an error about the requested gaps into one for the user. Returns other errors unchanged. */
export function suggestError(error: unknown): unknown {
  if (!(error instanceof SuggestError)) return error;
  return new CommandError(
    error.code === "no_server"
      ? "The description names no server with a host. Say where requests go: --server http://localhost:3000"
      : error.message,
    error,
  );
}

/**
 * Returns the kinds of gaps by their names. Undefined for all kinds.
 *
 * @throws {CommandError} if only values are requested, but the API doesn't count them.
 */
export function gapKinds(
  map: MeasuredApi,
  names: readonly (readonly GapKindName[])[],
): readonly Gap["kind"][] | undefined {
  const all = new Set(names.flat());
  if (all.size === 1 && all.has("values") && !map.countsValues) {
    throw suggestError(new SuggestError("values_not_counted", VALUES_NOT_COUNTED));
  }
  return all.size === 0 ? undefined : [...all].map(gapKind);
}

function summary({ requests, unreachable }: Suggestions): string {
  const gaps = requests.reduce((sum, { closes }) => sum + closes.length, 0);
  const closing = requests.length === 1 ? "closes" : "close";
  const never = unreachable.filter(({ impossible }) => impossible).length;
  const open = unreachable.length - never;
  return [
    `${formatAmount(requests.length, "request")} ${closing} ${formatAmount(gaps, "gap")}.`,
    ...(never === 0 ? [] : [`No request can close ${formatAmount(never, "gap")}.`]),
    ...(open === 0 ? [] : [`None was found for ${formatAmount(open, "gap")}.`]),
  ].join(" ");
}

/** Writes tests to standard output, to one file, or to a folder with a file per group. Never overwrites a file. */
async function writeTests(
  all: readonly SuggestedTest[],
  format: TestFormat,
  path: string | undefined,
  host: Host,
): Promise<string[]> {
  const tests = all.filter((test) => format.refuses?.(test) !== true);
  const refused = all.length - tests.length;
  const sentences = refused === 0
    ? []
    : [`${format.name} cannot send ${formatAmount(refused, "request")}, left out.`];
  if (tests.length === 0) return sentences;
  if (path === undefined) {
    await host.stdout.write(format.write(tests, "api"));
    return sentences;
  }
  const isFile = path.endsWith(format.extension);
  const name = basename(path, format.extension).replace(/^test_|Test$/g, "");
  // Groups may share a file: in Go, `user-groups` and `usergroups` do, elsewhere names that differ in case alone.
  const files = groupItems(
    tests,
    ({ group }) => isFile ? name : format.fileName(group).toLowerCase(),
  );
  const kept: string[] = [];
  let written = 0;
  for (const members of files.values()) {
    const group = isFile ? name : members[0]?.group ?? name;
    const file = isFile ? path : join(path, format.fileName(group));
    try {
      await mkdir(dirname(file), { recursive: true });
      if (await writeIfAbsent(file, format.write(members, group))) written++;
      else kept.push(file);
    } catch (error) {
      throw new CommandError(`Cannot write ${file}: ${fileErrorSentence(error)}`, error);
    }
  }
  if (kept.length > 0) {
    sentences.push(
      `${sentenceList(kept)} ${kept.length === 1 ? "exists and is" : "exist and are"} left alone.`,
    );
  }
  if (written > 0) {
    sentences.push(
      isFile ? `Tests: ${path}` : `Tests: ${formatAmount(written, "file")} in ${path}`,
    );
  }
  return sentences;
}
