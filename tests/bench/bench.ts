/**
 * Measures covtool on real descriptions, each time as a ratio to a floor measured in the same run: the least that any
 * tool would have to do. Prints tables in Markdown.
 *
 *     deno task bench                     the tables of docs/performance.md
 *     deno task bench Stripe Zoom         only these descriptions
 *     deno task bench command suggest     only these tables: load, corpus, record, growth, operations, report,
 *                                         command, merge, watch, suggest
 *     deno task bench --write             also writes the tables into the page
 *     deno task bench --interactions=1000000   also records this many, generated in chunks (ten minutes more)
 *
 * Other tables are only made on request:
 *
 *     deno task bench read --megabytes=200,2000 --layout=har      reading large recordings (traffic, lines, har)
 *     deno task bench threads --megabytes=1000 --layout=traffic   the gain from a second thread
 *     deno task bench hits GitHub --interactions=1000,100000      the size of hits
 *     deno task bench recorder --rounds=5 -- python3 -m pytest    the cost of recording for a test suite
 *     deno task bench proxy                                       the proxy compared with mitmdump (or `MITMDUMP`)
 *     deno task bench memory --interactions=1000000               the proxy's memory
 *     deno task bench servers                                     suggestions sent to servers of four frameworks
 *
 * These tables use covtool's sources, or another program with `--program=dist/covtool`. The column of the program needs
 * the output of `deno task build` in dist.
 *
 * Descriptions are downloaded from npm on first use (about 90 MB) and kept in .cache/bench. Compare ratios, not
 * seconds, because machines and their load differ.
 *
 * @module
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { print } from "../../scripts/print.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { DESCRIPTIONS } from "./descriptions.ts";
import { MORE_TABLES } from "./more_tables.ts";
import { type MakeTable, PAGE_TABLES } from "./tables.ts";

const PAGE = join(ROOT, "docs/performance.md");
const TABLES: Readonly<Record<string, MakeTable>> = { ...PAGE_TABLES, ...MORE_TABLES };
/** The end of a table in the page: the next table, or the end marker. */
const END = "(?=\n### |\n<!-- tables end)";

/** The page with new tables in place of those with the same titles. */
function withTables(page: string, tables: readonly string[]): string {
  return tables.flatMap((text) => text.split(/\n(?=### )/)).reduce((page, text) => {
    const title = text.slice(0, text.indexOf("\n"));
    const known = new RegExp(`^${RegExp.escape(title)}\n[^]*?${END}`, "m");
    if (!known.test(page)) throw new Error(`${PAGE} has no table "${title}" to replace.`);
    return page.replace(known, () => text);
  }, page);
}

const end = Deno.args.indexOf("--");
const own = end < 0 ? Deno.args : Deno.args.slice(0, end);
const named = own.filter((argument) => !argument.startsWith("--"));
const unknown = named.filter((name) => !(name in DESCRIPTIONS) && !(name in TABLES));
if (unknown.length > 0) {
  const known = [...Object.keys(DESCRIPTIONS), ...Object.keys(TABLES)].join(", ");
  print(`There is no description or table ${unknown.join(", ")}. Choose of: ${known}.`);
  Deno.exit(1);
}
const descriptions = named.filter((name) => name in DESCRIPTIONS);
const chosen = named.filter((name) => name in TABLES);
const isWritten = own.includes("--write");
const tables: string[] = [];
for (const name of chosen.length > 0 ? chosen : Object.keys(PAGE_TABLES)) {
  const text = await TABLES[name]?.({
    chosen: descriptions.length > 0 ? descriptions : undefined,
    option: (name) =>
      own.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3),
    command: end < 0 ? [] : Deno.args.slice(end + 1),
    isWritten,
  });
  if (!text) continue;
  print(text);
  tables.push(text);
}
if (isWritten) writeFileSync(PAGE, withTables(readFileSync(PAGE, "utf8"), tables));
Deno.exit(0); // child processes may hold its streams open
