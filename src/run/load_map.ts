import { CoverageMap } from "../coverage_map/coverage_map.ts";
import { readScope, type ScopeEntry } from "../map/scope_entry.ts";
import type { ShownList } from "./values/show_value.ts";
import { CommandError } from "./command_error.ts";

/** A description, as a command line names it. */
export interface Description {
  /** A file or an http(s) URL. */
  readonly schema: string;
  readonly basePath: string | undefined;
  /** True to fetch what it refers to on the web. */
  readonly allowRemoteRefs?: boolean | undefined;
  /** Folders outside the description's own that it may refer to. */
  readonly allowRefsOutside?: readonly string[] | undefined;
  /** Patterns of what is measured; those without a source are of the command line. */
  readonly include?: readonly (string | ScopeEntry)[] | undefined;
  /** Patterns of what is left out, likewise. */
  readonly exclude?: readonly (string | ScopeEntry)[] | undefined;
  /** Patterns of the hosts whose requests can match; none for every host. */
  readonly hosts?: readonly string[] | undefined;
  /** Keeps requests to suggest others by (default: false). */
  readonly keepRequests?: boolean | "newest" | undefined;
  /** The lists that reports have only where they are asked for. */
  readonly show?: readonly ShownList[] | undefined;
}

/** The source of patterns that name none. */
const COMMAND_LINE = "command line";

/**
 * Loads a description from where it is.
 *
 * @throws {DescriptionError} where it cannot be loaded, or isn't an OpenAPI description.
 * @throws {CommandError} where a pattern or a date of the scope is malformed.
 */
export async function loadMap(
  description: Description,
  options: { readonly emptyPrefixFirst?: boolean } = {},
): Promise<CoverageMap> {
  const { schema, basePath, hosts, allowRemoteRefs, allowRefsOutside, keepRequests } = description;
  const { include, exclude, show } = description;
  const scope = { include: scopeEntries(include), exclude: scopeEntries(exclude) };
  checkScope(scope);
  const undocumentedProperties = show?.includes("undocumented-properties");
  const all = {
    undocumentedProperties,
    basePath,
    hosts,
    allowRemoteRefs,
    allowRefsOutside,
    keepRequests,
    ...scope,
    ...options,
  };
  return /^https?:\/\//i.test(schema)
    ? await CoverageMap.fromUrl(schema, all)
    : await CoverageMap.fromPath(schema, all);
}

function checkScope(scope: Pick<Description, "include" | "exclude">): void {
  try {
    readScope(scope);
  } catch (error) {
    throw error instanceof TypeError ? new CommandError(error.message, error) : error;
  }
}

function scopeEntries(given: Description["include"] = []): ScopeEntry[] {
  return given.map((entry) => {
    const full = typeof entry === "string" ? { pattern: entry } : entry;
    return { ...full, source: full.source ?? COMMAND_LINE };
  });
}
