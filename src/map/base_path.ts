import { Redactor } from "../redact/redactor.ts";
import { decodeUri } from "../values/escapes.ts";
import { getOrAdd } from "../values/collections.ts";
import { decodedSegment, type SplitPath } from "./request_target.ts";
import { Tallies } from "./tallies.ts";

export const MAX_PREFIXES = 1000;

/** A base path under which a request that matched nothing would have matched an operation. */
export interface PrefixHint {
  /** The base path as the request wrote it: `/api/v1`, or `/` for none. */
  readonly prefix: string;
  /** The number of templates in the path of that operation. A hint with fewer templates is more reliable. */
  readonly templates: number;
}

export interface PrefixCount {
  readonly prefix: string;
  readonly requests: number;
  /** The number of templates in the paths of these operations, summed over the requests. */
  readonly templates: number;
}

/** Counts the base paths under which unmatched requests would match. Keeps the 1,000 shortest, whatever their order. */
export class BasePathHints {
  readonly #prefixes = new Tallies<PrefixCount>({
    key: ["prefix"],
    sums: ["requests", "templates"],
    limit: MAX_PREFIXES,
    rank: ({ prefix }) => prefix === "/" ? 0 : prefix.split("/").length - 1,
  });

  add(hints: readonly PrefixHint[], requests = 1): void {
    for (const { prefix, templates } of hints) {
      this.#prefixes.add({ prefix, requests, templates: templates * requests });
    }
  }

  /** Returns the counts as plain data, shortest prefixes first. */
  export(): readonly PrefixCount[] {
    return this.#prefixes.list();
  }

  merge(counts: readonly PrefixCount[]): void {
    for (const { prefix, requests, templates } of counts) {
      this.#prefixes.add({ prefix, requests, templates });
    }
  }

  /** Suggests a base path (semantics, section 2): the most frequent one, if it fits more than half of the requests. */
  suggestion(matched: number, unmatched: number): string | null {
    let best: PrefixCount | null = null;
    for (const entry of this.#prefixes.list()) {
      if (
        best === null || entry.requests > best.requests ||
        (entry.requests === best.requests && entry.templates < best.templates)
      ) best = entry;
    }
    return best !== null && 2 * best.requests > matched + unmatched ? best.prefix : null;
  }
}

export interface PrefixOptions {
  /** The paths of servers that apply to every operation. The empty prefix is always tried and need not be listed. */
  readonly basePaths?: readonly string[] | undefined;
  /** True to try the empty prefix before the paths of servers, as the proxy does, instead of after them. */
  readonly emptyPrefixFirst?: boolean | undefined;
}

interface PrefixNode {
  readonly depth: number;
  children: Map<string, PrefixNode> | null;
  isPrefix: boolean;
}

export class PathPrefixes {
  readonly #root: PrefixNode = { depth: 0, children: null, isPrefix: false };
  readonly #emptyFirst: boolean;

  /** @param base The only prefix to accept; null to accept those of the options and the empty one. */
  constructor(base: BasePath | null, { basePaths = [], emptyPrefixFirst }: PrefixOptions) {
    this.#emptyFirst = emptyPrefixFirst === true;
    this.#add(base?.segments ?? []);
    if (base !== null) return;
    for (const path of basePaths) this.#add(prefixSegments(path));
  }

  #add(segments: readonly string[]): void {
    let node = this.#root;
    for (const segment of segments) {
      const below: PrefixNode = { depth: node.depth + 1, children: null, isPrefix: false };
      node = getOrAdd(node.children ??= new Map(), segment, () => below);
    }
    node.isPrefix = true;
  }

  /** Returns the lengths, in segments, of the prefixes that the path begins with, in the order in which to try them. */
  matchingDepths(path: SplitPath): number[] {
    const root = this.#root;
    const depths: number[] = [];
    let node: PrefixNode | undefined = root.children === null ? undefined : root;
    while (node?.children) {
      node = node.children.get(decodedSegment(path, node.depth));
      if (node?.isPrefix) depths.push(node.depth);
    }
    depths.reverse();
    if (root.isPrefix) {
      if (this.#emptyFirst) depths.unshift(0);
      else depths.push(0);
    }
    return depths;
  }
}

export interface BasePath {
  /** Scheme, host and port (`https://example.com:8443`, without a default port); null if only a path was given. */
  readonly origin: string | null;
  /** Percent-decoded; empty for the empty prefix. */
  readonly segments: readonly string[];
}

/** Returns the percent-decoded segments of a base path, with `.`, `..` and repeated slashes resolved as in a URL. */
export function prefixSegments(path: string): readonly string[] {
  const segments: string[] = [];
  for (const raw of path.split("/")) {
    const segment = decodeUri(raw);
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}

/** Reads the `basePath` option: a path (`/v1`), or a full URL. Throws a TypeError if it is neither. */
export function parseBasePath(text: string): BasePath {
  const refuse = (problem: string, cause?: unknown): never => {
    throw new TypeError(
      `Cannot use the base path ${JSON.stringify(new Redactor().url(text))}: ${problem}. ` +
        "Give a path such as /v1, or a full URL such as https://example.com/v1.",
      { cause },
    );
  };
  if (/[?#]/.test(text)) return refuse("it has a query or a fragment");
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    let url: URL;
    try {
      url = new URL(text);
    } catch (cause) {
      return refuse("it is not a valid URL", cause);
    }
    return { origin: `${url.protocol}//${url.host}`, segments: prefixSegments(url.pathname) };
  }
  if (/^[^/]*:/.test(text)) return refuse("a host needs its scheme");
  return { origin: null, segments: prefixSegments(text) };
}
