import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Ended, Run } from "./covtool_process.ts";
import {
  assertAuthority,
  assertOneOf,
  assertWholeReport,
  type FaultFolder,
  readLines,
} from "./fault_folder.ts";

/** What a scenario uses. */
export interface Stage {
  readonly folder: FaultFolder;
  /** The port of a server that responds to everything. */
  readonly port: number;
  /** Runs covtool to its end. */
  run(run: Run): Promise<Ended>;
}

/** Something that covtool does while it is killed. */
export interface Scenario {
  readonly name: string;
  /** Runs with different outputs; each begins where the last one was killed. */
  readonly variants: readonly ((stage: Stage) => Run)[];
  /** Files that are equal in every run of a variant, compared byte for byte. */
  readonly files: readonly string[];
  /** Removes files before a run, so that they are written again. */
  readonly before?: (stage: Stage, isFresh: boolean) => void;
  /** Asserts what must always hold. */
  readonly check?: (stage: Stage, ended: Ended) => Promise<void> | void;
}

const FORMATS = {
  html: "r.html",
  json: "r.json",
  text: "r.txt",
  markdown: "r.md",
  lcov: "r.lcov",
  cobertura: "r.xml",
  junit: "r.junit.xml",
  sarif: "r.sarif",
  badge: "r.svg",
  hits: "r.hits",
};
const REPORTS = Object.entries(FORMATS).flatMap(([name, path]) => ["--format", `${name}=${path}`]);
const REPORT_FILES = Object.values(FORMATS);

/** Requests of a proxy's client: curl, so that no process survives a killed proxy. */
function requests(port: number, count: number): string[] {
  const url = `http://127.0.0.1:${port}/api/v1/books?limit=[1-${count}]`;
  return ["curl", "--silent", "--max-time", "5", "--output", "/dev/null", url];
}

function proxyRun(data: string | undefined): (stage: Stage) => Run {
  return ({ port }) => ({
    args: [
      ...["proxy", "openapi.yaml", "--save-traffic", "t.jsonl", "--export-ca", "ca.pem"],
      ...["-p", "0", "--format", "json=p.json", "--", ...requests(port, 200)],
    ],
    ...(data !== undefined && { env: { XDG_DATA_HOME: data } }),
  });
}

function remove({ work }: FaultFolder, ...names: readonly string[]): void {
  for (const name of names) rmSync(join(work, name), { recursive: true, force: true });
}

/** Asserts that covtool reads all complete lines of a recording, and reports a truncated one. */
async function checkRecording({ folder, run }: Stage, name: string): Promise<void> {
  const path = join(folder.work, name);
  const { whole, isCut } = readLines(path);
  // A recording without interactions is refused with a message.
  if (whole === 0) return;
  const { code, out, err } = await run({ args: ["convert", name, "--format", "jsonl"] });
  assert.equal(code, 0, err);
  assert.equal(out.split("\n").length - 1, whole, `${name}: ${err}`);
  if (isCut) assert.match(err, /cut|incomplete|not valid JSON|breaks off|ends/i);
}

/** Everything that covtool writes, in runs of about a second. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: "report",
    variants: ["a.jsonl", "b.jsonl"].map((traffic) => () => ({
      args: ["report", "openapi.yaml", traffic, ...REPORTS],
    })),
    files: REPORT_FILES,
  },
  {
    name: "convert",
    variants: ["a.jsonl", "b.jsonl"].map((traffic) => () => ({
      args: ["convert", traffic, "-o", "c.json", "--no-redact"],
    })),
    files: ["c.json"],
  },
  {
    name: "merge",
    variants: [["a.hits"], ["a.hits", "b.hits"]].map((hits) => () => ({
      args: ["merge", "openapi.yaml", ...hits, "-o", "m.hits", "--format", "html=m.html"],
    })),
    files: ["m.hits", "m.html"],
  },
  {
    name: "record-hits",
    variants: ["a.jsonl", "b.jsonl"].map((traffic) => ({ folder }) => ({
      args: ["record-hits", "openapi.yaml"],
      stdin: readFileSync(join(folder.work, traffic), "utf8"),
    })),
    files: [],
    check: async ({ run }, { out, code }) => {
      // A line of hits is added completely or not at all.
      const { code: merged, err } = await run({
        args: ["merge", "openapi.yaml", "-", "-o", "-"],
        stdin: out === "" ? "\n" : out,
      });
      if (code === 0 || out.endsWith("\n")) assert.equal(merged, 0, err);
      else assert.match(err, /^Error: |^Warning: /);
    },
  },
  {
    name: "init",
    variants: [() => ({ args: ["init"] })],
    files: ["covtool.yaml"],
    before: ({ folder }) => remove(folder, "covtool.yaml"),
  },
  {
    name: "run",
    // Without traffic, as after a command that SIGTERM has ended.
    variants: ["cp a.jsonl", "cp b.jsonl", "true"].map((command) => () => ({
      args: [
        ...["run", "openapi.yaml", "--format", "html=u.html", "--format", "json=u.json", "--"],
        ...["sh", "-c", `${command} "$COVTOOL_TRAFFIC/1.jsonl"`],
      ],
    })),
    files: ["u.html", "u.json"],
  },
  {
    name: "probe",
    variants: [({ port }) => ({
      args: [
        ...["probe", "openapi.yaml", "--server", `http://127.0.0.1:${port}`, "--max", "60"],
        ...["--no-config", "--save-traffic", "probe.jsonl", "--format", "json=q.json"],
      ],
    })],
    files: [],
    before: ({ folder }, isFresh) => {
      // A truncated line stays in a recording that is continued, which the end of the check tests.
      remove(folder, "probe.jsonl", ...(isFresh ? ["q.json"] : []));
    },
    check: async (stage) => {
      assertWholeReport(join(stage.folder.work, "q.json"));
      await checkRecording(stage, "probe.jsonl");
    },
  },
  {
    name: "proxy",
    variants: [proxyRun(undefined)],
    files: [],
    before: ({ folder }, isFresh) => {
      remove(folder, "t.jsonl", ...(isFresh ? ["p.json", "ca.pem"] : []));
      if (isFresh) rmSync(join(folder.data, "covtool"), { recursive: true, force: true });
    },
    check: checkProxy,
  },
  {
    name: "proxy without a home",
    variants: [proxyRun("/dev/null/nowhere")],
    files: [],
    before: ({ folder }) => remove(folder, "t.jsonl", "ca.pem"),
    check: checkProxy,
  },
];

async function checkProxy(stage: Stage, ended: Ended): Promise<void> {
  const { folder, run } = stage;
  assertAuthority(folder.data);
  assertWholeReport(join(folder.work, "p.json"));
  if (existsSync(join(folder.work, "ca.pem"))) {
    assert.match(
      readFileSync(join(folder.work, "ca.pem"), "utf8"),
      /^-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n$/,
    );
  }
  await checkRecording(stage, "t.jsonl");
  const { whole, isCut } = readLines(join(folder.work, "t.jsonl"));
  // The next session continues the file, and loses nothing.
  if (ended.signal === null || !isCut) return;
  const next = await run({
    args: ["proxy", "openapi.yaml", "-p", "0", "--save-traffic", "t.jsonl", "--", "true"],
  });
  assert.equal(next.code, 0, next.err);
  const { out } = await run({ args: ["convert", "t.jsonl", "--format", "jsonl"] });
  assert.equal(out.split("\n").length - 1, whole);
}

/** Reads the files of a scenario; undefined if one is missing. */
export function readFiles({ work }: FaultFolder, { files }: Scenario): (string | undefined)[] {
  return files.map((name) => {
    const path = join(work, name);
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  });
}

/** Asserts that each file of a scenario equals one that its variants write. */
export function assertFiles(
  { work }: FaultFolder,
  { files }: Scenario,
  expected: readonly (readonly (string | undefined)[])[],
  wereThere: readonly boolean[],
): void {
  for (const [index, name] of files.entries()) {
    const texts = expected.map((variant) => variant[index] ?? "");
    assertOneOf(join(work, name), texts, wereThere[index] ?? false);
  }
}
