import { COVTOOL_MODULE } from "../covtool_module.ts";
import { inFolder } from "../in_folder.ts";
import type { Requirement } from "../requirement.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

/** The Python for tests. */
export const PYTHON: string = Deno.env.get("PYTHON") ?? "python3";

/** Arguments for Python to run the tests in a folder. */
export const PYTEST: readonly string[] = [
  ...["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:django"],
];

/** Variables with which Python finds covtool's package in the sources, as if it were installed. */
export const PYTHON_VARIABLES: Readonly<Record<string, string>> = {
  PYTHONPATH: `${ROOT}integrations/python/src:${ROOT}tests/recorders/python/installed`,
  PYTHONWARNINGS: "ignore",
  COVTOOL_TRAFFIC: "",
};

/** The beginning of a command in which covtool runs Python with the package, and sets `COVTOOL_TRAFFIC` itself. */
export const PYTHON_COMMAND: readonly string[] = [
  ...["env", `PYTHONPATH=${PYTHON_VARIABLES["PYTHONPATH"]}`, PYTHON],
];

const found = new Map<string, boolean>();

/** True if Python has these comma-separated modules. It only looks for them, because importing takes seconds. */
export function pythonHas(modules: string): boolean {
  const isThere = found.get(modules) ?? findModules(modules.split(/, */));
  found.set(modules, isThere);
  return isThere;
}

/** Requires a Python with these modules. */
export function needsPython(modules: string): Requirement {
  return {
    isMet: pythonHas(modules),
    reason:
      `no Python with ${modules}; install them with tests/recorders/python/requirements.txt, or set PYTHON`,
  };
}

function findModules(names: readonly string[]): boolean {
  const program = "import sys; from importlib.util import find_spec; " +
    "sys.exit(not all(map(find_spec, sys.argv[1:])))";
  try {
    return new Deno.Command(PYTHON, {
      args: ["-c", program, ...names],
      stdout: "null",
      stderr: "null",
    }).outputSync().success;
  } catch {
    return false;
  }
}

/**
 * Runs a test in a temporary folder, with variables with which programs find `covtool`.
 */
export async function withProgram(
  test: (variables: Record<string, string>, folder: string) => Promise<void>,
): Promise<void> {
  const command = `exec "${Deno.execPath()}" run -A --no-check "${COVTOOL_MODULE}" "$@"`;
  await inFolder({ covtool: `#!/bin/sh\n${command}\n` }, async (folder) => {
    await Deno.chmod(`${folder}/covtool`, 0o755);
    await test({ PATH: `${folder}:${Deno.env.get("PATH")}` }, folder);
  });
}

/** Decodes the output of a command. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
