import type { AccessEntry } from "../map/access.ts";
import type { ScopeEntry } from "../map/scope_pattern.ts";
import type { Identity } from "../redact/identities.ts";

/** Options of `CoverageMap.fromDict()`. */
export interface FromDictOptions {
  /** False if the plugins don't record the bodies of responses; true by default. */
  readonly responseBodies?: boolean | undefined;
  /** The only base path that counts, as a path (`/v1`) or a full URL; by default those of the servers. */
  readonly basePath?: string | undefined;
  /** Name of the description in errors and reports. */
  readonly location?: string | undefined;
  /** OpenAPI Overlays (1.0 or 1.1) to apply in this order before anything else, parsed; they are never changed. */
  readonly overlay?: object | readonly object[] | undefined;
  /** Matches paths without a base path before those with the servers' ones, as a proxy sees them (default: false). */
  readonly emptyPrefixFirst?: boolean | undefined;
  /** Patterns of what is measured: of operations, parameters, responses and keywords each, all by default. */
  readonly include?: readonly (string | ScopeEntry)[] | undefined;
  /** Patterns of what is left out of every number, and listed with its reason; nothing by default. Wins over `include`. */
  readonly exclude?: readonly (string | ScopeEntry)[] | undefined;
  /** Hosts whose requests can match: `api.example`, `*.example`, `localhost:8080`; all by default. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * Keeps one successful request of each operation, without its secrets, and ids out of answers, for `suggestRequests()`
   * (default: false): the smallest, or the `newest` where requests are sent to an API that changes.
   */
  readonly keepRequests?: boolean | "newest" | undefined;
  /** Lists the properties of responses that the description doesn't declare (default: false). */
  readonly undocumentedProperties?: boolean | undefined;
  /** Those who send requests, and how requests show it; none by default. */
  readonly identities?: readonly Identity[] | undefined;
  /** Who may do what; of several patterns that match an operation, the last decides. */
  readonly access?: readonly AccessEntry[] | undefined;
  /** Counts the classes of valid values (default: true). */
  readonly values?: boolean | undefined;
}

/** Options of `CoverageMap.fromPath()` and `CoverageMap.fromUrl()`. */
export interface LoadMapOptions extends Omit<FromDictOptions, "location" | "overlay"> {
  /** OpenAPI Overlays (1.0 or 1.1) to apply in this order before anything else: files or http(s) URLs. */
  readonly overlay?: string | URL | readonly (string | URL)[] | undefined;
  /** Fetches references to `http:` and `https:` URLs (default: false). */
  readonly allowRemoteRefs?: boolean | undefined;
  /** Folders outside the description's own that it may refer to; none by default. */
  readonly allowRefsOutside?: string | readonly string[] | undefined;
  /** The function that fetches them (default: the platform's `fetch`). */
  readonly fetch?: typeof globalThis.fetch | undefined;
}
