/**
 * Builds the programs of a release for all machines, with bills of materials and a file of checksums, in
 * `dist/release`.
 *
 *     deno run -A --config deno.dev.json scripts/build_release.ts                    fails where one cannot be built
 *     deno run -A --config deno.dev.json scripts/build_release.ts --allow-missing    says so, and goes on
 *
 * @module
 */
import { bundleProgram, compile, findDenort } from "./build.ts";
import { buildTime, writeBills } from "./build_sbom.ts";
import { print } from "./print.ts";
import { ROOT } from "./source_files.ts";

/** File names of the programs, by Rust target triple. */
export const TARGETS: Readonly<Record<string, string>> = {
  "x86_64-unknown-linux-gnu": "covtool-linux-x64",
  "aarch64-unknown-linux-gnu": "covtool-linux-arm64",
  "x86_64-apple-darwin": "covtool-macos-x64",
  "aarch64-apple-darwin": "covtool-macos-arm64",
  "x86_64-pc-windows-msvc": "covtool-windows-x64.exe",
};

/** Returns the line for a file that `sha256sum --check` reads. */
export async function checksumLine(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const text = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${text}  ${name}\n`;
}

/** Returns the reason for a failed compilation: the first error among the causes that Deno lists, or its first line. */
function firstError(said: string): string {
  return said.match(/^ *\d+: (.*error.*)$/m)?.[1] ?? said.trim().split("\n")[0] ?? "";
}

/** Builds all programs; returns a sentence for each one that could not be built. */
async function buildRelease(folder: string): Promise<string[]> {
  await Deno.remove(`${ROOT}/${folder}`, { recursive: true }).catch(() => {});
  await Deno.mkdir(`${ROOT}/${folder}`, { recursive: true });
  const module = await bundleProgram();
  const denort = await findDenort();
  const missing: string[] = [];
  let checksums = "";
  for (const [target, name] of Object.entries(TARGETS)) {
    const output = `${folder}/${name}`;
    // The provided `denort` is for this machine only.
    const problem = target === Deno.build.target
      ? await compile(denort, { module, output })
      : await compile(undefined, { module, output, target });
    if (problem !== undefined) {
      missing.push(`${name} was not built: ${firstError(problem)}`);
      continue;
    }
    const bytes = await Deno.readFile(`${ROOT}/${output}`);
    checksums += await checksumLine(name, bytes);
    print(`${output}: ${bytes.length} bytes`);
  }
  for (const name of await writeBills(`${ROOT}/${folder}`, buildTime())) {
    checksums += await checksumLine(name, await Deno.readFile(`${ROOT}/${folder}/${name}`));
  }
  await Deno.writeTextFile(`${ROOT}/${folder}/SHA256SUMS`, checksums);
  return missing;
}

if (import.meta.main) {
  const missing = await buildRelease("dist/release");
  for (const sentence of missing) print(sentence);
  Deno.exit(missing.length === 0 || Deno.args.includes("--allow-missing") ? 0 : 1);
}
