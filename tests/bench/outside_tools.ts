// Programs with which suggestions are compared, installed into the cache on first use.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { CACHE } from "./descriptions.ts";

/** The mock server. */
export const PRISM = "@stoplight/prism-cli@5.14.2";
/** The test generator. */
export const SCHEMATHESIS = "schemathesis==4.32.5";

/** The path of Prism from `PRISM` or the cache; undefined if it can't be installed. */
export function prismProgram(): string | undefined {
  return findProgram("prism", "node_modules/.bin/prism", (folder) => [
    ["npm", "install", "--silent", "--no-audit", "--prefix", folder, PRISM],
  ]);
}

/** The path of Schemathesis from `SCHEMATHESIS` or the cache; undefined if it can't be installed. */
export function schemathesisProgram(): string | undefined {
  return findProgram("schemathesis", "bin/schemathesis", (folder) => [
    ["python3", "-m", "venv", folder],
    [join(folder, "bin/pip"), "install", "--quiet", SCHEMATHESIS],
  ]);
}

function findProgram(
  name: string,
  path: string,
  install: (folder: string) => readonly (readonly [program: string, ...args: string[]])[],
): string | undefined {
  const given = Deno.env.get(name.toUpperCase());
  if (given !== undefined) return given;
  const folder = join(CACHE, name);
  const program = join(folder, path);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  return install(folder).every(([program, ...args]) => succeeds(program, args))
    ? program
    : undefined;
}

function succeeds(program: string, args: string[]): boolean {
  try {
    return new Deno.Command(program, { args, stdout: "null" }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
