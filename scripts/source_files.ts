/** Folders without sources of the project. */
const SKIPPED = new Set(["node_modules", "dist", ".git", ".cache", "fixtures"]);

/** Returns the files under a folder whose names end in one of the suffixes: sorted paths relative to it, with `/`. */
export async function sourceFiles(root: string, suffixes: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  async function walk(folder: string): Promise<void> {
    for await (const entry of Deno.readDir(`${root}/${folder}`)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory && !SKIPPED.has(entry.name)) await walk(path);
      else if (entry.isFile && suffixes.some((suffix) => path.endsWith(suffix))) found.push(path);
    }
  }
  await walk("");
  return found.sort();
}

/** The project's folder, without a slash at its end. */
export const ROOT: string = decodeURIComponent(
  new URL("..", import.meta.url).pathname.replace(/\/$/, "").replace(/^\/(?=[A-Z]:)/, ""),
);

/**
 * Deno options to run tests and scripts: their libraries are in a separate configuration, so that people who only run
 * covtool download only what it needs.
 */
export const WITH_DEV_CONFIG: readonly string[] = ["--config", `${ROOT}/deno.dev.json`];
