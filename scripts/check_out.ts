import { runOrThrow } from "./run.ts";
import { ROOT } from "./source_files.ts";

/** Returns a folder with the files of a commit, cached in `.cache/compare`. */
export async function checkOut(commit: string): Promise<string> {
  const git = (...args: readonly string[]) => runOrThrow("git", args, { cwd: ROOT });
  const hash = (await git("rev-parse", "--short", commit)).trim();
  const folder = `${ROOT}/.cache/compare/${hash}`;
  await git("worktree", "prune");
  try {
    await Deno.stat(folder);
  } catch {
    await git("worktree", "add", "--detach", folder, commit);
  }
  return folder;
}
