import { splitQuery } from "../http/request_text.ts";
import {
  type BasePath,
  parseBasePath,
  PathPrefixes,
  type PrefixHint,
  type PrefixOptions,
} from "./base_path.ts";
import {
  createTargetReader,
  HOST_RANKS,
  HostSpecificity,
  type RequestTarget,
  splitPath,
} from "./request_target.ts";
import { isCaptured, parsePathTemplate, type PathTemplate } from "./path_template.ts";
import type { UnmatchedReason } from "./results.ts";
import {
  distinguishRoutes,
  type RouteCondition,
  RoutedRequest,
  RouteGroup,
  type RouteMessage,
  type RouteParameter,
} from "./route_conditions.ts";
import { addRoute, emptyTrie, findRoute } from "./route_trie.ts";

/** Matches this machine: loopback addresses and names, and the address of all interfaces. */
const LOOPBACK =
  /^((?:[\w-]+\.)*localhost\.?|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])(?::\d+)?$/i;

/** Returns a host, without the port if it is this machine, as test suites use another port in each run. */
export function withoutLoopbackPort(host: string): string {
  return LOOPBACK.exec(host)?.[1] ?? host;
}

export interface RouteOperation {
  readonly method: string;
  readonly path: string;
  /** Returns documented parameters; only called if other operations share the template or the path contains `#`. */
  parameters?(): readonly RouteParameter[];
}

export interface RouteOptions extends PrefixOptions {
  /** A path or a full URL: the only prefix of every operation, regardless of servers. */
  readonly basePath?: string | undefined;
  /** Patterns of hosts whose requests can match (`api.example`, `*.example`); undefined for all hosts. */
  readonly hosts?: readonly string[] | undefined;
  /** The hosts of servers, which decide to which of several APIs a request belongs. */
  readonly serverHosts?: readonly string[] | undefined;
}

/** The precision with which an API specifies the place of a request; decides between APIs that match the same one. */
export interface RouteClaim {
  /** The rank of the host ({@linkcode HOST_RANKS}). */
  readonly host: number;
  /** The number of segments in the longest matching base path. */
  readonly depth: number;
}

/** The texts of a path's templates; undefined for templates whose query parameter is missing. */
export type RouteCaptures = readonly (string | undefined)[];

export type RouteMatch =
  | {
    readonly kind: "operation";
    /** The operation's index in the compiled list. */
    readonly index: number;
    /** The text of each template, percent-encoded: those of the path from left to right, then those of the query. */
    readonly captures: RouteCaptures;
    /** The text between `?` and `#`, still percent-encoded. */
    readonly query: string;
    /** True if the body's form met a condition on the query; its fields then count as query parameters. */
    readonly hasQueryInForm: boolean;
  }
  | {
    readonly kind: "unmatched";
    readonly reason: UnmatchedReason;
    /** Host and port, but without the port for this machine; empty if the URL has none. */
    readonly host: string;
    /** Without the query; if only the method doesn't match, the path template. */
    readonly path: string;
  };

export interface Routes {
  /** True if some operation has conditions, so matching needs more than method and URL. */
  readonly hasConditions: boolean;
  /** Finds the operation of a request, or the reason why none matches. `url` is a full URL or a path. */
  match(method: string, url: string, message?: RouteMessage): RouteMatch;
  conditions(index: number): readonly RouteCondition[];
  /** Indistinguishable operations by index, each with the index of the earlier one that their requests count for. */
  readonly duplicates: ReadonlyMap<number, number>;
  /** Returns the base paths under which an unmatched request would match an operation with a literal segment. */
  suggestPrefixes(method: string, path: string): readonly PrefixHint[];
  /** Returns how precisely the API specifies a request's place; null if host or base path belong to others. */
  claim(url: string): RouteClaim | null;
  /** Returns the number of leading segments of a matching URL that are literal in the base path and path template. */
  literalSegments(url: string, index: number): number;
}

/** The maximum number of segments of suggested prefixes, which limits the cost of unusual paths. */
const MAX_SUGGESTED_SEGMENTS = 8;

interface Route {
  readonly method: string;
  readonly template: PathTemplate;
  /** The names of query parameters whose values are templates of the path. */
  readonly queryNames: readonly string[];
}

const NO_CONDITIONS: readonly RouteCondition[] = [];

/** Compiles operations for matching (semantics, section 2). The time per request hardly depends on their number. */
export function compileRoutes(
  operations: readonly RouteOperation[],
  options: RouteOptions,
): Routes {
  const base: BasePath | null = options.basePath === undefined
    ? null
    : parseBasePath(options.basePath);
  const routes = operations.map(({ method, path }): Route => {
    const template = parsePathTemplate(path);
    const { tokens } = template;
    const queryNames = tokens.filter(isCaptured).map(({ name }) => name);
    return { method: method.toUpperCase(), template, queryNames };
  });
  const trie = emptyTrie();
  const groups = new Map<number, RouteGroup>();
  const conditions = new Map<number, readonly RouteCondition[]>();
  const duplicates = new Map<number, number>();
  addRoutes();
  const prefixes = new PathPrefixes(base, options);
  const readTarget = createTargetReader();
  const baseHost = base?.origin?.replace(/^.*\/\//, "") ?? "";
  const namesLoopback = LOOPBACK.test(baseHost);
  const { hosts = [], serverHosts = [] } = options;
  const claims = new HostSpecificity(hosts, serverHosts);

  function addRoutes(): void {
    const members = new Map<number, number[]>();
    for (const [index, { method, template }] of routes.entries()) {
      const first = addRoute(trie, template, method, index);
      const others = members.get(first);
      if (others !== undefined) others.push(index);
      else if (first !== index) members.set(first, [first, index]);
      else if (template.tokens.length > 0) members.set(first, [first]);
    }
    for (const [first, group] of members) {
      const distinguished = distinguishRoutes(group.map((index) => ({
        template: (routes[index] as Route).template, // members of groups are indexes of routes
        parameters: () => operations[index]?.parameters?.() ?? [],
      })));
      for (const [duplicate, original] of distinguished.duplicates) {
        duplicates.set(group[duplicate] ?? -1, group[original] ?? -1);
      }
      const distinct = new Map<number, readonly RouteCondition[]>();
      for (const [at, index] of group.entries()) {
        if (!distinguished.duplicates.has(at)) {
          distinct.set(index, distinguished.conditions[at] ?? NO_CONDITIONS);
        }
      }
      if (![...distinct.values()].some(({ length }) => length > 0)) continue;
      groups.set(first, new RouteGroup(distinct));
      for (const [index, list] of distinct) conditions.set(index, list);
    }
  }

  function isInScope(target: RequestTarget): boolean {
    return (base === null || base.origin === null || base.origin === target.origin) &&
      (hosts.length === 0 || claims.rank(target) !== null);
  }

  function match(method: string, url: string, message?: RouteMessage): RouteMatch {
    const target = readTarget(url);
    if (target === null) {
      const path = /^[^?#]*/.exec(url)?.[0] ?? "";
      return { kind: "unmatched", reason: "invalid_url", host: "", path };
    }
    const path = splitPath(target.path);
    const depths = isInScope(target) ? prefixes.matchingDepths(path) : [];
    const upperMethod = method.toUpperCase();
    const captures: (string | undefined)[] = [];
    let failsCondition = false;
    const routed = groups.size === 0 ? undefined : new RoutedRequest(target.query, message);
    const choose = routed === undefined ? null : (first: number): number => {
      const group = groups.get(first);
      if (group === undefined) return first;
      const chosen = group.choose(routed);
      failsCondition ||= chosen < 0;
      return chosen;
    };
    for (const depth of depths) {
      const index = findRoute(trie, path, depth, upperMethod, captures, choose);
      if (index < 0) continue;
      const { query } = target;
      for (const name of routes[index]?.queryNames ?? []) captures.push(queryCapture(name, query));
      const hasQueryInForm = routed !== undefined && (conditions.get(index) ?? NO_CONDITIONS)
        .some((condition) =>
          condition.in === "query" && routed.queryValue(condition.name) === undefined
        );
      return { kind: "operation", index, captures, query, hasQueryInForm };
    }
    for (const depth of failsCondition ? [] : depths) {
      const template = findRoute(trie, path, depth, null, captures, null);
      if (template < 0) continue;
      const documented = routes[template]?.template.text ?? "";
      const host = reportedHost(target);
      return { kind: "unmatched", reason: "method_not_documented", host, path: documented };
    }
    const reason = failsCondition
      ? "condition_not_met"
      : depths.length === 0
      ? "outside_base_path"
      : "no_matching_path";
    return { kind: "unmatched", reason, host: reportedHost(target), path: target.path };
  }

  /** Returns the host for unmatched requests, with a port of this machine only if the base path names such a port. */
  function reportedHost({ host }: RequestTarget): string {
    return namesLoopback ? host : withoutLoopbackPort(host);
  }

  function suggestPrefixes(method: string, path: string): readonly PrefixHint[] {
    const upperMethod = method.toUpperCase();
    const split = splitPath(path);
    const hints: PrefixHint[] = [];
    const maxDepth = Math.min(MAX_SUGGESTED_SEGMENTS, split.raw.length - 1);
    for (let depth = base === null ? 1 : 0; depth <= maxDepth; depth++) {
      // A base path has no empty segments, so no longer prefix can match either.
      if (depth > 0 && split.raw[depth - 1] === "") break;
      const { template } = routes[findRoute(trie, split, depth, upperMethod, [], null)] ?? {};
      if (!template?.segments.some(({ kind }) => kind === "literal")) continue;
      const prefix = `/${split.raw.slice(0, depth).join("/")}`;
      hints.push({ prefix, templates: template.names.length });
    }
    return hints;
  }

  function claim(url: string): RouteClaim | null {
    const target = readTarget(url);
    if (target === null || !isInScope(target)) return null;
    const depths = prefixes.matchingDepths(splitPath(target.path));
    if (depths.length === 0) return null;
    const hostRank = claims.rank(target) ?? HOST_RANKS.any;
    const host = base?.origin ? Math.max(hostRank, HOST_RANKS.port) : hostRank;
    return { host, depth: Math.max(...depths) };
  }

  function literalSegments(url: string, index: number): number {
    const target = readTarget(url);
    const segments = routes[index]?.template.segments;
    if (target === null || segments === undefined) return 0;
    const preceding = splitPath(target.path).raw.length - segments.length;
    const firstTemplate = segments.findIndex(({ kind }) => kind !== "literal");
    return preceding + (firstTemplate < 0 ? segments.length : firstTemplate);
  }

  return {
    hasConditions: groups.size > 0,
    match,
    conditions: (index) => conditions.get(index) ?? NO_CONDITIONS,
    duplicates,
    suggestPrefixes,
    claim,
    literalSegments,
  };
}

/** Returns a query parameter's value with the encoding of paths, where `+` is not a space. */
function queryCapture(name: string, query: string): string | undefined {
  return splitQuery(query).find((pair) => pair.name === name)?.value.replaceAll("+", "%20");
}
