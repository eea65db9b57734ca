import assert from "node:assert/strict";
import { run } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";

const CONFORMANCE = `${ROOT}/tests/recorders/conformance/conformance.py`;

/** A JSON report, as far as tests of recorders compare it. */
export interface MeasuredReport {
  readonly traffic: { readonly recorded: number; readonly matched: number };
  readonly [member: string]: unknown;
}

/** True where a command is there and ends well. */
export async function commandWorks(command: string, args: readonly string[]): Promise<boolean> {
  try {
    return (await run(command, args)).code === 0;
  } catch {
    return false;
  }
}

/** Lets a shell find the command `covtool`. */
export const COVTOOL_FUNCTION: string =
  `covtool() { "${Deno.execPath()}" run -A --no-check "${COVTOOL_MODULE}" "$@"; }`;

/** Starts the server of the conformance set for a test, which gets its address. */
export async function withConformanceServer(
  test: (address: string) => Promise<void>,
): Promise<void> {
  const server = new Deno.Command("python3", { args: [CONFORMANCE, "serve"], stdout: "piped" })
    .spawn();
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let address = "";
    while (!address.endsWith("\n")) address += (await reader.read()).value ?? "\n";
    await test(address.trim());
  } finally {
    server.kill();
    await server.status;
    await reader.cancel();
  }
}

/** Checks what a recorder wrote into a folder while the conformance set was sent, but for the cases that it can't send. */
export async function checkConformance(
  folder: string,
  without: string,
  options: readonly string[] = ["--tests"],
): Promise<void> {
  const args = [CONFORMANCE, "check", folder, ...options, "--without", without];
  const { code, out, err } = await run("python3", args);
  assert.equal(code, 0, out + err);
}

/** The JSON report of a covtool command, which may run a suite. */
export async function reportOf(
  cwd: string,
  command: readonly string[],
  suite: readonly string[] = [],
): Promise<MeasuredReport> {
  const folder = await Deno.makeTempDir({ prefix: "covtool" });
  try {
    const file = `${folder}/report.json`;
    const args = ["run", "-A", "--no-check", COVTOOL_MODULE, ...command];
    const { code, out, err } = await run(
      Deno.execPath(),
      [...args, "--format", `json=${file}`, ...suite.length > 0 ? ["--", ...suite] : []],
      { cwd, env: { NO_COLOR: "1" } },
    );
    assert.equal(code, 0, out + err);
    return JSON.parse(await Deno.readTextFile(file)) as MeasuredReport;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Members of a report that differ from one run to the next, or from one way to record to another. */
const BY_RUN = new Set([
  "generated_at",
  "first_at",
  "last_at",
  "elapsed",
  "timeline",
  "tests",
  "covered_by",
]);

/** Compares two reports of one suite, item by item. */
export function compareReports(actual: MeasuredReport, expected: MeasuredReport): void {
  assert.deepEqual(comparable(actual), comparable(expected));
}

function comparable(report: MeasuredReport): unknown {
  return JSON.parse(JSON.stringify(report, (name, value) => BY_RUN.has(name) ? undefined : value));
}
