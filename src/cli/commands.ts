import type { Host } from "../run/host.ts";
import { resolveOptions } from "../run/options/resolve_options.ts";
import { COMMAND_GROUPS, type CommandName, type Configured, type Given } from "./command_groups.ts";
import { configPath, configure, configureReport } from "./configured.ts";

/** A command with its help. Its options are in {@linkcode COMMAND_GROUPS}. */
export interface Command<Values = Readonly<Record<string, unknown>>> {
  readonly brief: string;
  readonly description: string;
  /** The arguments in the usage line (default: none). */
  readonly usage?: readonly string[];
  readonly examples: readonly string[];
  /** Options that take all arguments up to the next option. */
  readonly variadic?: readonly string[];
  /** True if the command runs the program after `--`, which it receives as `command`. */
  readonly runsProgram?: true;
  /** Runs the command and returns its exit code. The modules of a command are loaded only here. */
  run(given: Values, host: Host): Promise<number>;
}

/** Returns a `run` function for a command that needs a description. It throws a usage error if none is named. */
function ofDescription<Name extends CommandName>(
  name: Name,
  load: () => Promise<(options: Configured<Name>, host: Host) => Promise<number>>,
): (given: Given<Name>, host: Host) => Promise<number> {
  return async (given, host) => await (await load())(await configure(name, given), host);
}

/** All commands, by name. To add a command, add an entry here and in {@linkcode COMMAND_GROUPS}. */
export const COMMANDS: { readonly [Name in CommandName]: Command<Given<Name>> } = {
  report: {
    brief: "Report how much of an API recorded traffic exercises.",
    description:
      "Measures how much of the API the recorded traffic exercises, and writes reports. Exits with 1 if a threshold is not met or a --fail-on condition holds.",
    usage: ["[OPTION]...", "[SCHEMA]", "[TRAFFIC...]"],
    examples: [
      "covtool report openapi.yaml traffic.json",
      "covtool report openapi.yaml *.json --format text --show-missing responses",
      "covtool report openapi.yaml - --format json --fail-under 80 < traffic.json",
    ],
    async run(given, host) {
      if (!given.watch) {
        const { report } = await import("./report.ts");
        return await report(await configureReport("report", given), host);
      }
      return await (await import("./watch.ts")).watchReport(given, host);
    },
  },
  run: {
    brief: "Run tests that load covtool, and report what they exercise.",
    description:
      "Runs the command after --, records the traffic of its tests, and measures how much of the API they exercise. Exits with the command's exit code, or 1 if a threshold is not met or a --fail-on condition holds.",
    usage: ["[OPTION]...", "[SCHEMA]", "[-- COMMAND...]"],
    examples: [
      "covtool run openapi.yaml -- deno test -A --preload=npm:covtool/deno",
      "covtool run openapi.yaml --fail-under 80 -- npm test",
      "covtool run openapi.yaml --format text --format json=coverage.json -- npm test",
    ],
    runsProgram: true,
    async run(given, host) {
      const options = await configure("run", given);
      if (!given.watch || options.command.length === 0) {
        return await (await import("./run.ts")).run(options, host);
      }
      const config = configPath(given);
      const { watchRun } = await import("./watch.ts");
      const settings = config === undefined ? [] : [config];
      return await watchRun(() => configure("run", given), settings, host);
    },
  },
  proxy: {
    brief: "Measure live traffic between any client and any server, HTTPS included.",
    description:
      "Forwards requests and measures how much of the API they exercise. Writes reports on Ctrl+C, or when the command after -- ends. Exits with the command's exit code, or 1 if a threshold is not met or a --fail-on condition holds.",
    usage: ["[OPTION]...", "[SCHEMA]", "[-- COMMAND...]"],
    examples: [
      "covtool proxy openapi.yaml",
      "covtool proxy openapi.yaml --fail-under 80 -- npm test",
      "covtool proxy openapi.yaml --reverse http://localhost:3000",
    ],
    runsProgram: true,
    async run(given, host) {
      const options = given.printCaHelp
        ? { ...resolveOptions(COMMAND_GROUPS.proxy, given), schema: "" }
        : await configure("proxy", given);
      return await (await import("./proxy.ts")).proxy(options, host);
    },
  },
  merge: {
    brief: "Add up what several runs, jobs or machines have counted.",
    description:
      "Adds up hits files, which report, run and the test runners write with --format hits, as if one run had recorded it all. Exits with 1 if a threshold is not met or a --fail-on condition holds.",
    usage: ["[OPTION]...", "[SCHEMA]", "[HITS...]"],
    examples: [
      "covtool merge openapi.yaml shards/*.hits -o coverage.hits",
      "covtool merge openapi.yaml shards/ --format html --format text --fail-under 80",
      "cat shards/*.hits | covtool merge openapi.yaml - -o -",
    ],
    async run(given, host) {
      const { mergeHits } = await import("./merge.ts");
      return await mergeHits(await configureReport("merge", given), host);
    },
  },
  "record-hits": {
    brief: "Count lines of traffic on standard input, as one part of many.",
    description:
      "Reads lines of traffic or of an access log on standard input, and writes what it has counted as one line on standard output: hits, which covtool merge adds up. For engines that divide traffic among processes. Lines that cannot be read are left out, with a warning; no lines give hits of nothing.",
    usage: ["[OPTION]...", "[SCHEMA]"],
    examples: [
      "covtool record-hits openapi.yaml < traffic.jsonl > part.hits",
      "parallel --pipepart -a traffic.jsonl covtool record-hits openapi.yaml | covtool merge openapi.yaml -",
    ],
    run: ofDescription("record-hits", async () => (await import("./record_hits.ts")).recordHits),
  },
  compare: {
    brief: "Compare what production uses with what tests exercise.",
    description:
      "Measures the traffic of tests and that of production, and lists what is used and not tested, tested and not used, and used without being documented, most used first. Exits with 1 if a --fail-on condition holds.",
    usage: ["[OPTION]...", "[SCHEMA]", "--tests TESTS... --production LOGS..."],
    examples: [
      "covtool compare openapi.yaml --tests coverage.hits --production logs/*.gz",
      "covtool compare openapi.yaml --tests tests/ --production prod.hits --format markdown",
      "covtool compare openapi.yaml --tests tests/ --production prod.hits --fail-on untested-used=1%",
    ],
    variadic: ["--tests", "--production"],
    run: ofDescription("compare", async () => (await import("./compare.ts")).compare),
  },
  suggest: {
    brief: "Suggest requests that close gaps.",
    description:
      "Makes requests that show what the traffic has not shown yet, and records each before it is shown: it closes what it claims, and breaks one rule at most. Nothing is sent. Credentials are placeholders, such as $TOKEN.",
    usage: ["[OPTION]...", "[SCHEMA]", "[TRAFFIC...]"],
    examples: [
      "covtool suggest openapi.yaml traffic.json --limit 3",
      "covtool suggest openapi.yaml --server http://localhost:3000 --format curl -o requests.sh",
      'covtool suggest openapi.yaml traffic/ --operation "GET /books" --format http',
    ],
    run: ofDescription("suggest", async () => (await import("./suggest.ts")).suggest),
  },
  gaps: {
    brief: "List the gaps worth closing first.",
    description:
      "Lists what the traffic has not shown, each gap with its id, its place in the description, and the request that closes it. Those come first that production uses most (--production), then operations that were never called and parameters that were never sent. Nothing is sent. An id lasts while the description has what it is about.",
    usage: ["[OPTION]...", "[SCHEMA]", "[TRAFFIC...]"],
    examples: [
      "covtool gaps openapi.yaml traffic.json",
      "covtool gaps openapi.yaml traffic/ --limit 3 --format json",
      'covtool gaps openapi.yaml traffic/ --operation "GET /books" --kinds keywords',
    ],
    run: ofDescription("gaps", async () => (await import("./gaps.ts")).gaps),
  },
  verify: {
    brief: "Tell whether traffic closes gaps.",
    description:
      "Tells of gaps, named by their ids, which the traffic closes and by which request and test, and what came nearest to the others. Exits with 1 if one is open, or unknown to the description.",
    usage: ["--gap ID... [OPTION]...", "[SCHEMA]", "[TRAFFIC...]"],
    examples: [
      "covtool verify openapi.yaml traffic.json --gap g-7f3k2p0c",
      "covtool verify openapi.yaml traffic/ --gap g-7f3k2p0c --gap g-04znq8d1 --format json",
    ],
    run: ofDescription("verify", async () => (await import("./verify.ts")).verify),
  },
  mcp: {
    brief: "Serve coverage, gaps and tests to programs that write tests.",
    description:
      "Answers by the Model Context Protocol on standard input and output: coverage, gaps, suggest_test, verify and explain_operation, with each operation as a resource. Reads the inputs again when they have changed; recordings may be written later. Runs nothing, sends nothing, writes no file.",
    usage: ["[OPTION]...", "[SCHEMA]", "[TRAFFIC...]"],
    examples: [
      "covtool mcp openapi.yaml traffic/",
      "covtool mcp openapi.yaml traffic.jsonl --format pytest --server http://localhost:8000",
    ],
    run: ofDescription("mcp", async () => (await import("./mcp.ts")).mcp),
  },
  probe: {
    brief: "Send requests that close gaps to an API, and report what they exercise.",
    description:
      "Sends what covtool suggest suggests to a server that you name, with ids out of its answers, and reports like covtool report. Only methods that change nothing are sent, unless --unsafe is given. Redirects aren't followed. Stops after 5 failed connections or 20 answers of 5xx in a row.",
    usage: ["--server URL [OPTION]...", "[SCHEMA]", "[TRAFFIC...]"],
    examples: [
      "covtool probe openapi.yaml --server http://localhost:3000",
      "covtool probe openapi.yaml traffic.json --server http://localhost:3000 --unsafe --save-traffic probe.jsonl",
      'covtool probe openapi.yaml --server https://test.example/v1 --header "Authorization: Bearer $TOKEN" --rate 5/s',
    ],
    run: ofDescription("probe", async () => (await import("./probe.ts")).probe),
  },
  mutate: {
    brief: "Find what no test would notice if the API's responses changed.",
    description:
      "Runs the tests again and again, each time with parts of the API's responses changed on their way to the tests: the status, the body, a property, a list, a header. A part is noticed if a test fails with the change, and unnoticed if all pass. The server never knows. Exits with 1 if the tests fail without changes, a threshold is not met or a --fail-on condition holds.",
    usage: ["[OPTION]...", "[SCHEMA]", "-- COMMAND..."],
    examples: [
      "covtool mutate openapi.yaml -- npm test",
      "covtool mutate openapi.yaml --level bodies --budget 5m -- pytest",
      "covtool mutate openapi.yaml --reverse http://localhost:3000 -- npm test",
    ],
    runsProgram: true,
    run: ofDescription("mutate", async () => (await import("./mutate.ts")).mutate),
  },
  convert: {
    brief: "Convert recordings to one traffic file, with secrets masked.",
    description:
      "Converts recordings of any format to one traffic file, to keep, merge or share. Masks passwords, tokens, keys and cookies: letters become a or A, digits become 1.",
    usage: ["[OPTION]...", "TRAFFIC..."],
    examples: [
      "covtool convert session.har -o traffic.json",
      "covtool convert cassettes/ newman.json -o traffic.jsonl",
      "covtool convert - < session.har | gzip > traffic.json.gz",
    ],
    async run(given, host) {
      const { convert } = await import("./convert.ts");
      return await convert(resolveOptions(COMMAND_GROUPS.convert, given), host);
    },
  },
  init: {
    brief: "Write a covtool.yaml from what is found here.",
    description:
      "Looks for OpenAPI descriptions, recordings, the test runner and the build in this folder and those below it, and writes covtool.yaml. Never overwrites one.",
    examples: ["covtool init && covtool report"],
    run: async (_given, host) => await (await import("./init.ts")).init(host),
  },
  check: {
    brief: "Check covtool.yaml, what it excludes and the description.",
    description:
      "Says with lines and columns what is wrong with the config file, with exclusions that match nothing or are past their date, and with the description, without measuring. Exits with 1 on errors.",
    usage: ["[OPTION]...", "[SCHEMA]"],
    examples: [
      "covtool check",
      "covtool check --config ci/covtool.yaml",
      'covtool check openapi.yaml --exclude "GET /health"',
    ],
    run: async (given, host) => await (await import("./check.ts")).check(given, host),
  },
};

export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[];

export function findCommand(name: string | undefined): CommandName | undefined {
  return COMMAND_NAMES.find((known) => known === name);
}
