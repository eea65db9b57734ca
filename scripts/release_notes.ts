/**
 * Prints the section of CHANGELOG.md for a version, as release notes.
 *
 *     deno run --allow-read scripts/release_notes.ts 0.2.0 https://github.com/OWNER/covtool/blob/v0.2.0/
 *
 * @module
 */
import { print } from "./print.ts";
import { ROOT } from "./source_files.ts";

/** Returns the text under the heading of a version; undefined if there is none. */
export function releaseNotes(changelog: string, version: string, base = ""): string | undefined {
  for (const section of changelog.split(/^## /m).slice(1)) {
    const [heading = "", ...lines] = section.split("\n");
    if (heading.split(/[\s–]/)[0] !== version) continue;
    return lines.join("\n").trim().replace(
      /\]\((?![a-z]+:|#)([^)]+)\)/g,
      (_all, path: string) => `](${base}${path})`,
    );
  }
  return undefined;
}

if (import.meta.main) {
  const [version = "", base] = Deno.args;
  const notes = releaseNotes(await Deno.readTextFile(`${ROOT}/CHANGELOG.md`), version, base);
  print(notes ?? `CHANGELOG.md has no section for ${version}.`);
  Deno.exit(notes === undefined ? 1 : 0);
}
