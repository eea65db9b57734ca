import { ApiMaps } from "../coverage_map/api_maps.ts";
import { MeasuredApi } from "../coverage_map/measured_api.ts";
import { CommandError, usageError } from "./command_error.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { errorSentences } from "./error_sentences.ts";
import { type AccessEntry, AccessRules } from "../map/access.ts";
import { checkIdentities, type Identity } from "../redact/identities.ts";
import { readScope, type ScopeEntry } from "../map/scope_pattern.ts";
import type { ShownList } from "./options/option_kinds.ts";

export interface Description {
  /** The name of one of several APIs, and (`source`) its line: `covtool.yaml:12`; undefined for an API alone. */
  readonly name?: string | undefined;
  readonly source?: string | undefined;
  /** A file or an http(s) URL. */
  readonly schema: string;
  readonly basePath: string | undefined;
  readonly allowRemoteRefs?: boolean | undefined;
  /** Folders outside the description's own that it may refer to. */
  readonly allowRefsOutside?: readonly string[] | undefined;
  /** OpenAPI Overlays to apply: files or http(s) URLs. */
  readonly overlay?: readonly string[] | undefined;
  /** Patterns of the things to measure; those without a source are from the command line. */
  readonly include?: readonly (string | ScopeEntry)[] | undefined;
  readonly exclude?: readonly (string | ScopeEntry)[] | undefined;
  /** Patterns of the hosts whose requests can match (default: all hosts). */
  readonly hosts?: readonly string[] | undefined;
  readonly identities?: readonly Identity[] | undefined;
  readonly access?: readonly AccessEntry[] | undefined;
  readonly show?: readonly ShownList[] | undefined;
  /** True to count the classes of valid values. */
  readonly values?: boolean | undefined;
}

/** The descriptions that a run measures: this one, or `apis` instead if given. */
export interface Descriptions extends Description {
  readonly apis?: readonly Description[] | undefined;
}

export function standardInputError(): CommandError {
  return new CommandError(
    "Only traffic can come from standard input. Give the description as a file or URL.",
  );
}

/** Throws if standard input is among the inputs of a command more than once. */
export function checkStandardInput(inputs: readonly string[]): void {
  if (inputs.filter((name) => name === STANDARD_INPUT).length < 2) return;
  throw usageError("Standard input can only be read once. Remove the extra -.");
}

export async function loadMaps(
  descriptions: Descriptions,
  options: { readonly emptyPrefixFirst?: boolean } = {},
): Promise<ApiMaps> {
  const { show, identities, values, apis = [descriptions] } = descriptions;
  const loaded: { name: string | undefined; map: MeasuredApi; source: string | undefined }[] = [];
  for (const api of apis) {
    const { source } = api;
    const map = await loadApi({ identities, ...api, show, values }, options);
    const name = source === undefined ? undefined : api.name ?? map.title;
    const namesake = loaded.find((other) => other.name === name);
    if (name !== undefined && namesake?.source !== undefined) {
      throw new CommandError(`${source}: ${namesakeSentence(name, namesake.source)}`);
    }
    loaded.push({ name, map, source });
  }
  return new ApiMaps(loaded);
}

export function namesakeSentence(name: string, other: string): string {
  return `This API is called "${name}" like the one at ${other}. Give each a name of its own.`;
}

async function loadApi(
  api: Description,
  options: { readonly emptyPrefixFirst?: boolean },
): Promise<MeasuredApi> {
  try {
    return await loadMap(api, options);
  } catch (error) {
    if (api.source === undefined) throw error;
    throw new CommandError(
      `${api.source}: The API ${
        api.name === undefined ? api.schema : `"${api.name}"`
      } cannot be measured. ${errorSentences(error)}`,
      error,
    );
  }
}

const COMMAND_LINE = "command line";

export async function loadMap(
  description: Description,
  options: { readonly emptyPrefixFirst?: boolean } = {},
): Promise<MeasuredApi> {
  const { schema, show, identities = [], access } = description;
  const scope = {
    include: scopeEntries(description.include),
    exclude: scopeEntries(description.exclude),
  };
  try {
    readScope(scope);
    checkIdentities(identities);
    new AccessRules({ identities, access });
  } catch (error) {
    throw error instanceof TypeError ? new CommandError(error.message, error) : error;
  }
  const undocumentedProperties = show?.includes("undocumented-properties");
  // Properties of the description become options of the map with the same name, such as `basePath`.
  const mapOptions = { ...description, ...options, ...scope, undocumentedProperties };
  return /^https?:\/\//i.test(schema)
    ? await MeasuredApi.fromUrl(schema, mapOptions)
    : await MeasuredApi.fromPath(schema, mapOptions);
}

function scopeEntries(entries: Description["include"] = []): ScopeEntry[] {
  return entries.map((entry) => {
    const full = typeof entry === "string" ? { pattern: entry } : entry;
    return { ...full, source: full.source ?? COMMAND_LINE };
  });
}
