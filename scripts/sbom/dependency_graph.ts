/** A resolved npm package. */
export interface GraphPackage {
  readonly name: string;
  readonly version: string;
  /** The package's folder, which has its package.json. */
  readonly folder: string;
  /** Its direct dependencies, as keys of the graph. */
  readonly dependencies: readonly string[];
}

/** All packages that some code imports, directly or indirectly. */
export interface DependencyGraph {
  /** Direct imports of the code, as keys of `packages`, sorted. */
  readonly direct: readonly string[];
  /** All packages, by `name@version`. */
  readonly packages: ReadonlyMap<string, GraphPackage>;
}

/** Output of `deno info --json` for a module and all its imports. */
export interface DenoInfo {
  readonly modules: readonly { readonly kind?: string; readonly npmPackage?: string }[];
  readonly npmPackages: Readonly<
    Record<
      string,
      {
        readonly name: string;
        readonly version: string;
        readonly dependencies: readonly string[];
        readonly localPath: string;
      }
    >
  >;
}

/** Builds the graph from the output of `deno info` for each module. */
export function dependencyGraph(infos: readonly DenoInfo[]): DependencyGraph {
  const packages = new Map<string, GraphPackage>();
  const direct = new Set<string>();
  for (const { modules, npmPackages } of infos) {
    for (const { kind, npmPackage } of modules) {
      // Packages of type declarations are not shipped.
      if (kind === "npm" && npmPackage !== undefined && !npmPackage.startsWith("@types/")) {
        direct.add(addPackage(packages, npmPackages, npmPackage));
      }
    }
  }
  return { direct: [...direct].sort(), packages: new Map([...packages].sort()) };
}

/** Adds a package and its dependencies; returns its key in the graph. */
function addPackage(
  packages: Map<string, GraphPackage>,
  all: DenoInfo["npmPackages"],
  key: string,
): string {
  const found = all[key];
  if (found === undefined) throw new TypeError(`deno info says nothing about ${key}.`);
  const { name, version, localPath } = found;
  // Deno has several keys for the same package, one for each set of peer dependencies.
  const id = `${name}@${version}`;
  if (packages.has(id)) return id;
  const dependencies: string[] = [];
  packages.set(id, { name, version, folder: localPath, dependencies });
  for (const dependency of found.dependencies) {
    dependencies.push(addPackage(packages, all, dependency));
  }
  dependencies.sort();
  return id;
}
