import { dirname } from "node:path";
import { runOrThrow } from "../run.ts";
import { ROOT } from "../source_files.ts";

/** Files of the project that Git knows or would take, as paths relative to it. */
export async function projectFiles(): Promise<string[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const listed = (await runOrThrow("git", args, { cwd: ROOT })).split("\0");
  return listed.filter((path) => path !== "");
}

function read(path: string): Uint8Array | undefined {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function isSame(left: Uint8Array, right: Uint8Array | undefined): boolean {
  return left.length === right?.length && left.every((byte, index) => byte === right[index]);
}

/** Makes a folder hold the project's files as they are now, and no others. Files that are the same aren't written. */
export function copyProject(folder: string, files: readonly string[]): void {
  const wanted = new Set<string>();
  for (const path of files) {
    const bytes = read(`${ROOT}/${path}`);
    if (bytes === undefined) continue;
    wanted.add(path);
    if (isSame(bytes, read(`${folder}/${path}`))) continue;
    Deno.mkdirSync(dirname(`${folder}/${path}`), { recursive: true });
    Deno.writeFileSync(`${folder}/${path}`, bytes);
  }
  const prune = (inner: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(`${folder}/${inner}`)) {
      const path = inner === "" ? name : `${inner}/${name}`;
      if (isDirectory) prune(path);
      else if (!wanted.has(path)) Deno.removeSync(`${folder}/${path}`);
    }
  };
  prune("");
}
