import { join } from "node:path";

/** Platform facts that determine the data folder. */
export interface UserPlace {
  /** `process.platform`. */
  readonly platform: string;
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The user's home folder; undefined if there is none. */
  readonly home: string | undefined;
}

/**
 * The folder in which covtool keeps its certificate authority and recordings of sessions that did not end: the one
 * that the platform has for data of programs.
 *
 * @returns undefined if neither the variables nor the home folder say where that is. `/` is no home folder: it is
 * what containers give to users that have none.
 *
 * @example
 * ```ts
 * import { dataFolder } from "./data_folder.ts";
 * import assert from "node:assert/strict";
 *
 * const place = { platform: "linux", variables: {}, home: "/home/ada" };
 * assert.equal(dataFolder(place), "/home/ada/.local/share/covtool");
 * ```
 */
export function dataFolder({ platform, variables, home }: UserPlace): string | undefined {
  const place = home === undefined || home === "" || home === "/" ? undefined : home;
  const below = (...names: string[]): string | undefined =>
    place === undefined ? undefined : join(place, ...names);
  if (platform === "win32") {
    const local = variables["LOCALAPPDATA"] || below("AppData", "Local");
    return local === undefined ? undefined : join(local, "covtool");
  }
  if (platform === "darwin") return below("Library", "Application Support", "covtool");
  // An empty or relative XDG_DATA_HOME is to be ignored, as its specification says.
  const given = variables["XDG_DATA_HOME"];
  const shared = given?.startsWith("/") ? given : below(".local", "share");
  return shared === undefined ? undefined : join(shared, "covtool");
}
