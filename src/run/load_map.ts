import { CoverageMap } from "../coverage_map/coverage_map.ts";

/** A description, as a command line names it. */
export interface Description {
  /** A file or an http(s) URL. */
  readonly schema: string;
  readonly basePath: string | undefined;
  /** True to fetch what it refers to on the web. */
  readonly allowRemoteRefs?: boolean | undefined;
  /** Folders outside the description's own that it may refer to. */
  readonly allowRefsOutside?: readonly string[] | undefined;
}

/**
 * Loads a description from where it is.
 *
 * @throws {DescriptionError} where it cannot be loaded, or is no OpenAPI description.
 */
export async function loadMap(
  { schema, basePath, allowRemoteRefs, allowRefsOutside }: Description,
  options: { readonly emptyPrefixFirst?: boolean } = {},
): Promise<CoverageMap> {
  const all = { basePath, allowRemoteRefs, allowRefsOutside, ...options };
  return /^https?:\/\//i.test(schema)
    ? await CoverageMap.fromUrl(schema, all)
    : await CoverageMap.fromPath(schema, all);
}
