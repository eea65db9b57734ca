/**
 * Runs the study in tests/study/README.md.
 *
 *     deno task study                     every server; continues where it was interrupted
 *     deno task study --small             two servers and smaller samples, in about ten minutes
 *     deno task study soul                only this server; the page isn't changed
 *     deno task study --page              only the tables and plots, from the raw results
 *     deno task study --seed 7            other samples; results are written to .cache/study, not to the page
 *
 * @module
 */
import { parseArgs } from "node:util";
import { print } from "../../scripts/print.ts";
import { ROOT } from "../../scripts/source_files.ts";
import config from "../../deno.json" with { type: "json" };
import { analyze } from "./analysis.ts";
import { writePage } from "./page.ts";
import {
  readCompressed,
  readResults,
  RESULTS,
  type ServerResult,
  type StudyResults,
  writeCompressed,
} from "./results.ts";
import { type Extent, runServer } from "./run_server.ts";
import { SERVERS } from "./servers.ts";

const CACHE = `${ROOT}/.cache/study`;

const FULL: Extent = { seed: "1", mutants: 400, units: Infinity, suites: 300, suitesEach: 100 };
const SMALL: Extent = { seed: "1", mutants: 60, units: 200, suites: 100, suitesEach: 40 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    small: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
  },
});

const isPublished = !values.small && values.seed === FULL.seed;
const path = isPublished
  ? RESULTS
  : new URL(`file://${CACHE}/results-${values.small ? "small-" : ""}${values.seed}.json.gz`);
if (!values.page) {
  const all = values.small ? SERVERS.slice(0, 2) : SERVERS;
  const chosen = positionals.length === 0
    ? all
    : SERVERS.filter(({ name }) => positionals.includes(name));
  for (const server of chosen) {
    const extent = { ...values.small ? SMALL : FULL, seed: values.seed };
    const result = await runServer(server, `${CACHE}/${server.name}`, extent, print);
    const known: readonly ServerResult[] = readCompressed<StudyResults>(path)?.servers ?? [];
    const others = known.filter(({ name }) => name !== server.name);
    const order = SERVERS.map(({ name }) => name);
    const servers = [...others, result].sort((one, other) =>
      order.indexOf(one.name) - order.indexOf(other.name)
    );
    writeCompressed({ covtool: config.version, servers }, path);
  }
}
if (positionals.length === 0) {
  const results = readResults(path);
  const analysis = analyze(results);
  writeCompressed({ ...results, analysis }, path);
  writePage(results, analysis, isPublished ? `${ROOT}/docs` : CACHE);
  print(isPublished ? "docs/evidence.md" : `${CACHE}/evidence.md`);
}
