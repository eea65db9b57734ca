import { defaultFileName, formatList, REPORT_FORMATS } from "../../report/reporters.ts";
import { USAGE_REPORTERS } from "../../report/usage/usage_reporters.ts";
import { SUGGESTION_FORMAT_NAMES, TEST_FORMAT_NAMES } from "../../suggest/formats/format_names.ts";
import { group, many, negatable, one, rest, toggle, withDefault } from "./option.ts";
import { checkedText, integer, path, readText, text } from "./option_kind.ts";
import {
  BASE_PATH,
  BYTES,
  checkServer,
  choice,
  COMPARE_FAIL_ON,
  DURATION_SECONDS,
  GAP_KIND_LIST,
  HOST_PATTERN,
  OUTPUT,
  output,
  readHeader,
  readRate,
  TEST_FORMAT,
} from "./option_kinds.ts";
import { MUTATION_LEVELS, type MutationLevel } from "../../mutate/levels.ts";

const GAP_ID = readText("ID", (id) => id.trim().toLowerCase());

const COMPARE_FORMATS = formatList(USAGE_REPORTERS.map(({ name }) => name))
  .replace("html", "html (default)");

const SEED = {
  seed: one(
    text("TEXT"),
    "Vary names, e-mail addresses, numbers and the like in what creates or changes something by this text, such as the number of the run: for APIs that refuse what they have (default: the same values every time).",
    { key: false },
  ),
};

const SERVER = {
  server: one(
    text("URL"),
    "URL to append the paths of requests to (default: the one most of the traffic was sent to, then the first of `servers`).",
  ),
};

const UPSTREAM = {
  upstreamProxy: one(
    text("URL"),
    "Proxy to reach servers through: http://user:password@proxy.example:3128.",
  ),
  insecure: toggle("Accept any server certificate (for test servers)."),
};

/** Options of single commands. Keys that would clash with those of reports are prefixed with the command. */
export const COMMAND_GROUPS = {
  testCommand: group(undefined, {
    command: rest(
      text("COMMAND"),
      "Command that runs the tests, after --. Tests that load covtool record their traffic.",
      { key: false },
    ),
  }),
  proxiedCommand: group(undefined, {
    command: rest(
      text("COMMAND"),
      "Command to run, after --, with variables that point HTTP clients at the proxy. With --reverse it gets the proxy's URL as COVTOOL_URL, and nothing else. The proxy stops when the command ends.",
      { key: false },
    ),
  }),
  listening: group("Proxy", {
    port: one(
      integer("PORT", 0, 65_535),
      "Port to listen on (default: 8080, or the next free port).",
      { short: "-p" },
    ),
    host: one(text("ADDRESS"), "Address to listen on (default: this machine only)."),
    reverse: one(
      text("URL"),
      "Act as a reverse proxy for this server. Clients call the proxy instead of it.",
    ),
    ...UPSTREAM,
    intercept: many(
      HOST_PATTERN,
      "Record only this host, such as api.example, *.example or localhost:8080 (default: all hosts, or the host of --base-path). Can be repeated.",
    ),
    passThrough: many(
      HOST_PATTERN,
      "Forward traffic of this host without decrypting or recording it. Can be repeated.",
    ),
    exportCa: one(
      path("PATH"),
      "Copy the CA certificate that clients must trust to this file (default: /tmp/covtool-ca.pem, or the temporary folder on Windows). Never replaces links or other files.",
    ),
    printCaHelp: toggle("Print certificate trust instructions and exit.", { key: false }),
    verbose: toggle("Print each request.", { short: "-v" }),
  }, "proxy"),
  proxyRecording: group("Recording", {
    saveTraffic: one(
      path("PATH"),
      "Append traffic to this file as it arrives, with passwords, tokens and keys masked.",
    ),
    redact: withDefault(
      true,
      toggle("Keep passwords, tokens, keys and cookies readable in the --save-traffic file.", {
        shown: "negative",
        keyHelp:
          "Mask passwords, tokens, keys and cookies in the saveTraffic file (default: true).",
      }),
    ),
    bodyLimit: one(
      BYTES,
      "Bytes of each body to record, of requests and responses (default: 10M). Longer bodies are still forwarded in full.",
    ),
  }, "proxy"),
  mutatedCommand: group(undefined, {
    command: rest(
      text("COMMAND"),
      "Command that runs the tests, after --, with variables that point HTTP clients at covtool. With --reverse it gets the URL to call as COVTOOL_URL.",
      { key: false },
    ),
  }),
  mutating: group("Changes", {
    budget: one(
      DURATION_SECONDS,
      "Time for all runs together, such as 90s, 10m or 1h (default: 10m, or none with --runs).",
    ),
    runs: one(integer("N", 3), "Number of runs, the two without changes included."),
    level: withDefault(
      "properties",
      one(
        choice<MutationLevel>({ noun: "level", metavar: "LEVEL", names: MUTATION_LEVELS }),
        "bodies: statuses and whole bodies. properties (default): also each property, list and header, removed or empty. values: also with another value.",
      ),
    ),
    operation: many(
      text("NAME"),
      'Change only responses of this operation: its operationId, or "GET /path". Can be repeated.',
    ),
    timeout: one(
      DURATION_SECONDS,
      "Time for one run, after which it is ended, which counts as a test that fails (default: three times the longest run that passed, 10s at least).",
    ),
    before: one(
      text("COMMAND"),
      "Shell command to run before each run of the tests, such as one that resets a database.",
    ),
    resume: one(
      path("PATH", [".hits"]),
      "Hits file to keep results in while covtool runs. If it exists, go on from there.",
    ),
    dryRun: toggle("Run the tests twice without changes, list what would be changed, and exit."),
  }, false),
  mutatedServer: group("Proxy", {
    reverse: one(
      text("URL"),
      "Act as a reverse proxy for this server. Clients call the URL in COVTOOL_URL instead of it.",
    ),
    ...UPSTREAM,
  }, false),
  mergedHits: group(undefined, {
    traffic: rest(
      path("HITS"),
      "Hits files of --format hits: files, folders, glob patterns, or - for standard input, with one or more of them, one per line. Recordings are added too.",
    ),
  }),
  merged: group("Output", {
    mergedOutput: one(
      path("PATH", [".hits"]),
      `File for the merged hits (default: ${defaultFileName("hits")}); - for standard output.`,
      { flag: "output", key: false, short: "-o" },
    ),
    formats: many(
      OUTPUT,
      `Report to write as well: ${
        formatList(REPORT_FORMATS)
      }, optionally with a path. Can be repeated.`,
      { key: "format" },
    ),
  }),
  usageSides: group("Traffic", {
    tests: many(
      path("TESTS"),
      "Recordings or hits of tests: files, folders, glob patterns, or - for standard input.",
    ),
    production: many(path("LOGS"), "Logs, recordings or hits of production, likewise."),
    productionBasePath: one(
      BASE_PATH,
      "Path prefix of production's traffic, where it differs from that of tests (default: --base-path).",
    ),
  }, "compare"),
  usageReports: group("Reports", {
    compareFormats: many(
      output(USAGE_REPORTERS),
      `${COMPARE_FORMATS}, optionally with a path. Can be repeated. Without a path, HTML is written to compare.html, other formats to standard output.`,
      {
        key: "format",
        keyHelp: "Report to write: html (default), json, text or markdown, optionally with a path.",
      },
    ),
    compareOutput: one(path("PATH"), "File for a single report; - for standard output.", {
      key: "output",
      short: "-o",
    }),
  }, "compare"),
  usageThresholds: group("Thresholds", {
    compareFailOn: many(
      COMPARE_FAIL_ON,
      "Exit with 1 on these comma-separated conditions: untested-used (production uses what tests don't; =N%: what makes up N% of its requests or more), no-traffic. Can be repeated.",
      {
        key: "failOn",
        keyHelp:
          "Exit with 1 on these conditions: `untested-used`, with `=N%` only for what makes up N% of production's requests or more, and `no-traffic`.",
      },
    ),
  }, "compare"),
  knownTraffic: group(undefined, {
    traffic: rest(
      path("TRAFFIC"),
      "Recordings and hits files, as covtool report takes them (default: none, so everything is a gap).",
    ),
  }),
  suggesting: group("Suggestions", {
    suggestionFormat: withDefault(
      "text",
      one(
        choice({
          noun: "format",
          metavar: "FORMAT",
          names: [...SUGGESTION_FORMAT_NAMES, ...TEST_FORMAT_NAMES],
          meanings: { rest: "http", sh: "curl", shell: "curl", traffic: "json", js: "k6" },
        }),
        "text (default), curl, http: for REST clients in editors, json: a traffic file, har, postman; tests: vitest, jest, node-test, deno-test, playwright, supertest, pytest (Requests), junit (REST Assured), go-test, hurl, k6.",
        { flag: "format" },
      ),
    ),
    suggestionOutput: one(
      path("PATH"),
      "Output file (default: -, standard output). For tests, the folder that gets a file for each tag; files that exist are left alone.",
      { flag: "output", short: "-o" },
    ),
    limit: one(
      integer("N", 1),
      "Largest number of requests, the first of all (default: no limit).",
    ),
    gap: many(GAP_ID, "Only requests that close this gap. Can be repeated."),
    ...SEED,
    operation: many(
      text("NAME"),
      'Only requests of this operation: its operationId, or "GET /path". Can be repeated.',
    ),
    kinds: many(
      GAP_KIND_LIST,
      "Comma-separated kinds of gaps to close: operations, parameters, keywords, examples, responses, values (default: all).",
    ),
    server: one(
      text("URL"),
      "URL to append the paths to (default: the one most of the traffic was sent to, then the first of `servers`).",
    ),
  }, false),
  missingGaps: group("Text reports", {
    gap: many(
      GAP_ID,
      "List only this gap with --show-missing, or alone (default: all gaps). Can be repeated.",
    ),
  }, false),
  listing: group("Gaps", {
    listFormat: withDefault(
      "text",
      one(
        choice<"text" | "json" | "markdown">({
          noun: "format",
          metavar: "FORMAT",
          names: ["text", "json", "markdown"],
          meanings: { md: "markdown" },
        }),
        "text (default), json: a line for each gap, or markdown.",
        { flag: "format" },
      ),
    ),
    listOutput: one(path("PATH"), "Output file (default: -, standard output).", {
      flag: "output",
      short: "-o",
    }),
    limit: withDefault(10, one(integer("N", 1), "Number of gaps (default: 10).")),
    gap: many(GAP_ID, "Only this gap. Can be repeated."),
    operation: many(
      text("NAME"),
      'Only gaps of this operation: its operationId, or "GET /path". Can be repeated.',
    ),
    kinds: many(
      GAP_KIND_LIST,
      "Comma-separated kinds of gaps: operations, parameters, keywords, examples, responses, values (default: all).",
      { alias: "kind" },
    ),
    production: many(
      path("LOGS"),
      "Logs, recordings or hits of production: what customers use most comes first. Can be repeated.",
    ),
    ...SERVER,
  }, false),
  serving: group("Tests", {
    testFormat: withDefault(
      "vitest",
      one(
        TEST_FORMAT,
        "Framework of the tests that are suggested where a call names none (default: vitest).",
        { flag: "format" },
      ),
    ),
    ...SERVER,
  }, false),
  verifying: group("Gaps", {
    gap: many(GAP_ID, "Gap to verify, such as g-7f3k2p0c. Can be repeated. Required."),
    verifyFormat: withDefault(
      "text",
      one(
        choice<"text" | "json">({ noun: "format", metavar: "FORMAT", names: ["text", "json"] }),
        "text (default) or json.",
        { flag: "format" },
      ),
    ),
  }, false),
  probedTraffic: group(undefined, {
    traffic: rest(
      path("TRAFFIC"),
      "Recordings and hits files, as covtool report takes them: what they cover isn't sent again (default: none).",
    ),
  }),
  probing: group("Probing", {
    server: one(
      checkedText("URL", checkServer),
      "URL of the API, to which the paths of the description are appended. Nothing is sent to any other host. Required.",
    ),
    unsafe: toggle(
      "Also send POST, PUT, PATCH, DELETE and other methods that change data (default: GET, HEAD and OPTIONS alone).",
    ),
    asIdentities: toggle(
      "Send what tells who may do what, as each identity of the config file, instead of what closes gaps.",
      { flag: "identities" },
    ),
    dryRun: toggle("With --identities: list the requests, and send none."),
    ...SEED,
    header: many(
      checkedText("NAME: VALUE", readHeader),
      'Header field of every request, such as "Authorization: Bearer …". Can be repeated. Its value is masked in files.',
    ),
    gap: many(GAP_ID, "Only requests that close this gap. Can be repeated."),
    rate: one(
      checkedText("N/s", readRate),
      "Most requests per second (default: one after the other, without a pause).",
    ),
    max: withDefault(1000, one(integer("N", 1), "Most requests (default: 1000).")),
    time: withDefault(300, one(integer("SECONDS", 1), "Most seconds (default: 300).")),
    saveTraffic: one(
      path("PATH"),
      "Keep the requests and answers, with credentials masked, in a traffic file, which covtool report reads. If it exists, add to it.",
    ),
    bodyLimit: one(BYTES, "Largest body of a response to keep (default: 1mb)."),
  }, false),
  converted: group(undefined, {
    traffic: rest(
      path("TRAFFIC"),
      "Recordings in any format that covtool report reads: files, folders, glob patterns, or - for standard input.",
      { missing: "No recording given. Name at least one, or - for standard input." },
    ),
  }, false),
  converting: group(undefined, {
    output: one(
      path("PATH", [".json", ".jsonl"]),
      "Output file (default: -, standard output).",
      { short: "-o" },
    ),
    format: one(
      choice<"json" | "jsonl">({ noun: "format", metavar: "FORMAT", names: ["json", "jsonl"] }),
      "json: one document. jsonl: one request per line, which can be appended to. Default: from the file name.",
    ),
    schema: one(
      path("SCHEMA", [".json", ".yaml", ".yml"]),
      "OpenAPI description. Names in its security schemes are masked too.",
    ),
    ca: many(
      path("PATH", [".pem", ".crt"]),
      "File with certificate authorities to trust as well, in PEM format, to fetch the description. Can be repeated.",
    ),
    redact: withDefault(
      true,
      toggle("Keep passwords, tokens, keys and cookies readable instead of masking them.", {
        shown: "negative",
      }),
    ),
    responseBodies: negatable(
      "Keep the bodies of responses, or only their headers (default: with bodies).",
    ),
    color: negatable("Turn coloured warnings on or off."),
  }, false),
};
