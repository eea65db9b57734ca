import { type BasePath, parseBasePath } from "./base_path.ts";
import type { PrefixHint } from "./base_path_hints.ts";
import { HOST_RANKS, HostClaims } from "./host_claims.ts";
import { isLoopback, withoutLoopbackPort } from "./loopback_host.ts";
import { PathPrefixes, type PrefixOptions } from "./path_prefixes.ts";
import { parsePathTemplate, type PathTemplate } from "./path_template.ts";
import { type RequestTarget, requestTargets } from "./request_target.ts";
import type { UnmatchedReason } from "./results.ts";
import { addRoute, emptyTrie, findRoute, type RouteTrie } from "./route_trie.ts";
import { splitPath } from "./split_path.ts";

/** The parts of an operation that matching needs. */
export interface RouteOperation {
  /** The method, in any case. */
  readonly method: string;
  /** The path template as the document writes it. */
  readonly path: string;
}

/** Options for matching requests. */
export interface RouteOptions extends PrefixOptions {
  /** A path or a full URL that alone is the prefix of every operation, whatever their servers say. */
  readonly basePath?: string | undefined;
  /** Patterns of the hosts whose requests can match (`api.example`, `*.example`); none for every host. */
  readonly hosts?: readonly string[] | undefined;
  /** The hosts of the servers, which say to which of several APIs a request belongs. */
  readonly serverHosts?: readonly string[] | undefined;
}

/** The precision with which an API names the place of a request; it decides between APIs that could share a request. */
export interface RouteClaim {
  /** The precision of the host: see {@linkcode HOST_RANKS}. */
  readonly host: number;
  /** The number of segments in the longest of its base paths that the path begins with. */
  readonly depth: number;
}

/** The result of matching a request. */
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
    /** Host with port, that of this machine without; empty if the URL has none. */
    readonly host: string;
    /** Without the query; the template where only the method is not documented. */
    readonly path: string;
  };

/** The operations of a document, compiled for matching. */
export interface Routes {
  /** Finds the operation of a request, or the reason why none matches. `url` is a full URL or a path. */
  match(method: string, url: string): RouteMatch;
  /**
   * The base paths that, given as the option, would let an unmatched request match. `path` is
   * that of its match. Operations without a literal segment do not count: `/{id}` fits anything.
   */
  suggestPrefixes(method: string, path: string): readonly PrefixHint[];
  /** The precision with which the place of a request is named; null if the host or the base path belongs to others. */
  claim(url: string): RouteClaim | null;
  /** The number of leading segments of a matching URL that the base path and the path spell out. */
  spelledSegments(url: string, index: number): number;
}

/** Longer prefixes than this many segments are not suggested, so that odd paths stay cheap. */
const SUGGESTED_SEGMENTS = 8;

interface Route {
  readonly method: string;
  readonly template: PathTemplate;
}

function buildTrie(routes: readonly (Route | null)[]): RouteTrie {
  const trie = emptyTrie();
  for (const [index, route] of routes.entries()) {
    if (route) addRoute(trie, route.template, route.method, index);
  }
  return trie;
}

/**
 * Compiles operations for matching (semantics, section 2). Matching is fast: what a request costs
 * depends on its length, hardly on the number of operations.
 *
 * @throws {TypeError} if the base path is neither a path nor a valid URL.
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
  const prefixes = new PathPrefixes(base, options);
  const readTarget = requestTargets();
  const baseHost = base?.origin?.replace(/^.*\/\//, "") ?? "";
  const namesLoopback = isLoopback(baseHost);
  const { hosts = [], serverHosts = [] } = options;
  const claims = new HostClaims(hosts, serverHosts);

  function isInside(target: RequestTarget): boolean {
    return (base === null || base.origin === null || base.origin === target.origin) &&
      (hosts.length === 0 || claims.rankOf(target) !== null);
  }

  function match(method: string, url: string): RouteMatch {
    const target = readTarget(url);
    if (target === null) {
      const path = /^[^?#]*/.exec(url)?.[0] ?? "";
      return { kind: "unmatched", reason: "invalid_url", host: "", path };
    }
    const path = splitPath(target.path);
    const depths = isInside(target) ? prefixes.depthsOf(path) : [];
    const upper = method.toUpperCase();
    const captures: string[] = [];
    for (const depth of depths) {
      const index = findRoute(trie, path, depth, upper, captures);
      if (index < 0) continue;
      return { kind: "operation", index, captures, query: target.query };
    }
    for (const depth of depths) {
      const template = findRoute(trie, path, depth, null, captures);
      if (template < 0) continue;
      const documented = operations[template]?.path ?? "";
      const host = hostOf(target);
      return { kind: "unmatched", reason: "method_not_documented", host, path: documented };
    }
    const reason = depths.length === 0 ? "outside_base_path" : "no_matching_path";
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

  function claim(url: string): RouteClaim | null {
    const target = readTarget(url);
    if (target === null || !isInside(target)) return null;
    const depths = prefixes.depthsOf(splitPath(target.path));
    if (depths.length === 0) return null;
    const named = claims.rankOf(target) ?? HOST_RANKS.any;
    const host = base?.origin ? Math.max(named, HOST_RANKS.port) : named;
    return { host, depth: Math.max(...depths) };
  }

  function spelledSegments(url: string, index: number): number {
    const target = readTarget(url);
    const segments = routes[index]?.template.segments;
    if (target === null || segments === undefined) return 0;
    const before = splitPath(target.path).raw.length - segments.length;
    const open = segments.findIndex(({ kind }) => kind !== "literal");
    return before + (open < 0 ? segments.length : open);
  }

  return { match, suggestPrefixes, claim, spelledSegments };
}
