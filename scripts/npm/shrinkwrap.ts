interface LockedPackage {
  readonly integrity: string;
  /** Names, with a version if several versions are locked. */
  readonly dependencies?: readonly string[];
}

/** The part of deno.lock that says which packages there are, by name and version. */
export interface DenoLock {
  readonly npm: Readonly<Record<string, LockedPackage>>;
}

/**
 * Makes npm-shrinkwrap.json: the versions and checksums in deno.lock of all dependencies, direct and indirect. Without
 * it, even an exact version of the package would install newly published versions of its dependencies.
 */
export function shrinkwrap(
  json: Readonly<Record<string, unknown>>,
  { npm }: DenoLock,
): Readonly<Record<string, unknown>> {
  const { name, version, license, engines, bin, dependencies } = json;
  const packages: Record<string, unknown> = {
    "": { name, version, license, engines, bin, dependencies },
  };
  const pinned = new Map<string, string>();
  const add = (library: string): string => {
    const known = pinned.get(library);
    if (known !== undefined) return known;
    const keys = Object.keys(npm).filter((key) => key.startsWith(`${library}@`));
    const [key = ""] = keys;
    const locked = npm[key];
    if (locked === undefined || keys.length > 1) {
      throw new Error(
        `deno.lock has ${
          keys.length === 0 ? "no version" : "several versions"
        } of ${library}, which npm-shrinkwrap.json needs one of.`,
      );
    }
    const exact = key.slice(library.length + 1).replace(/_.*$/, "");
    pinned.set(library, exact);
    const requires: Record<string, string> = {};
    packages[`node_modules/${library}`] = {
      version: exact,
      integrity: locked.integrity,
      ...(locked.dependencies !== undefined && { dependencies: requires }),
    };
    for (const needed of locked.dependencies ?? []) {
      const name = needed.replace(/(?<=.)@.*$/, "");
      requires[name] = add(name);
    }
    return exact;
  };
  for (const library of Object.keys(dependencies as Readonly<Record<string, string>>)) add(library);
  return { name, version, lockfileVersion: 3, requires: true, packages };
}
