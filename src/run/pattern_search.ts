import { posix, relative, resolve } from "node:path";
import process from "node:process";
// @ts-types="@types/picomatch"
import picomatch from "picomatch";

/** A search for files; a walk through folders asks it about each name. */
export interface FolderSearch<State> {
  /** The folder where the search begins; empty for the working directory. */
  readonly start: string;
  /** The state in the first folder. */
  readonly state: State;
  /** Returns the state in the folder `name` within another folder; undefined if the search doesn't enter it. */
  enter(state: State, name: string): State | undefined;
  /** Returns a key that is equal for states with the same search. */
  stateKey(state: State): string;
  /** True if the state doesn't determine the search: a folder reached on another way may have more matches. */
  isVague(state: State): boolean;
  isWanted(path: string, name: string): boolean;
  onUnread(path: string, error: unknown): void;
}

/** The indexes of the pattern's parts with which the rest of a path may begin. */
type Places = readonly number[];

const OPTIONS = { posix: true, windows: false };

/** Returns a search for files that match a pattern. Its state is the parts of the pattern that may come next. */
export function patternSearch(
  given: string,
  onUnread: (path: string, error: unknown) => void,
): FolderSearch<Places> {
  const pattern = posix.normalize(given).replace(/(?<=[^/])\/$/, "");
  const parts = splitPattern(pattern);
  // A negated pattern describes the files not to find, so it finds none.
  const isNegated = picomatch.scan(pattern).negated;
  const start = fixedStart(parts);
  const rest = parts.slice(start.length);
  const isMatch = picomatch(rest.join("/"), OPTIONS);
  const tests = rest.map((part) => picomatch(part, OPTIONS));
  /** Adds the parts that may come next because those before them may be empty. */
  const withNext = (places: readonly number[]): Places => {
    const all = new Set<number>();
    for (let place of places) {
      all.add(place);
      while (rest[place] === "**") all.add(++place);
    }
    return [...all].filter((place) => place < rest.length).sort((one, other) => one - other);
  };
  /** True if a part may match several names, as in `{a,b/c}`, or depends on what follows it, as in `!(a)`. */
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
    stateKey: (places) => places.join(),
    isVague: (places) => places.some(isVague),
    isWanted: (path) => !isNegated && isMatch(path.slice(prefix)),
    onUnread,
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

/** Returns the path of a folder as shown in messages: relative to the working directory. */
function shownFolder(names: readonly string[]): string {
  const cwd = process.cwd();
  const shown = names.length === 0 ? "" : relative(cwd, resolve(cwd, `${names.join("/")}/`));
  return process.platform === "win32" ? shown.replaceAll("\\", "/") : shown;
}
