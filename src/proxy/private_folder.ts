import { rmSync } from "node:fs";
import { chmod, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { errorCode } from "../files/files.ts";
import { draftName } from "../files/write_new_file.ts";
import { makeTemporaryFolder } from "../files/make_temporary_folder.ts";
import { missingPermission } from "../files/missing_permission.ts";

/** A folder that only its user can read and write. */
export interface PrivateFolder {
  readonly path: string;
  /** The reason why the folder is temporary, as a sentence; undefined if it is permanent. */
  readonly temporaryBecause: string | undefined;
  /** Removes the folder immediately if it is temporary. */
  close(): void;
}

/** Opens the user's folder for covtool's data, or a new temporary one. Throws a TemporaryFolderError. */
export async function openPrivateFolder(
  variables: Readonly<Record<string, string | undefined>>,
): Promise<PrivateFolder> {
  const home = homeFolder();
  const path = dataFolder({ platform: process.platform, variables, home: home.path });
  const problem = path === undefined ? home.problem : await findProblem(path);
  if (path !== undefined && problem === undefined) {
    return { path, temporaryBecause: undefined, close: () => {} };
  }
  const temporary = makeTemporaryFolder("proxy");
  return {
    path: temporary,
    temporaryBecause: path === undefined ? problem : `${path} cannot be used. ${problem}`,
    close: () => rmSync(temporary, { recursive: true, force: true }),
  };
}

/** Finds the home folder. If there is none, Node.js throws, and Deno returns null. */
function homeFolder(): { readonly path?: string; readonly problem: string } {
  const problem = "There is no home folder.";
  try {
    const path = homedir() as string | null;
    return path === null ? { problem } : { path, problem };
  } catch (error) {
    return { problem: missingPermission(error) ?? problem };
  }
}

/** Returns the reason why a folder cannot be used, as a sentence; undefined if it can. */
async function findProblem(path: string): Promise<string | undefined> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    const { uid, mode } = await stat(path);
    const user = process.getuid?.();
    // Another owner could put their own certificate authority into the folder.
    if (user !== undefined && uid !== user) return "It belongs to another user.";
    if (user !== undefined && (mode & 0o077) !== 0) await chmod(path, 0o700);
    // If the proxy is killed, files with a name of a draft are removed later.
    const probe = join(path, draftName());
    await writeFile(probe, "", { flag: "wx", mode: 0o600 });
    await rm(probe);
    return undefined;
  } catch (error) {
    const permission = missingPermission(error);
    if (permission !== undefined) return permission;
    const code = errorCode(error);
    return `It cannot be written to (${typeof code === "string" ? code : String(error)}).`;
  }
}

interface PlatformFacts {
  readonly platform: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly home: string | undefined;
}

/** Returns the platform's folder for program data; undefined if it is unknown, as in containers. */
export function dataFolder({ platform, variables, home }: PlatformFacts): string | undefined {
  const usableHome = home === undefined || home === "" || home === "/" ? undefined : home;
  const inHome = (...names: string[]): string | undefined =>
    usableHome === undefined ? undefined : join(usableHome, ...names);
  if (platform === "win32") {
    const appData = variables["LOCALAPPDATA"] || inHome("AppData", "Local");
    return appData === undefined ? undefined : join(appData, "covtool");
  }
  if (platform === "darwin") return inHome("Library", "Application Support", "covtool");
  // The XDG specification says to ignore an empty or relative value.
  const dataHome = variables["XDG_DATA_HOME"];
  const shared = dataHome?.startsWith("/") ? dataHome : inHome(".local", "share");
  return shared === undefined ? undefined : join(shared, "covtool");
}
