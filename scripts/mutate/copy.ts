import { dirname } from "node:path";
import { runOrThrow } from "../run.ts";
import { ROOT } from "../source_files.ts";

/** Returns the project's files that Git tracks or would add, as paths relative to the project. */
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

/** Copies the project's files to a folder and deletes all others there. Unchanged files aren't written. */
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
