import { posix, relative, resolve } from "node:path";
import process from "node:process";
// @ts-types="@types/picomatch"
import picomatch from "picomatch";

/** A search for files; a walk through folders asks it about each name. */
export interface FolderSearch<State> {
  /** The folder where the search begins; empty for the working directory. */
  readonly start: string;
  readonly state: State;
  /** Returns the state in the folder `name` within another folder; undefined if the search doesn't enter it. */
  enter(state: State, name: string): State | undefined;
  /** Returns a key that is equal for states with the same search. */
  stateKey(state: State): string;
  /** True if the state doesn't determine the search: a folder reached on another way may have more matches. */
  isAmbiguous(state: State): boolean;
  matches(path: string, name: string): boolean;
  onUnreadable(path: string, error: unknown): void;
}

/** The indexes of the pattern's parts with which the rest of a path may begin. */
type PartIndexes = readonly number[];

const OPTIONS = { posix: true, windows: false };

/** Returns a search for files that match a pattern. Its state is the parts of the pattern that may come next. */
export function patternSearch(
  input: string,
  onUnreadable: (path: string, error: unknown) => void,
): FolderSearch<PartIndexes> {
  const pattern = posix.normalize(input).replace(/(?<=[^/])\/$/, "");
  const parts = splitPattern(pattern);
  // A negated pattern describes the files not to find, so it finds none.
  const isNegated = picomatch.scan(pattern).negated;
  const start = fixedStart(parts);
  const globParts = parts.slice(start.length);
  const isMatch = picomatch(globParts.join("/"), OPTIONS);
  const matchers = globParts.map((part) => picomatch(part, OPTIONS));
  /** Adds the parts that may come next because those before them may be empty. */
  const addFollowing = (places: readonly number[]): PartIndexes => {
    const all = new Set<number>();
    for (let place of places) {
      all.add(place);
      while (globParts[place] === "**") all.add(++place);
    }
    return [...all].filter((place) => place < globParts.length).sort((one, other) => one - other);
  };
  /** True if a part may match several names, as in `{a,b/c}`, or depends on what follows it, as in `!(a)`. */
  const isAmbiguous = (place: number): boolean => /\/|!\(/.test(globParts[place] ?? "");
  const folder = relativeFolder(start.map((part) => part.replace(/\\(.)/g, "$1")));
  const prefix = folder === "" || folder.endsWith("/") ? folder.length : folder.length + 1;
  return {
    start: folder,
    state: addFollowing([0]),
    enter(places, name) {
      const next = addFollowing(places.flatMap((place) => {
        if (isAmbiguous(place)) return [place];
        if (matchers[place]?.(name) !== true) return [];
        return [globParts[place] === "**" ? place : place + 1];
      }));
      return next.length === 0 ? undefined : next;
    },
    stateKey: (places) => places.join(),
    isAmbiguous: (places) => places.some(isAmbiguous),
    matches: (path) => !isNegated && isMatch(path.slice(prefix)),
    onUnreadable,
  };
}

function splitPattern(pattern: string): readonly string[] {
  const { parts } = picomatch.scan(pattern, { parts: true });
  return parts === undefined || parts.length === 0 ? [pattern] : parts;
}

/** Returns the parts at the start that are plain names of folders. */
function fixedStart(parts: readonly string[]): readonly string[] {
  const end = parts.findIndex((part, index) =>
    index === parts.length - 1 || picomatch.scan(part).isGlob
  );
  return parts.slice(0, end);
}

function relativeFolder(names: readonly string[]): string {
  const cwd = process.cwd();
  const shown = names.length === 0 ? "" : relative(cwd, resolve(cwd, `${names.join("/")}/`));
  return process.platform === "win32" ? shown.replaceAll("\\", "/") : shown;
}
