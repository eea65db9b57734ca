// One measurement in a process of its own, so that no other disturbs it: prints a line of JSON. See bench.ts.
import { readFileSync } from "node:fs";
import process from "node:process";
import { CoverageMap } from "../../mod.ts";
import { print } from "../../scripts/print.ts";
import { descriptionPath } from "./descriptions.ts";
import { TrafficGenerator } from "./generate_traffic.ts";
import { fastest, type Measured, megabytes } from "./measured.ts";
import { measureCorpus } from "./measure_corpus.ts";
import { measureGrowth, measureOperations } from "./measure_growth.ts";
import { measureMerge } from "./measure_merge.ts";
import { measureSuggestions, measureSuggestionsOfAll } from "./measure_suggestions.ts";
import { measureWatch } from "./measure_watch.ts";
import { measureRecording, measureValidation } from "./measure_recording.ts";

/** Loading and all totals, against `JSON.parse` of the same text. */
async function load(name: string): Promise<Measured> {
  const path = descriptionPath(name);
  const text = readFileSync(path, "utf8");
  const runs = text.length > 2e7 ? 4 : 9;
  const floor = await fastest(runs, () => JSON.parse(text));
  const floorMegabytes = megabytes();
  let operations = 0;
  let keywords = 0;
  const spent = await fastest(runs, async () => {
    const statistic = (await CoverageMap.fromPath(path)).statistic();
    operations = statistic.operations.total;
    keywords = statistic.keywords.total;
  });
  return {
    bytes: text.length,
    operations,
    keywords,
    floor,
    spent,
    floorMegabytes,
    megabytes: megabytes(),
  };
}

/** Each report of recorded traffic, against `JSON.stringify` of the model. */
async function report(name: string, count: number): Promise<Measured> {
  const path = descriptionPath(name);
  const generator = new TrafficGenerator(JSON.parse(readFileSync(path, "utf8")));
  const map = await CoverageMap.fromPath(path, { basePath: "/" });
  for (let index = 0; index < count; index++) {
    const { request, response, timestamp } = generator.interaction(index);
    map.record(request, response, timestamp);
  }
  const model = map.report();
  const floor = await fastest(3, () => JSON.stringify(model));
  const measured: Measured = { floor, model: await fastest(3, () => map.report()) };
  for (const format of ["json", "html", "text"] as const) {
    measured[format] = await fastest(3, () => map.generateReport({ format }));
    measured[`${format}Bytes`] = map.generateReport({ format }).length;
  }
  return measured;
}

const [what = "", name = "", count = "20000"] = process.argv.slice(2);
const MEASUREMENTS: Readonly<Record<string, () => Promise<Measured>>> = {
  load: () => load(name),
  corpus: measureCorpus,
  watch: measureWatch,
  merge: () => measureMerge(name, Number(count)),
  record: () => measureRecording(name, Number(count)),
  ajv: () => Promise.resolve(measureValidation(name)),
  growth: () => measureGrowth(name, Number(count)),
  operations: () => measureOperations(Number(count)),
  report: () => report(name, Number(count)),
  suggest: () => measureSuggestions(name),
  suggestAll: measureSuggestionsOfAll,
};
print(JSON.stringify(await MEASUREMENTS[what]?.()));
