/**
 * Writes bills of materials of the program and the npm package (CycloneDX) to `dist/release`.
 *
 *     deno run -A --config deno.dev.json scripts/build_sbom.ts
 *
 * They list what the code really imports, with the checksums of deno.lock.
 *
 * @module
 */
import { DENORT_VERSION, findDenort } from "./build.ts";
import { PACKAGE_NAME, type Settings } from "./npm/package_json.ts";
import { print } from "./print.ts";
import { runOrThrow } from "./run.ts";
import { billOfMaterials } from "./sbom/bill_of_materials.ts";
import { type DenoInfo, type DependencyGraph, dependencyGraph } from "./sbom/dependency_graph.ts";
import { ROOT } from "./source_files.ts";

/** The code of the report's page, whose libraries `scripts/build_page.ts` bundles. */
const PAGE = "src/report/html/app/main.tsx";
/** The program, which contains the library. */
const PROGRAM = "cli.ts";

/** Returns both bills of materials, by file name. */
export async function billsOfMaterials(
  root: string,
  time: Date,
): Promise<ReadonlyMap<string, string>> {
  const settings = JSON.parse(await Deno.readTextFile(`${root}/deno.json`)) as Settings;
  const lock = JSON.parse(await Deno.readTextFile(`${root}/deno.lock`)) as {
    readonly npm: Readonly<Record<string, { readonly integrity: string }>>;
  };
  const checksums = new Map(
    Object.entries(lock.npm).map(([key, { integrity }]) => [key.replace(/_.*$/, ""), integrity]),
  );
  async function make(
    kind: "application" | "library",
    modules: readonly string[],
    deno?: string,
  ): Promise<string> {
    const graph = dependencyGraph(await Promise.all(modules.map((path) => denoInfo(root, path))));
    return billOfMaterials({
      name: PACKAGE_NAME,
      version: settings.version,
      kind,
      graph,
      manifests: await readManifests(graph),
      checksums,
      deno,
      time,
    });
  }
  const entries = Object.values(settings.exports);
  const deno = await findDenort() === undefined ? Deno.version.deno : DENORT_VERSION;
  return new Map([
    ["covtool.cdx.json", await make("application", [PROGRAM, PAGE], deno)],
    ["covtool-npm.cdx.json", await make("library", [...entries, PAGE])],
  ]);
}

async function denoInfo(root: string, module: string): Promise<DenoInfo> {
  const text = await runOrThrow(Deno.execPath(), ["info", "--json", module], { cwd: root });
  return JSON.parse(text) as DenoInfo;
}

async function readManifests(
  { packages }: DependencyGraph,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const manifests = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [id, { folder }] of packages) {
    manifests.set(id, JSON.parse(await Deno.readTextFile(`${folder}/package.json`)));
  }
  return manifests;
}

/** Writes both bills of materials to a folder; returns their file names. */
export async function writeBills(folder: string, time: Date): Promise<string[]> {
  await Deno.mkdir(folder, { recursive: true });
  const names: string[] = [];
  for (const [name, text] of await billsOfMaterials(ROOT, time)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
    const { components } = JSON.parse(text) as { readonly components: readonly unknown[] };
    print(`${name}: ${components.length} components`);
    names.push(name);
  }
  return names;
}

/** Returns the build time: SOURCE_DATE_EPOCH (in seconds) if it is set, otherwise now. */
export function buildTime(): Date {
  const epoch = Deno.env.get("SOURCE_DATE_EPOCH");
  return epoch === undefined ? new Date() : new Date(Number(epoch) * 1000);
}

if (import.meta.main) await writeBills(`${ROOT}/dist/release`, buildTime());
