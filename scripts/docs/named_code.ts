/**
 * Finds the files, functions and types that a page about the code names and the sources no longer have.
 *
 * @module
 */

const FENCE = /^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\1[`~]*[ \t]*$/gm;
const CODE = /`([^`\n]+)`/g;
/** Folders whose paths are written from the root of the project. */
const FROM_THE_TOP = /^(?:\.github|action|docs|examples|scripts|src|tests)\//;
const FILE = /^[\w./…-]+\.(?:json|mjs|md|sh|tsx?|ya?ml)$/;
const FUNCTION = /^(?:\w+\.)*#?(\w+)\(\)$/;
/** A file that is named after one of its functions: `` `gaps()` in `gaps.ts` ``. */
const IN_FILE = /^`\s+(?:in|of)\s+`([\w./…-]+\.tsx?)`/;
const TYPE = /^[A-Z][a-z]+[A-Z]\w*$/;
const DECLARES_TYPE = /\b(?:class|interface|type)\s+(\w+)/g;
/** Names of the platform, which no source declares. */
const PLATFORM: ReadonlySet<string> = new Set(["AsyncLocalStorage", "ClientRequest"]);

/**
 * Finds names in backticks that the sources lack: a path or file name that no file has; a function (`name()`) that the
 * file named with it (`name()` in `file`, otherwise the last file before it) does not declare; a type that nothing
 * declares. `…` in a file name stands for any text.
 */
export function unknownNames(page: string, sources: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const paths = [...sources.keys()];
  const types = new Set(
    [...sources.values()].flatMap((text) =>
      [...text.matchAll(DECLARES_TYPE)].map(([, name = ""]) => name)
    ),
  );
  let last: readonly string[] = [];
  const prose = page.replace(FENCE, "");
  for (const { 0: span, 1: name = "", index } of prose.matchAll(CODE)) {
    const [, called] = FUNCTION.exec(name) ?? [];
    if (FROM_THE_TOP.test(name) || FILE.test(name)) {
      const found = findPaths(name, paths);
      if (found.length === 0) problems.push(`\`${name}\` is no file or folder.`);
      else if (FILE.test(name)) last = found;
    } else if (called !== undefined) {
      const [, file] = IN_FILE.exec(prose.slice(index + span.length - 1)) ?? [];
      const files = file === undefined ? last : findPaths(file, paths);
      if (files.length === 0) problems.push(`\`${name}\` stands with no file.`);
      else if (!files.some((path) => declares(sources.get(path) ?? "", called))) {
        problems.push(`\`${name}\` is not declared in ${files.join(", ")}.`);
      }
    } else if (TYPE.test(name) && !types.has(name) && !PLATFORM.has(name)) {
      problems.push(`\`${name}\` is no type of the sources.`);
    }
  }
  return problems;
}

/** Returns the files that a name in a page can mean: a path from the root, a folder, or the end of a path. */
function findPaths(name: string, paths: readonly string[]): string[] {
  const pattern = name.replace(/\/$/, "").split("…").map((part) =>
    part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  ).join("[^/]*");
  const folder = FILE.test(name) ? "$" : "(?:$|/)";
  const start = FROM_THE_TOP.test(name) ? "^" : "(?:^|/)";
  const whole = new RegExp(start + pattern + folder);
  return paths.filter((path) => whole.test(path));
}

function declares(source: string, name: string): boolean {
  return new RegExp(
    `(?:function\\*?|const|get)\\s+${name}\\b|^\\s+(?:(?:static|async|override|public)\\s+)*[*#]?${name}(?:<[^>]*>)?\\(`,
    "m",
  ).test(source);
}
