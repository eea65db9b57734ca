import { ApiMaps } from "../coverage_map/api_maps.ts";
import { type CoverageMap, planOf } from "../coverage_map/coverage_map.ts";
import { CommandError } from "./command_error.ts";
import { errorSentences } from "./error_sentences.ts";
import { type Description, loadMap } from "./load_map.ts";

/** One of several APIs. */
export interface ApiDescription extends Description {
  /** Its name in reports; undefined for the title of the description. */
  readonly name: string | undefined;
  /** The line where it is set: `covtool.yaml:12`. */
  readonly source: string;
}

/** The descriptions that a run measures: one or, if there are any, several APIs instead. */
export interface Descriptions extends Description {
  readonly apis?: readonly ApiDescription[] | undefined;
}

/** The map of one description, or those of several APIs. */
export type MeasuredMap = CoverageMap | ApiMaps;

/**
 * Loads everything that a run measures.
 *
 * @throws {DescriptionError} if the description cannot be loaded.
 * @throws {CommandError} if one of several cannot be loaded, or two have the same name.
 */
export async function loadMaps(
  descriptions: Descriptions,
  options: { readonly emptyPrefixFirst?: boolean } = {},
): Promise<MeasuredMap> {
  const { apis } = descriptions;
  if (apis === undefined) return await loadMap(descriptions, options);
  const named: { name: string; map: CoverageMap; source: string }[] = [];
  for (const api of apis) {
    const map = await loadApi({ ...api, show: descriptions.show }, options);
    const name = apiName(api, map);
    const namesake = named.find((other) => other.name === name);
    if (namesake !== undefined) {
      throw new CommandError(`${api.source}: ${namesakeSentence(name, namesake.source)}`);
    }
    named.push({ name, map, source: api.source });
  }
  return new ApiMaps(named);
}

/** The name of an API in reports, sentences and hits: its own, or the title of its description. */
export function apiName({ name }: Pick<ApiDescription, "name">, map: CoverageMap): string {
  const { model, documents } = planOf(map);
  return name ?? (model.title || documents.location);
}

/** The sentence about an API that has the name of another one. */
export function namesakeSentence(name: string, other: string): string {
  return `This API is called "${name}" like the one at ${other}. Give each a name of its own.`;
}

async function loadApi(
  api: ApiDescription,
  options: { readonly emptyPrefixFirst?: boolean },
): Promise<CoverageMap> {
  try {
    return await loadMap(api, options);
  } catch (error) {
    throw new CommandError(
      `${api.source}: The API ${
        api.name === undefined ? api.schema : `"${api.name}"`
      } cannot be measured. ${errorSentences(error)}`,
      error,
    );
  }
}
