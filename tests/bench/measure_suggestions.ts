import { readFileSync } from "node:fs";
import { CoverageMap, type Gap } from "../../mod.ts";
import { descriptionPath } from "./descriptions.ts";
import { corpusPaths } from "./measure_loading.ts";
import { type Measured, processorTime } from "./measured.ts";

/** Larger descriptions are skipped. */
const MOST_BYTES = 2_000_000;
const SERVER = "http://localhost:3000";

/** Sums over several descriptions. */
class Sums {
  readonly sums: Measured = {};

  add(name: string, value: number): void {
    this.sums[name] = (this.sums[name] ?? 0) + value;
  }
}

/** Measures what suggestions for a description reach without traffic, and their time against loading and recording. */
export async function measureSuggestions(name: string): Promise<Measured> {
  const sums = new Sums();
  await addDescription(descriptionPath(name), sums);
  return sums.sums;
}

/** Measures every description of a package that is small enough. */
export async function measureSuggestionsOfAll(): Promise<Measured> {
  const sums = new Sums();
  for (const path of corpusPaths(MOST_BYTES)) await addDescription(path, sums);
  return sums.sums;
}

async function addDescription(path: string, sums: Sums): Promise<void> {
  JSON.parse(readFileSync(path, "utf8")); // reads the file into the disk cache
  let start = processorTime();
  let map: CoverageMap;
  try {
    map = await CoverageMap.fromPath(path, { values: false });
    map.statistic();
  } catch {
    sums.add("notLoaded", 1);
    return;
  }
  const { requests, unreachable } = map.suggestRequests({ server: SERVER });
  sums.add("spent", processorTime() - start);
  start = processorTime();
  const recorded = await CoverageMap.fromPath(path, { values: false });
  for (const { request } of requests) recorded.record(request);
  const { operations, parameters, keywords, examples } = recorded.statistic();
  sums.add("floor", processorTime() - start);
  sums.add("files", 1);
  sums.add("requests", requests.length);
  sums.add("broken", requests.filter(({ breaks }) => breaks !== null).length);
  sums.add("operations", operations.seen);
  sums.add("operationTotal", operations.total);
  sums.add("parameters", parameters.seen);
  sums.add("parameterTotal", parameters.total);
  sums.add("full", keywords.full);
  sums.add("seen", keywords.full + keywords.partial);
  sums.add("keywordTotal", keywords.total);
  sums.add("examples", examples.seen);
  sums.add("exampleTotal", examples.total);
  const share = keywords.total === 0 ? 1 : keywords.full / keywords.total;
  for (const least of [1, 0.95, 0.8, 0.5]) if (share >= least) sums.add(`from ${least}`, 1);
  const impossible = new Set<string>();
  for (const { gap, reason, impossible: isImpossible } of unreachable) {
    if (gap.kind === "response_uncovered") continue;
    sums.add(`${isImpossible ? "never" : "left"} ${gapKind(gap)}: ${reason}`, 1);
    if (!isImpossible) continue;
    if (gap.kind !== "keyword_uncovered") sums.add(`impossible ${gap.kind}`, 1);
    // If one outcome of a keyword is impossible, so are both together.
    else impossible.add(JSON.stringify({ ...gap, state: "" }));
  }
  sums.add("impossible keyword_uncovered", impossible.size);
  await addValues(path, sums);
}

/** Adds what requests for value classes show. */
async function addValues(path: string, sums: Sums): Promise<void> {
  const map = await CoverageMap.fromPath(path);
  const { requests } = map.suggestRequests({ server: SERVER, kinds: ["value_uncovered"] });
  for (const { request } of requests) map.record(request);
  const { seen = 0, total = 0 } = map.report().summary.values ?? {};
  sums.add("valueRequests", requests.length);
  sums.add("values", seen);
  sums.add("valueTotal", total);
}

function gapKind(gap: Gap): string {
  if (gap.kind !== "keyword_uncovered") return gap.kind.replace("_uncovered", "");
  return `${gap.state} ${gap.schema_path.split("/").at(-1)}`;
}
