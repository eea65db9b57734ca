import { suiteFolder } from "../../tests/conformance/json_schema_test_suite.ts";
import { ROOT } from "../source_files.ts";

export type TestOutcome = "passed" | "failed" | "hung";

export interface Limits {
  /** The limit of processor time, in seconds. */
  readonly work: number;
  /** The limit of elapsed time, in seconds, for a run that waits. */
  readonly time: number;
}

export interface TestRun {
  readonly outcome: TestOutcome;
  readonly output: string;
  readonly seconds: number;
}

/** Exit codes of a shell whose program the system killed for its processor time: by SIGKILL or SIGXCPU. */
const ENDED_FOR_WORK = new Set([128 + 9, 128 + 24]);

/** Runs one test file of a copy of the project, up to the first test that fails. */
export async function runTestFile(
  folder: string,
  file: string,
  env: Readonly<Record<string, string>>,
  limits: Limits,
): Promise<TestRun> {
  const preload = `${ROOT}/scripts/mutate/preload.ts`;
  const args = [
    ...[
      "test",
      "-A",
      "--config",
      "deno.dev.json",
      "--no-check",
      "--quiet",
      "--fail-fast",
      "--preload",
      preload,
    ],
    file,
  ];
  const hasShell = Deno.build.os !== "windows";
  const work = Math.ceil(limits.work);
  const suite = suiteFolder();
  const started = performance.now();
  const child = new Deno.Command(hasShell ? "sh" : Deno.execPath(), {
    args: hasShell ? ["-c", `ulimit -t ${work}; exec "$@"`, "sh", Deno.execPath(), ...args] : args,
    cwd: folder,
    env: {
      NO_COLOR: "1",
      ...(suite === undefined ? {} : { JSON_SCHEMA_TEST_SUITE: suite }),
      ...env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, limits.time * 1000);
  const { code, signal, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const decoder = new TextDecoder();
  const isKilled = isLate || signal !== null || ENDED_FOR_WORK.has(code);
  return {
    outcome: isKilled ? "hung" : code === 0 ? "passed" : "failed",
    output: decoder.decode(stdout) + decoder.decode(stderr),
    seconds: (performance.now() - started) / 1000,
  };
}
