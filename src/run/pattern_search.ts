import { posix, relative, resolve } from "node:path";
import process from "node:process";
// @ts-types="@types/picomatch"
import picomatch from "picomatch";

/** A search for files, which a walk through folders asks about each name. */
export interface FolderSearch<State> {
  /** The folder where it begins; empty for the working directory. */
  readonly start: string;
  /** What is known of the path to that folder. */
  readonly state: State;
  /** The state in a folder of a name, within another folder; undefined if nothing is looked for there. */
  enter(state: State, name: string): State | undefined;
  /** A text that is the same for states in which the same is looked for. */
  keyOf(state: State): string;
  /** True for a state that doesn't tell all that is looked for: a folder that comes again may have more. */
  isVague(state: State): boolean;
  isWanted(path: string, name: string): boolean;
  onUnread(path: string, error: unknown): void;
}

/** The parts of a pattern that what is left of a path may begin with, by their index. */
type Places = readonly number[];

const OPTIONS = { posix: true, windows: false };

/** The search for files that match a pattern. Its state is the parts that may come next, so a folder is read once for each. */
export function patternSearch(
  given: string,
  onUnread: (path: string, error: unknown) => void,
): FolderSearch<Places> {
  const pattern = posix.normalize(given).replace(/(?<=[^/])\/$/, "");
  const parts = splitPattern(pattern);
  // It names files that are not to be found, so it finds none.
  const isNegated = picomatch.scan(pattern).negated;
  const start = fixedStart(parts);
  const rest = parts.slice(start.length);
  const isMatch = picomatch(rest.join("/"), OPTIONS);
  const tests = rest.map((part) => picomatch(part, OPTIONS));
  /** Where a part may be empty, the next one may come as well. */
  const withNext = (places: readonly number[]): Places => {
    const all = new Set<number>();
    for (let place of places) {
      all.add(place);
      while (rest[place] === "**") all.add(++place);
    }
    return [...all].filter((place) => place < rest.length).sort((one, other) => one - other);
  };
  /** True for a part that may match several names, as `{a,b/c}`, or that depends on what comes behind it, as `!(a)`. */
  const isVague = (place: number): boolean => /\/|!\(/.test(rest[place] ?? "");
  const folder = shownFolder(start.map((part) => part.replace(/\\(.)/g, "$1")));
  const prefix = folder === "" || folder.endsWith("/") ? folder.length : folder.length + 1;
  return {
    start: folder,
    state: withNext([0]),
    enter(places, name) {
      const next = withNext(places.flatMap((place) => {
        if (isVague(place)) return [place];
        if (tests[place]?.(name) !== true) return [];
        return [rest[place] === "**" ? place : place + 1];
      }));
      return next.length === 0 ? undefined : next;
    },
    keyOf: (places) => places.join(),
    isVague: (places) => places.some(isVague),
    isWanted: (path) => !isNegated && isMatch(path.slice(prefix)),
    onUnread,
  };
}

function splitPattern(pattern: string): readonly string[] {
  const { parts } = picomatch.scan(pattern, { parts: true });
  return parts === undefined || parts.length === 0 ? [pattern] : parts;
}

/** The parts at the beginning that are names of folders. */
function fixedStart(parts: readonly string[]): readonly string[] {
  const end = parts.findIndex((part, index) =>
    index === parts.length - 1 || picomatch.scan(part).isGlob
  );
  return parts.slice(0, end);
}

/** The path of a folder as messages show it: from the working directory. */
function shownFolder(names: readonly string[]): string {
  const cwd = process.cwd();
  const shown = names.length === 0 ? "" : relative(cwd, resolve(cwd, `${names.join("/")}/`));
  return process.platform === "win32" ? shown.replaceAll("\\", "/") : shown;
}
