/**
 * Runs the integrations with engines, Apache Spark and DuckDB, with the built program, and compares what they count with
 * what one process counts. It ends with the line "N passed, N failed".
 *
 *     deno task build && ENGINES_PYTHON=.cache/engines/bin/python3 deno run -A scripts/check_engines.ts
 *
 * ENGINES_PYTHON is a Python with pyspark, pyarrow, pandas and duckdb; Spark needs Java. Where one is missing, its checks
 * are skipped and named; `--no-skips` makes that a failure.
 *
 * @module
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { print } from "./print.ts";
import { ROOT } from "./source_files.ts";
import { createTally } from "./tally.ts";
import { inFolder } from "../tests/in_folder.ts";

const PROGRAM = `${ROOT}/dist/covtool`;
const DESCRIPTION = `${ROOT}/examples/bookshop/openapi.yaml`;
const GIVEN = Deno.env.get("ENGINES_PYTHON") ?? "python3";
/** Absolute, since processes run in other folders. Links stay: Python finds its virtual environment by this path. */
const PYTHON = GIVEN.includes("/") ? resolve(GIVEN) : GIVEN;

/** A script with checks in Python, and its requirements. */
interface Suite {
  readonly script: string;
  readonly modules: readonly string[];
  readonly programs: readonly string[];
}

const SUITES: readonly Suite[] = [
  { script: "check_duckdb.py", modules: ["duckdb"], programs: [] },
  { script: "check_spark.py", modules: ["pyspark", "pyarrow", "pandas"], programs: ["java"] },
];

/** The result that a check prints. */
interface Result {
  readonly name: string;
  readonly problem: string | null;
  readonly note: string | null;
}

/** Returns a sentence about a missing requirement of a suite; undefined if there is none. */
async function missing({ modules, programs }: Suite): Promise<string | undefined> {
  for (const name of programs) {
    if (!await succeeds(name, ["-version"])) return `no ${name}; install it`;
  }
  for (const name of modules) {
    if (await succeeds(PYTHON, ["-c", `import ${name}`])) continue;
    return `${PYTHON} has no ${name}; install it, or set ENGINES_PYTHON`;
  }
  return undefined;
}

async function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  try {
    const silent = { stdout: "null", stderr: "null" } as const;
    return (await new Deno.Command(command, { args: [...args], ...silent }).output()).success;
  } catch {
    return false;
  }
}

/** Runs the checks of a suite; returns their results, and one for the script itself if it fails. */
async function runSuite({ script }: Suite, folder: string): Promise<Result[]> {
  const { stdout, stderr, code } = await new Deno.Command(PYTHON, {
    args: [`${ROOT}/tests/engines/${script}`, folder, PROGRAM, DESCRIPTION],
    env: {
      // The folder for Spark's scratch files, and the interpreter of its processes.
      SPARK_LOCAL_DIRS: folder,
      PYSPARK_PYTHON: PYTHON,
      PYSPARK_DRIVER_PYTHON: PYTHON,
      // Runs are too short for the JVM's second compiler; without it they take a third less processor time.
      JAVA_TOOL_OPTIONS: "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    },
    cwd: folder,
  }).output();
  const results = new TextDecoder().decode(stdout).split("\n")
    .filter((line) => line.startsWith("RESULT "))
    .map((line) => JSON.parse(line.slice("RESULT ".length)) as Result);
  if (code === 0 && results.length > 0) return results;
  const problem = `It ended with ${code}.\n${new TextDecoder().decode(stderr).slice(-3000)}`;
  return [...results, { name: script, problem, note: null }];
}

if (import.meta.main) {
  const { check, exit } = createTally();
  if (!existsSync(PROGRAM)) {
    print(`${PROGRAM} is missing: run deno task build first.`);
    Deno.exit(1);
  }
  for (const suite of SUITES) {
    const lack = await missing(suite);
    if (lack !== undefined) {
      if (!Deno.args.includes("--no-skips")) print(`skipped: ${suite.script} (${lack})`);
      else await check(suite.script, () => Promise.reject(new Error(lack)));
      continue;
    }
    await inFolder({}, async (folder) => {
      for (const { name, problem, note } of await runSuite(suite, folder)) {
        await check(name, () => {
          if (problem !== null) throw new Error(problem);
          return Promise.resolve(note ?? undefined);
        });
      }
    });
  }
  exit();
}
