import { CoverageMap } from "../coverage_map.ts";

/** A description, as a command line names it. */
export interface Description {
  /** A file or an http(s) URL. */
  readonly schema: string;
  readonly basePath: string | undefined;
}

/**
 * Loads a description from where it is.
 *
 * @throws {DescriptionError} where it cannot be loaded, or is no OpenAPI description.
 */
export async function loadMap({ schema, basePath }: Description): Promise<CoverageMap> {
  return /^https?:\/\//i.test(schema)
    ? await CoverageMap.fromUrl(schema, { basePath })
    : await CoverageMap.fromPath(schema, { basePath });
}
