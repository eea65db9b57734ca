import { join } from "node:path";

/** What decides where users keep data of programs. */
export interface UserPlace {
  /** `process.platform`. */
  readonly platform: string;
  /** Environment variables. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
}

/**
 * The folder in which covtool keeps its certificate authority and recordings of sessions that did not end: the one
 * that the platform has for data of programs.
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
export function dataFolder({ platform, variables, home }: UserPlace): string {
  if (platform === "win32") {
    return join(variables["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), "covtool");
  }
  if (platform === "darwin") return join(home, "Library", "Application Support", "covtool");
  // An empty or relative XDG_DATA_HOME is to be ignored, as its specification says.
  const given = variables["XDG_DATA_HOME"];
  return join(given?.startsWith("/") ? given : join(home, ".local", "share"), "covtool");
}
