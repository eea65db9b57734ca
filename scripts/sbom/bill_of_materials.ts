import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { PackageURL } from "packageurl-js";
import parseLicense from "spdx-expression-parse";
import type { DependencyGraph } from "./dependency_graph.ts";

/** The subject of a bill of materials. */
export interface Product {
  readonly name: string;
  readonly version: string;
  readonly kind: "application" | "library";
  /** The product's components. */
  readonly graph: DependencyGraph;
  /** The package.json of each package, by its key in the graph. */
  readonly manifests: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The checksum of each package's tarball as npm writes it (`sha512-…`), by its key in the graph. */
  readonly checksums: ReadonlyMap<string, string>;
  /** The Deno version of the runtime in the product, if there is one. */
  readonly deno?: string | undefined;
  /** The build time. */
  readonly time: Date;
}

/** The bill of materials of a product: CycloneDX 1.6 as JSON. The same product gives the same text. */
export function billOfMaterials(product: Product): string {
  const { graph, name, version, kind, deno, time } = product;
  const builder = new Contrib.FromNodePackageJson.Builders.ComponentBuilder(
    new Contrib.FromNodePackageJson.Factories.ExternalReferenceFactory(),
    new Contrib.License.Factories.LicenseFactory(parseLicense),
  );
  const bom = new Models.Bom();
  const components = new Map<string, Models.Component>();
  for (const [id, found] of graph.packages) {
    const component = builder.makeComponent({ ...product.manifests.get(id), name: found.name });
    const checksum = product.checksums.get(id)?.match(/^sha512-(.+)$/)?.[1];
    if (component === undefined) throw new TypeError(`${id}: its package.json says nothing.`);
    if (checksum === undefined) throw new TypeError(`${id}: deno.lock has no checksum of it.`);
    component.version = found.version;
    component.purl = packageUrl(found.name, found.version);
    component.bomRef.value = component.purl;
    component.hashes.set(Enums.HashAlgorithm["SHA-512"], base64ToHex(checksum));
    components.set(id, component);
    bom.components.add(component);
  }
  for (const [id, { dependencies }] of graph.packages) {
    for (const other of dependencies) link(components.get(id), components.get(other));
  }
  const root = new Models.Component(
    kind === "application" ? Enums.ComponentType.Application : Enums.ComponentType.Library,
    name,
    { version, purl: packageUrl(name, version) },
  );
  root.bomRef.value = `${kind}:${name}@${version}`;
  root.licenses.add(new Models.SpdxLicense("MIT"));
  for (const id of graph.direct) link(root, components.get(id));
  if (deno !== undefined) {
    const version = `v${deno}`;
    const purl = new PackageURL("github", "denoland", "deno", version, undefined, undefined);
    const runtime = new Models.Component(Enums.ComponentType.Platform, "deno", {
      version: deno,
      purl: purl.toString(),
    });
    runtime.bomRef.value = purl.toString();
    runtime.licenses.add(new Models.SpdxLicense("MIT"));
    bom.components.add(runtime);
    link(root, runtime);
  }
  bom.metadata.component = root;
  bom.metadata.timestamp = time;
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  const text = new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 });
  return `${text}\n`;
}

function link(from: Models.Component | undefined, to: Models.Component | undefined): void {
  if (from !== undefined && to !== undefined) from.dependencies.add(to.bomRef);
}

function packageUrl(name: string, version: string): string {
  const [, scope, base = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  return new PackageURL("npm", scope, base, version, undefined, undefined).toString();
}

/** Converts a checksum from base64 to hexadecimal. */
function base64ToHex(base64: string): string {
  return [...atob(base64)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}
