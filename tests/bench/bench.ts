/**
 * Measures covtool on real descriptions, each time as a ratio to a floor that is taken in the same run: what any tool
 * would have to do at least. Prints tables in Markdown.
 *
 *     deno task bench                     the tables of docs/performance.md
 *     deno task bench Stripe Zoom         of these descriptions only
 *     deno task bench command suggest     these tables only, of theirs: load, corpus, record, growth, operations, report,
 *                                         command, merge, watch, suggest
 *     deno task bench --write             writes them into the page as well
 *     deno task bench --interactions=1000000   that many recorded, made and dropped in chunks (ten minutes more)
 *
 * Other tables are made only where they are named:
 *
 *     deno task bench read --megabytes=200,2000 --layout=har      reading large recordings (traffic, lines, har)
 *     deno task bench threads --megabytes=1000 --layout=traffic   what a second thread is worth
 *     deno task bench hits GitHub --interactions=1000,100000      how large hits get
 *     deno task bench recorder --rounds=5 -- python3 -m pytest    what recording costs a suite of tests
 *     deno task bench proxy                                       the proxy beside mitmdump (or `MITMDUMP`)
 *     deno task bench memory --interactions=1000000               what the proxy holds in memory
 *     deno task bench servers                                     suggestions, sent to servers of four frameworks
 *
 * These take covtool from the sources; `--program=dist/covtool` names another one. The column of the program is filled
 * where `deno task build` has put one into dist.
 *
 * Descriptions come from npm when first needed (about 90 MB) and are kept in .cache/bench. Compare ratios, never
 * seconds: machines differ, and neighbours are noisy.
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
/** What ends a table of the page: the next one, or the end of them. */
const END = "(?=\n### |\n<!-- tables end)";

/** The page with tables in place of those with the same titles. */
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
Deno.exit(0); // processes that were measured may hold its streams open
