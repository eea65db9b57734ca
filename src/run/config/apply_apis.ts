import { CommandError } from "../command_error.ts";
import type { ApiDescription } from "../load_apis.ts";
import { applyConfig } from "./apply_config.ts";
import type { Config } from "./config.ts";

/** The options of one of several APIs. */
export type ApiOptions<Given> = Omit<Given, "schema"> & ApiDescription;

/**
 * The options of each API of a config file: those of the command line, then its own, then those of the whole file. The
 * title is that of the API; the one of the command line or the file is for all together.
 *
 * @param given What the command line was read as.
 * @throws {CommandError} if it has an option that is for one API only.
 */
export function applyApis<Given extends object>(
  given: Given,
  config: Config,
): readonly ApiOptions<Given>[] {
  const { basePath } = given as { readonly basePath?: unknown };
  if (basePath !== undefined) {
    throw new CommandError(
      `--base-path is for one API, and ${config.path} has several. Set basePath of each API there.`,
    );
  }
  const { title: _title, ...shared } = config.options;
  return config.apis.map((api) => {
    const { name, schema, hosts, source } = api;
    const own = {
      ...config,
      options: { ...shared, ...api.options },
      include: [...config.include, ...api.include],
      exclude: [...config.exclude, ...api.exclude],
    };
    const options = applyConfig({ ...given, title: undefined, schema: undefined }, own);
    const title = api.options["title"] ?? name;
    const all: unknown = { ...options, title, name, schema, hosts, source };
    return all as ApiOptions<Given>; // the table says which kind of value each property holds
  });
}
