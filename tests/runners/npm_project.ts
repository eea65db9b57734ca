import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPackage, packTarball } from "../../scripts/build_npm.ts";
import { type Ended, runOrThrow } from "../../scripts/run.ts";
import type { Report } from "../../mod.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");

/** Milliseconds after which a run that hangs is ended. */
const PATIENCE = 120_000;

let tarball: Promise<string> | undefined;

/** The package for npm, built once. */
function packed(): Promise<string> {
  return tarball ??= (async () => {
    const temporary = Deno.makeTempDirSync({ prefix: "covtool-package-" });
    globalThis.addEventListener("unload", () => Deno.removeSync(temporary, { recursive: true }));
    const folder = `${temporary}/npm`;
    await buildPackage(ROOT, folder);
    return await packTarball(folder);
  })();
}

/** A project with covtool and what else it needs, as npm installs them, and with the description of the demo. */
export interface NpmProject extends Disposable {
  readonly folder: string;
  /** Writes files, by their paths. */
  write(files: Readonly<Record<string, string>>): void;
  /** Runs a program of one of its packages. */
  run(
    program: string,
    args?: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<Ended>;
  /** Reads the JSON report that a run wrote. */
  report(name?: string): Report;
}

/**
 * Installs a project.
 *
 * @param packages Beside covtool: `jest@^30`.
 * @param settings What package.json says beside its dependencies.
 */
export async function npmProject(
  packages: readonly string[],
  settings: Readonly<Record<string, unknown>> = {},
): Promise<NpmProject> {
  const folder = Deno.makeTempDirSync({ prefix: "covtool-project-" });
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  write({ "package.json": JSON.stringify({ private: true, ...settings }) });
  copyFileSync(join(ROOT, "examples/bookshop/openapi.yaml"), join(folder, "openapi.yaml"));
  const options = ["--no-audit", "--no-fund", "--loglevel", "error"];
  await runOrThrow("npm", ["install", ...options, await packed(), ...packages], { cwd: folder });
  return {
    folder,
    write,
    run: async (program, args = [], env = {}) => {
      const { code, stdout, stderr } = await new Deno.Command(
        join(folder, "node_modules/.bin", program),
        {
          args: [...args],
          cwd: folder,
          env: { NO_COLOR: "1", CI: "1", ...env },
          stdin: "null",
          signal: AbortSignal.timeout(PATIENCE),
        },
      ).output();
      const decoder = new TextDecoder();
      return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
    },
    report: (name = "coverage.json") => JSON.parse(readFileSync(join(folder, name), "utf8")),
    [Symbol.dispose]() {
      Deno.removeSync(folder, { recursive: true });
    },
  };
}

/** A report without what differs from run to run. */
export function timeless(report: Report): unknown {
  const moments = new Set(["elapsed", "first_at", "last_at", "generated_at", "timeline"]);
  return JSON.parse(
    JSON.stringify(report, (key, value) => moments.has(key) ? undefined : value),
  );
}
