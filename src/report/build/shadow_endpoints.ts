import type { UnmatchedRequest } from "../../map/results.ts";
import type { ShadowEndpoint } from "../usage/usage_report.ts";
import { foldPath } from "../../map/fold_path.ts";

/** An endpoint while it is counted. */
interface Folded {
  readonly endpoint: Omit<ShadowEndpoint, "paths" | "production" | "tests">;
  readonly paths: Set<string>;
  production: number;
  tests: number;
}

/**
 * The endpoints that production asks for and the description lacks, in the order of their paths. Ids in paths are
 * folded; hosts make no difference.
 */
export function shadowEndpoints(
  production: readonly UnmatchedRequest[],
  tests: readonly UnmatchedRequest[],
): ShadowEndpoint[] {
  const folded = new Map<string, Folded>();
  for (const request of production) {
    const { key, endpoint } = endpointOf(request);
    const entry = folded.get(key) ?? { endpoint, paths: new Set(), production: 0, tests: 0 };
    entry.paths.add(request.path);
    entry.production += request.count;
    folded.set(key, entry);
  }
  for (const request of tests) {
    const entry = folded.get(endpointOf(request).key);
    if (entry !== undefined) entry.tests += request.count;
  }
  return [...folded.values()].map(({ endpoint, paths, production, tests }) => ({
    ...endpoint,
    paths: paths.size,
    production,
    tests,
  }));
}

function endpointOf(
  { method, path, reason }: UnmatchedRequest,
): { readonly key: string; readonly endpoint: Folded["endpoint"] } {
  const folded = foldPath(path);
  const endpoint = { kind: "endpoint", method, path: folded, reason } as const;
  return { key: JSON.stringify([method, folded, reason]), endpoint };
}
