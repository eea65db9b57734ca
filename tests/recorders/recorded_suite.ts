import assert from "node:assert/strict";
import { run, runOrThrow } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";
import type { Report } from "../../src/report/report.ts";
import { jsonContent, shopApi } from "../shop_api.ts";
import { runCovtool } from "../cli/fake_host.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { inFolder } from "../in_folder.ts";
import { once } from "../once.ts";
import { PYTHON } from "./python_project.ts";

const CONFORMANCE = `${ROOT}/tests/recorders/conformance/conformance.py`;

/** The part of a JSON report that tests of recorders compare. */
export interface MeasuredReport {
  readonly traffic: { readonly recorded: number; readonly matched: number };
  readonly [member: string]: unknown;
}

/** A shell function for the command `covtool`. */
export const COVTOOL_FUNCTION: string =
  `covtool() { "${Deno.execPath()}" run -A --no-check "${COVTOOL_MODULE}" "$@"; }`;

interface ConformanceMessage {
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string;
}

interface ConformanceCase {
  readonly id: string;
  readonly needs?: readonly string[];
  readonly exchanges: readonly {
    readonly request: ConformanceMessage & { readonly method: string; readonly path: string };
    readonly response?: ConformanceMessage & { readonly status_code: number };
  }[];
}

/** Request fields that no description has as parameters. */
const UNDESCRIBED = /^(?:accept|authorization|content-type|cookie)$/i;

async function conformanceCases(): Promise<readonly ConformanceCase[]> {
  const file = `${ROOT}/tests/recorders/conformance/cases.json`;
  return (JSON.parse(await Deno.readTextFile(file)) as { cases: ConformanceCase[] }).cases;
}

/** Recorded lines without those of some cases, which are named as in `conformance.py check --without`. */
export async function linesWithout(lines: string, without: string): Promise<string> {
  const left = new Set(without.split(","));
  const dropped = (await conformanceCases())
    .filter(({ id, needs = [] }) => [id, ...needs].some((name) => left.has(name)))
    .flatMap(({ exchanges }) => exchanges.map(({ request }) => request));
  const isDropped = (line: string): boolean => {
    const { request } = JSON.parse(line) as { request?: { method: string; url: string } };
    const target = request?.url.replace(/^\w+:\/\/[^/?]*/, "").replace(
      /^\/many\/\d+$/,
      "/many/{n}",
    );
    return dropped.some(({ method, path }) => method === request?.method && path === target);
  };
  return lines.split("\n").filter((line) => line !== "" && !isDropped(line))
    .map((line) => `${line}\n`).join("");
}

/** A description of everything that the conformance set's cases send and receive. */
export async function describeConformance(): Promise<string> {
  const cases = await conformanceCases();
  // deno-lint-ignore no-explicit-any -- a description in its JSON form
  const paths: Record<string, Record<string, any>> = {};
  for (const { request, response } of cases.flatMap(({ exchanges }) => exchanges)) {
    const url = new URL(request.path.replaceAll("{n}", "n"), "http://server");
    const path = /^\/(?:path|parallel|many|encoded-slash)\//.test(url.pathname)
      ? url.pathname.split("/").map((part, at) => at < 2 ? part : `{part${at}}`).join("/")
      : url.pathname;
    const operation = (paths[path] ??= {})[request.method.toLowerCase()] ??= { responses: {} };
    const named = (place: string, names: Iterable<string>) =>
      [...new Set(names)].map((name) => ({
        name,
        in: place,
        required: place === "path",
        schema: { type: "string", maxLength: 3 },
      }));
    operation.parameters = [
      ...named("path", [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)),
      ...named("query", url.searchParams.keys()),
      ...named(
        "header",
        (request.headers ?? []).map(([name]) => name).filter((name) => !UNDESCRIBED.test(name)),
      ),
    ];
    const content = describeContent(request);
    if (content !== undefined) operation.requestBody = { content };
    if (response === undefined) continue;
    operation.responses[response.status_code] = {
      description: "",
      content: describeContent(response) ?? {},
      headers: Object.fromEntries(
        (response.headers ?? []).filter(([name]) => name !== "Content-Type")
          .map(([name]) => [name, { schema: { type: "string", maxLength: 3 } }]),
      ),
    };
  }
  const info = { title: "Conformance", version: "1" };
  return JSON.stringify({ openapi: "3.1.0", info, paths });
}

function describeContent({ headers = [], body = "" }: ConformanceMessage): object | undefined {
  const [, type] = headers.find(([name]) => name === "Content-Type") ?? [];
  if (type === undefined) return undefined;
  let schema: object = { type: ["string", "array", "object"], maxLength: 9, minProperties: 1 };
  try {
    const names = Object.keys(JSON.parse(body) as object);
    schema = { ...schema, properties: Object.fromEntries(names.map((name) => [name, {}])) };
  } catch {
    // It isn't JSON.
  }
  return { [type.replace(/;.*/, "")]: { schema } };
}

/** Starts the conformance set's server for a test, which gets its address. */
export async function withConformanceServer(
  test: (address: string) => Promise<unknown>,
  command: readonly string[] = ["serve"],
): Promise<void> {
  const args = [CONFORMANCE, ...command];
  const server = new Deno.Command(PYTHON, { args, stdout: "piped" }).spawn();
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

/** Files that one run of a suite wrote, by the way to send that is in the names of its tests. */
export type WrittenByWay = ReadonlyMap<string, Readonly<Record<string, string>>>;

interface WrittenLine {
  readonly covtool?: number;
  readonly test?: string | { readonly name: string };
}

/** Splits the lines in a folder by way to send; the header line of each file applies to all. */
async function writtenIn(folder: string, wayPattern: RegExp): Promise<WrittenByWay> {
  const byWay = new Map<string, Record<string, string>>();
  for (const { name: path } of Deno.readDirSync(folder)) {
    if (!/\.(?:ndjson|json)$/.test(path)) continue;
    const name = path === "outcomes.json" ? path : "lines.ndjson";
    const text = await Deno.readTextFile(`${folder}/${path}`);
    assert.ok(text.endsWith("\n"), `the last line of ${path} doesn't end`);
    let head = "";
    for (const line of text.trimEnd().split("\n")) {
      const { covtool, test } = JSON.parse(line) as WrittenLine;
      if (covtool !== undefined) {
        head = `${line}\n`;
        continue;
      }
      const said = typeof test === "object" ? test.name : test ?? "";
      const way = said === "" ? "" : wayPattern.exec(said)?.[1];
      assert.ok(way !== undefined, `no way is named in ${line.slice(0, 1000)}`);
      const files = byWay.get(way) ?? {};
      byWay.set(way, { ...files, [name]: `${files[name] ?? head}${line}\n` });
    }
  }
  return byWay;
}

type Send = (variables: Record<string, string>) => Promise<unknown>;

/**
 * Runs a suite that sends the cases by several ways, with the variables that it needs.
 *
 * @param wayPattern Finds the way in a test's name; lines without a test have the way "".
 */
export async function recordCases(wayPattern: RegExp, send: Send): Promise<WrittenByWay> {
  return await inFolder({ "lines/keep": "" }, async (folder) => {
    await withConformanceServer((address) =>
      send({ CONFORMANCE_SERVER: address, COVTOOL_TRAFFIC: `${folder}/lines` })
    );
    return await writtenIn(`${folder}/lines`, wayPattern);
  });
}

/** The same for the cases in which covtool changes responses; also keeps the recorders' requests. */
export async function recordChanges(wayPattern: RegExp, send: Send): Promise<WrittenByWay> {
  return await inFolder({}, async (folder) => {
    const change = ["change", folder];
    await recordCases(
      wayPattern,
      (variables) =>
        withConformanceServer((url) => send({ ...variables, COVTOOL_CHANGES: url }), change),
    );
    return await writtenIn(folder, wayPattern);
  });
}

/**
 * Checks in one process what a recorder wrote by all ways to send, except for cases that can't be sent. Returns a
 * function that fails if one way was wrong.
 *
 * @param options `--changes` for the cases in which covtool changes responses.
 */
export function checkEach(
  written: () => Promise<WrittenByWay>,
  without: Readonly<Record<string, string>>,
  ...options: readonly string[]
): (way: string) => Promise<void> {
  const checked = once(async () => {
    const files = [...await written()].flatMap(([way, texts]) => {
      assert.ok(way in without, `lines name ${way || "no test"}`);
      return Object.entries(texts).map(([name, text]) => [`${way}/${name}`, text]);
    });
    return await inFolder<[string, boolean][]>(Object.fromEntries(files), async (folder) => {
      const checks = Object.entries(without).map((
        [way, left],
      ) => [`${folder}/${way}`, "--without", left, ...options, ...way === "" ? [] : ["--tests"]]);
      const program = `${ROOT}/tests/recorders/check_each.py`;
      return JSON.parse(await runOrThrow(PYTHON, [program, JSON.stringify(checks)]));
    });
  });
  return async (way) => {
    const [said, isRight] = (await checked())[Object.keys(without).indexOf(way)] ?? [];
    assert.ok(isRight, said);
  };
}

/** Checks what a recorder wrote into a folder for the conformance set, except for cases that it can't send. */
export async function checkFolder(folder: string, without: string): Promise<void> {
  await runOrThrow(PYTHON, [CONFORMANCE, "check", folder, "--tests", "--without", without]);
}

/** The JSON report of a recording in a folder with a description. */
export async function reportIn(folder: string, recording: string): Promise<MeasuredReport> {
  const args = ["report", `${folder}/openapi.json`, `${folder}/${recording}`, "--format", "json"];
  const { code, out, err } = await runCovtool([...args, "--no-config"]);
  assert.equal(code, 0, err);
  return JSON.parse(out) as MeasuredReport;
}

/** The JSON report of a covtool command, which may run a suite. */
export async function runForReport(
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

/** Members of a report that differ between runs or ways to record. */
const BY_RUN = new Set([
  "generated_at",
  "first_at",
  "last_at",
  "elapsed",
  "timeline",
  "tests",
  "covered_by",
]);

/** Compares two reports of one suite item by item. */
export function compareReports(actual: MeasuredReport, expected: MeasuredReport): void {
  assert.deepEqual(comparable(actual), comparable(expected));
}

function comparable(report: MeasuredReport): unknown {
  return JSON.parse(JSON.stringify(report, (name, value) => BY_RUN.has(name) ? undefined : value));
}

/** Verdicts of `covtool mutate` on each part of a suite's responses: the state, and the tests that notice it. */
export async function mutate(
  cwd: string,
  suite: readonly string[],
  options: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  return verdictsIn(await runForReport(cwd, ["mutate", "openapi.yaml", ...options], suite));
}

/** The same verdicts from an existing report. */
export function verdictsIn(report: object): Readonly<Record<string, string>> {
  const { noticed = [] } = report as Pick<Report, "noticed">;
  const verdicts = Object.fromEntries(
    noticed.map(({ method, path, status_code, part, name, state, noticed_by = [] }) => [
      [method, path, status_code, part, ...name === undefined ? [] : [name]].join(" "),
      [state, ...noticed_by].join(": "),
    ]),
  );
  assert.equal(Object.keys(verdicts).length, noticed.length, "a part is there twice");
  return verdicts;
}

/** A description in which each suite has its own books, so that only its tests notice their parts. */
export function describeBooks(suites: readonly string[]): object {
  const responses = {
    200: {
      description: "One.",
      ...jsonContent({ type: "object", properties: { id: {}, title: {} } }),
    },
    404: { description: "None.", ...jsonContent({ type: "object" }) },
  };
  return shopApi(
    Object.fromEntries(suites.map((name) => [`/${name}/{id}`, { get: { responses } }])),
  );
}

/**
 * The verdicts on a suite's books, in this order.
 *
 * @param reads The only test that asserts a title.
 * @param findsNone The only test that asserts a status: 404.
 */
export function bookVerdicts(suite: string, reads: string, findsNone: string): [string, string][] {
  return [
    [`GET /${suite}/{id} 200 status`, "unnoticed"],
    [`GET /${suite}/{id} 200 body`, `noticed: ${reads}`],
    [`GET /${suite}/{id} 200 property id`, "unnoticed"],
    [`GET /${suite}/{id} 200 property title`, `noticed: ${reads}`],
    [`GET /${suite}/{id} 404 status`, `noticed: ${findsNone}`],
    [`GET /${suite}/{id} 404 body`, "unnoticed"],
  ];
}
