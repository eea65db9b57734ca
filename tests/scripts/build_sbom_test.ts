import assert from "node:assert/strict";
import "ajv";
import "ajv-formats";
import "ajv-formats-draft2019";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { billsOfMaterials } from "../../scripts/build_sbom.ts";
import { packageEntries, type Settings } from "../../scripts/npm/package_json.ts";
import { ROOT, sourceFiles } from "../../scripts/source_files.ts";
import { inFolder } from "../in_folder.ts";

interface Bom {
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly {
    readonly name: string;
    readonly group?: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes?: readonly { readonly content: string }[];
    readonly licenses?: readonly unknown[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: string[] }[];
}

const NEVER_SHIPPED = ["axios", "esbuild", "playwright-core", "fast-check", "ajv"];

Deno.test("SBOMs are valid CycloneDX and reproducible", async () => {
  const time = new Date(1_700_000_000_000);
  const bills = await billsOfMaterials(ROOT, time);
  assert.deepEqual([...bills.keys()], ["covtool.cdx.json", "covtool-npm.cdx.json"]);
  for (const [name, text] of bills) {
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
    assert.equal(await validator.validate(text), null, name);
  }
  assert.deepEqual(await billsOfMaterials(ROOT, time), bills);
});

Deno.test("SBOMs list what is shipped with checksum and licence, and nothing from tests", async () => {
  const settings = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)) as Settings;
  const imported = await importedLibraries();
  assert.ok(imported.has("js-yaml") && packageEntries(settings).length > 1);
  for (const [name, text] of await billsOfMaterials(ROOT, new Date(0))) {
    const bom = JSON.parse(text) as Bom;
    const names = bom.components.map(({ group, name }) => group ? `${group}/${name}` : name);
    for (const library of imported) assert.ok(names.includes(library), `${name}: ${library}`);
    for (const library of NEVER_SHIPPED) assert.ok(!names.includes(library), library);
    assert.equal(names.includes("deno"), name === "covtool.cdx.json");
    for (const { name, hashes, licenses } of bom.components) {
      assert.equal(licenses?.length, 1, name);
      if (name !== "deno") assert.match(hashes?.[0]?.content ?? "", /^[0-9a-f]{128}$/);
    }
    const refs = new Set(bom.dependencies.map(({ ref }) => ref));
    const root = bom.dependencies.find(({ ref }) => ref === bom.metadata.component["bom-ref"]);
    const direct = root?.dependsOn ?? [];
    assert.ok(direct.some((ref) => ref.startsWith("pkg:npm/js-yaml@5.")));
    assert.ok(!direct.some((ref) => ref.startsWith("pkg:npm/fast-string-truncated-width@")));
    assert.ok(refs.size === bom.components.length + 1);
  }
});

Deno.test("the program's SBOM has the bundled packages with versions and dependencies", async () => {
  const text = (await billsOfMaterials(ROOT, new Date(0))).get("covtool.cdx.json") ?? "";
  const { components, dependencies } = JSON.parse(text) as Bom;
  const named = ({ group, name, version }: Bom["components"][number]) =>
    `${group === undefined ? name : `${group}/${name}`}@${version}`;
  const listed = new Map(components.map((each) => [named(each), each]));
  const bundled = await bundledPackages();
  assert.ok(bundled.size > 15, String(bundled.size));
  for (const each of bundled) assert.ok(listed.has(each), each);
  // The page was bundled earlier, with notices of its packages.
  const assets = await Deno.readTextFile(`${ROOT}/src/report/html/assets.ts`);
  const ofPage = [...assets.matchAll(/This page contains ([^.]+)\./g)]
    .flatMap(([, names = ""]) => names.split(", "));
  assert.ok(ofPage.includes("preact"), ofPage.join());
  for (const name of ofPage) {
    assert.ok([...listed.keys()].some((each) => each.startsWith(`${name}@`)));
  }
  const needed = new Set(dependencies.flatMap(({ dependsOn = [] }) => dependsOn));
  for (const [each, component] of listed) {
    assert.doesNotMatch(each, /^@types\//);
    const isThere = bundled.has(each) || ofPage.some((name) => each.startsWith(`${name}@`)) ||
      component.name === "deno";
    assert.ok(isThere || needed.has(component.purl), each);
  }
});

/** Packages in the bundled program, according to its source map. */
async function bundledPackages(): Promise<ReadonlySet<string>> {
  return await inFolder({}, async (folder) => {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["bundle", "--quiet", "--platform", "browser", "--code-splitting"],
        ...["--sourcemap=external", "--outdir", folder, "cli.ts"],
      ],
      cwd: ROOT,
    }).output();
    assert.ok(success);
    const found = new Set<string>();
    for (const { name } of Deno.readDirSync(folder)) {
      if (!name.endsWith(".map")) continue;
      const { sources } = JSON.parse(await Deno.readTextFile(`${folder}/${name}`)) as {
        readonly sources: readonly string[];
      };
      for (const source of sources) {
        // Deno's cache of npm: host, name, version, path.
        const match = /\/npm\/[^/]+\/((?:@[^/]+\/)?[^/]+)\/(\d[^/]*)\//.exec(source);
        if (match !== null) found.add(`${match[1]}@${match[2]?.replace(/_\d+$/, "")}`);
      }
    }
    return found;
  });
}

/** Libraries that the sources import, found by a simple search. */
async function importedLibraries(): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const path of await sourceFiles(`${ROOT}/src`, [".ts", ".tsx"])) {
    if (path.endsWith("assets.ts")) continue;
    const text = await Deno.readTextFile(`${ROOT}/src/${path}`);
    for (
      const [, name = ""] of text.matchAll(/^(?:import|\}).*? from "(@[\w-]+\/[\w-]+|[\w-]+)/gm)
    ) {
      if (name !== "node" && name !== "@covtool/covtool") found.add(name);
    }
  }
  return found;
}
