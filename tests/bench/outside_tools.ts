// Programs that suggestions are compared with, installed into the cache when first asked for.
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { CACHE } from "./descriptions.ts";

/** The version of the mock server. */
export const PRISM = "@stoplight/prism-cli@5.14.2";
/** The version of the test generator. */
export const SCHEMATHESIS = "schemathesis==4.32.5";

/** The path of Prism, from `PRISM` or the cache; undefined if it can't be installed. */
export function prismProgram(): string | undefined {
  const given = Deno.env.get("PRISM");
  if (given !== undefined) return given;
  const folder = join(CACHE, "prism");
  const program = join(folder, "node_modules/.bin/prism");
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  return runs("npm", ["install", "--silent", "--no-audit", "--prefix", folder, PRISM])
    ? program
    : undefined;
}

/** The path of Schemathesis, from `SCHEMATHESIS` or the cache; undefined if it can't be installed. */
export function schemathesisProgram(): string | undefined {
  const given = Deno.env.get("SCHEMATHESIS");
  if (given !== undefined) return given;
  const folder = join(CACHE, "schemathesis");
  const program = join(folder, "bin/schemathesis");
  if (existsSync(program)) return program;
  return runs("python3", ["-m", "venv", folder]) &&
      runs(join(folder, "bin/pip"), ["install", "--quiet", SCHEMATHESIS])
    ? program
    : undefined;
}

function runs(program: string, args: readonly string[]): boolean {
  try {
    return new Deno.Command(program, { args: [...args], stdout: "null" }).outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
