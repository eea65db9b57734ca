import type * as esbuild from "esbuild";
import { resolve } from "node:path";
import { runOrThrow } from "../run.ts";

/** A package whose code is bundled. */
export interface BundledPackage {
  readonly name: string;
  /** The folder in Deno's cache, which esbuild can't find by itself. */
  readonly folder: string;
}

/** Packages of the library that are ESM only: Node.js 22.15 cannot `require()` them. */
const MODULES_ALONE: readonly string[] = [
  ...["@remix-run/headers", "@remix-run/multipart-parser", "fast-string-truncated-width"],
  ...["fast-string-width", "leven"],
];

/** Packages bundled into the program, which uses a tenth of their 18 MB in 1,500 files. */
export const OF_PROGRAM: readonly string[] = [
  ...["@modelcontextprotocol/core", "@modelcontextprotocol/server", "@optique/core", "zod"],
];

/** The packages that are bundled into the CommonJS of the library. */
export function bundledPackages(root: string): Promise<readonly BundledPackage[]> {
  return pickPackages(root, "mod.ts", MODULES_ALONE);
}

export function programPackages(root: string): Promise<readonly BundledPackage[]> {
  return pickPackages(root, "cli.ts", OF_PROGRAM);
}

/** Finds packages by name among those that a module imports. */
async function pickPackages(
  root: string,
  module: string,
  names: readonly string[],
): Promise<readonly BundledPackage[]> {
  const found = await importedPackages(root, module);
  return names.map((name) => {
    const own = found.findLast((one) => one.name === name);
    if (own === undefined) {
      throw new Error(`${name} is to be bundled, but ${module} does not import it.`);
    }
    return own;
  });
}

/** Returns the packages that a module imports, without packages of types. */
export async function importedPackages(
  root: string,
  module: string,
): Promise<readonly BundledPackage[]> {
  const output = await runOrThrow(Deno.execPath(), ["info", "--json", module], { cwd: root });
  const { npmPackages } = JSON.parse(output) as {
    readonly npmPackages: Readonly<
      Record<string, { readonly name: string; readonly localPath: string }>
    >;
  };
  return Object.values(npmPackages).filter(({ name }) => !name.startsWith("@types/"))
    .map(({ name, localPath }) => ({ name, folder: localPath }));
}

/** Includes these packages in a bundle; all others stay dependencies. */
export function withPackages(packages: readonly BundledPackage[]): esbuild.Plugin {
  return {
    name: "bundled packages",
    setup(build) {
      build.onResolve({ filter: /^[^.]/ }, async ({ path }) => {
        const found = packages.find(({ name }) => path === name || path.startsWith(`${name}/`));
        if (found === undefined) return undefined;
        const text = await Deno.readTextFile(`${found.folder}/package.json`);
        const { exports, main } = JSON.parse(text) as {
          readonly exports?: unknown;
          readonly main?: string;
        };
        const file = exportTarget(exports, `.${path.slice(found.name.length)}`) ?? main;
        return file === undefined ? undefined : { path: resolve(found.folder, file) };
      });
    },
  };
}

/** Returns the file that a package's `exports` has for importing a subpath; a string is the file itself. */
function exportTarget(exports: unknown, name: string): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  const fields = exports as Readonly<Record<string, unknown>>;
  return exportTarget(fields[name] ?? fields["import"] ?? fields["default"], name);
}

/** Prepends the licences of bundled packages to a bundle, as the licences require. */
export async function addLicences(
  path: string,
  packages: readonly BundledPackage[],
  { inputs }: Pick<esbuild.Metafile, "inputs"> | esbuild.Metafile["outputs"][string],
  root: string,
): Promise<void> {
  const notices = await licenceNotices("file", packages, Object.keys(inputs), root);
  if (notices === "") return;
  const code = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, `/*! ${notices}\n*/\n${code}`);
}

/** Returns the licences of the packages whose code is among the inputs; equal texts appear once. */
export async function licenceNotices(
  what: "file" | "page",
  packages: readonly BundledPackage[],
  inputs: readonly string[],
  root: string,
): Promise<string> {
  const files = inputs.map((input) => resolve(root, input));
  const texts = new Map<string, string[]>();
  for (const { name, folder } of packages) {
    if (!files.some((file) => file.startsWith(`${folder}/`))) continue;
    const text = await readLicence(folder, name);
    texts.set(text, [...texts.get(text) ?? [], name]);
  }
  return [...texts].map(([text, names]) => `This ${what} contains ${names.join(", ")}.\n${text}`)
    .join("\n\n");
}

async function readLicence(folder: string, name: string): Promise<string> {
  for await (const file of Deno.readDir(folder)) {
    if (/^licen[cs]e/i.test(file.name)) {
      return (await Deno.readTextFile(`${folder}/${file.name}`)).trim();
    }
  }
  throw new Error(`${name} is bundled, and has no file with its licence.`);
}
