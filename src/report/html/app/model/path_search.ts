import type { Model, Operation } from "./model.ts";

/** The patterns of paths, made when a search first needs them. */
const patterns = new Map<string, RegExp>();

/** A path as a pattern that concrete paths match, whatever stands for its templates. */
function patternOf(path: string): RegExp {
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    const text = path.split(/(\{[^{}]*\})/).map((part, index) =>
      index % 2 === 1 ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    ).join("");
    pattern = new RegExp(`^${text}/?$`, "i");
    patterns.set(path, pattern);
  }
  return pattern;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The path of a URL or of a path with a query; null for a word that is neither. */
function pathOf(word: string): string | null {
  const match = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(word);
  return match?.[1] === undefined ? null : decoded(match[1]);
}

/**
 * The operations that a word calls, if it is a concrete path or a URL: `/books/42`,
 * `https://host/v1/books/42?limit=1`.
 *
 * @param word As it was typed.
 * @returns null for any other word.
 */
export function operationsAt(model: Model, word: string): ReadonlySet<Operation> | null {
  const path = pathOf(word);
  if (path === null) return null;
  const matching = (candidate: string): Operation[] =>
    model.operations.filter(({ data }) => patternOf(data.path).test(candidate));
  const base = (model.data.schema.base_path ?? "").replace(/\/$/, "");
  const isBelowBase = base !== "" && path.toLowerCase().startsWith(`${base.toLowerCase()}/`);
  const exact = [...isBelowBase ? matching(path.slice(base.length)) : [], ...matching(path)];
  if (exact.length > 0) return new Set(exact);
  // Another server may have another base path: the least that leaves a path of the description.
  for (
    let at = path.indexOf("/", 1);
    at > 0 && at < path.length - 1;
    at = path.indexOf("/", at + 1)
  ) {
    const found = matching(path.slice(at)).filter(({ data }) => /[^/{}]/.test(literals(data.path)));
    if (found.length > 0) return new Set(found);
  }
  return new Set();
}

/** A path without its templates. */
function literals(path: string): string {
  return path.replace(/\{[^{}]*\}/g, "");
}
