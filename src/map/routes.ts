import { type BasePath, parseBasePath, prefixSegments } from "./base_path.ts";
import type { PrefixHint } from "./base_path_hints.ts";
import { isLoopback, withoutLoopbackPort } from "./loopback_host.ts";
import { parsePathTemplate, type PathTemplate } from "./path_template.ts";
import { type RequestTarget, requestTargets } from "./request_target.ts";
import type { UnmatchedReason } from "./results.ts";
import {
  addRoute,
  decodedSegment,
  emptyTrie,
  findRoute,
  type RouteTrie,
  type SplitPath,
} from "./route_trie.ts";

/** The parts of an operation that matching needs. */
export interface RouteOperation {
  /** The method, in any case. */
  readonly method: string;
  /** The path template as the document writes it. */
  readonly path: string;
}

/** Options for matching requests. */
export interface RouteOptions {
  /** The paths of the servers, each of which holds for every operation; the empty prefix need not be among them. */
  readonly basePaths?: readonly string[] | undefined;
  /** A path or a full URL that alone is the prefix of every operation, whatever their servers say. */
  readonly basePath?: string | undefined;
  /** True to try the empty prefix before the servers' paths (the proxy), not after them. */
  readonly emptyPrefixFirst?: boolean | undefined;
}

/** Where a request leads. */
export type RouteMatch =
  | {
    readonly kind: "operation";
    /** The operation's place in the list that was compiled. */
    readonly index: number;
    /** The text of each template of the path, left to right, still percent-encoded. */
    readonly captures: readonly string[];
    /** The text between `?` and `#`, not decoded. */
    readonly query: string;
  }
  | {
    readonly kind: "unmatched";
    readonly reason: UnmatchedReason;
    /** Host with port, that of this machine without; empty where the URL has none. */
    readonly host: string;
    /** Without the query; the template where only the method is not documented. */
    readonly path: string;
  };

/** The operations of a document, compiled for matching. */
export interface Routes {
  /** The operation that a request leads to, or why it leads to none. `url` is a full URL or a path. */
  match(method: string, url: string): RouteMatch;
  /**
   * The base paths that, given as the option, would let an unmatched request match. `path` is
   * that of its match. Operations without a literal segment do not count: `/{id}` fits anything.
   */
  suggestPrefixes(method: string, path: string): readonly PrefixHint[];
}

/** Longer prefixes than this many segments are not suggested, so that odd paths stay cheap. */
const SUGGESTED_SEGMENTS = 8;

interface Route {
  readonly method: string;
  readonly template: PathTemplate;
}

/** A tree of the segments of prefixes. */
interface PrefixNode {
  readonly depth: number;
  children: Map<string, PrefixNode> | null;
  /** True if a prefix ends here. */
  isPrefix: boolean;
}

function prefixNode(root: PrefixNode, segments: readonly string[]): PrefixNode {
  let node = root;
  for (const segment of segments) {
    node.children ??= new Map();
    let child = node.children.get(segment);
    if (child === undefined) {
      child = { depth: node.depth + 1, children: null, isPrefix: false };
      node.children.set(segment, child);
    }
    node = child;
  }
  return node;
}

function buildTrie(routes: readonly (Route | null)[]): RouteTrie {
  const trie = emptyTrie();
  for (const [index, route] of routes.entries()) {
    if (route) addRoute(trie, route.template, route.method, index);
  }
  return trie;
}

function splitPath(path: string): SplitPath {
  const raw: string[] = [];
  let start = 1;
  for (let end = path.indexOf("/", 1); end >= 0; end = path.indexOf("/", start)) {
    raw.push(path.slice(start, end));
    start = end + 1;
  }
  const trailingSlash = start === path.length;
  if (!trailingSlash) raw.push(path.slice(start));
  return { raw, decoded: path.includes("%") ? new Array(raw.length) : raw, trailingSlash };
}

/** The nodes of the prefixes that the path begins with, in the order in which they are tried. */
function prefixesOf(root: PrefixNode, path: SplitPath, emptyFirst: boolean): PrefixNode[] {
  const found: PrefixNode[] = [];
  let node: PrefixNode | undefined = root.children === null ? undefined : root;
  while (node?.children) {
    node = node.children.get(decodedSegment(path, node.depth));
    if (node?.isPrefix) found.push(node);
  }
  found.reverse();
  if (root.isPrefix) {
    if (emptyFirst) found.unshift(root);
    else found.push(root);
  }
  return found;
}

/**
 * Compiles operations for matching (semantics, section 2). Matching is fast: what a request costs
 * depends on its length, hardly on the number of operations.
 *
 * @throws {TypeError} Where the base path is neither a path nor a valid URL.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { compileRoutes } from "./routes.ts";
 *
 * const routes = compileRoutes([
 *   { method: "get", path: "/users/{id}" },
 *   { method: "post", path: "/users/me" },
 * ], { basePaths: ["/v1"] });
 * assert.deepEqual(routes.match("GET", "https://localhost:8080/v1/users/me?full=true"), {
 *   kind: "operation",
 *   index: 0,
 *   captures: ["me"],
 *   query: "full=true",
 * });
 * assert.deepEqual(routes.match("DELETE", "/users/7"), {
 *   kind: "unmatched",
 *   reason: "method_not_documented",
 *   host: "",
 *   path: "/users/{id}",
 * });
 * ```
 */
export function compileRoutes(
  operations: readonly RouteOperation[],
  options: RouteOptions,
): Routes {
  const base: BasePath | null = options.basePath === undefined
    ? null
    : parseBasePath(options.basePath);
  const routes = operations.map(({ method, path }): Route | null => {
    const template = parsePathTemplate(path);
    return template === null ? null : { method: method.toUpperCase(), template };
  });
  const literal = routes.map((route) =>
    route !== null && route.template.segments.some((segment) => segment.kind === "literal")
  );
  const trie = buildTrie(routes);
  const root: PrefixNode = { depth: 0, children: null, isPrefix: false };
  prefixNode(root, base?.segments ?? []).isPrefix = true;
  if (base === null) {
    for (const path of options.basePaths ?? []) {
      prefixNode(root, prefixSegments(path)).isPrefix = true;
    }
  }
  const emptyFirst = options.emptyPrefixFirst === true;
  const readTarget = requestTargets();
  const baseHost = base?.origin?.replace(/^.*\/\//, "") ?? "";
  const namesLoopback = isLoopback(baseHost);

  function match(method: string, url: string): RouteMatch {
    const target = readTarget(url);
    if (target === null) {
      const path = /^[^?#]*/.exec(url)?.[0] ?? "";
      return { kind: "unmatched", reason: "invalid_url", host: "", path };
    }
    const path = splitPath(target.path);
    const inside = base === null || base.origin === null || base.origin === target.origin;
    const prefixes = inside ? prefixesOf(root, path, emptyFirst) : [];
    const upper = method.toUpperCase();
    const captures: string[] = [];
    for (const { depth } of prefixes) {
      const index = findRoute(trie, path, depth, upper, captures);
      if (index < 0) continue;
      return { kind: "operation", index, captures, query: target.query };
    }
    for (const { depth } of prefixes) {
      const template = findRoute(trie, path, depth, null, captures);
      if (template < 0) continue;
      const documented = operations[template]?.path ?? "";
      const host = hostOf(target);
      return { kind: "unmatched", reason: "method_not_documented", host, path: documented };
    }
    const reason = prefixes.length === 0 ? "outside_base_path" : "no_matching_path";
    return { kind: "unmatched", reason, host: hostOf(target), path: target.path };
  }

  /** The name that an unmatched request is listed under: with a port of this machine only where the port decides. */
  function hostOf({ host }: RequestTarget): string {
    return namesLoopback ? host : withoutLoopbackPort(host);
  }

  function suggestPrefixes(method: string, path: string): readonly PrefixHint[] {
    const upper = method.toUpperCase();
    const split = splitPath(path);
    const hints: PrefixHint[] = [];
    const longest = Math.min(SUGGESTED_SEGMENTS, split.raw.length - 1);
    for (let depth = base === null ? 1 : 0; depth <= longest; depth++) {
      // A base path has no empty segments, so none longer than this would do either.
      if (depth > 0 && split.raw[depth - 1] === "") break;
      const index = findRoute(trie, split, depth, upper, []);
      if (index < 0 || !literal[index]) continue;
      const prefix = `/${split.raw.slice(0, depth).join("/")}`;
      hints.push({ prefix, templates: routes[index]?.template.names.length ?? 0 });
    }
    return hints;
  }

  return { match, suggestPrefixes };
}
