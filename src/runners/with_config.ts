import { resolve } from "node:path";
import { CommandError } from "../run/command_error.ts";
import type { Config } from "../run/config/config.ts";
import { findConfig } from "../run/config/find_config.ts";
import { leftToMerge } from "../run/config/left_to_merge.ts";
import { readConfig } from "../run/config/read_config.ts";
import { RUN_OPTIONS } from "../run/options/options.ts";

/** The options that matter here. */
interface Configurable {
  readonly schema?: string | undefined;
  readonly config?: string | false | undefined;
  readonly format?: unknown;
}

/**
 * The options of a run, with those of the config file for what they do not say.
 *
 * @param root The folder of the runner, from which the file is looked for (default: the working directory).
 * @throws {CommandError} if the file has mistakes.
 */
export function withConfig<Given extends Configurable>(
  given: Given,
  root?: string,
): WithConfig<Given> {
  const config = configOf(given.config, root);
  if (config === undefined) return { options: given, apis: undefined };
  const options = filled(given, config);
  if (given.schema !== undefined || config.apis.length === 0) return { options, apis: undefined };
  const { basePath } = given as { readonly basePath?: unknown };
  if (basePath !== undefined) {
    throw new CommandError(
      `basePath is for one API, and ${config.path} has several. Set basePath of each API there.`,
    );
  }
  const apis = config.apis.map((api): RunnerApi<Given> => {
    const { name, schema, hosts, source } = api;
    const own = {
      ...config,
      options: { ...config.options, title: name, schema, ...api.options },
      include: [...config.include, ...api.include],
      exclude: [...config.exclude, ...api.exclude],
    };
    return { options: filled({ ...given, title: undefined }, own), name, hosts, source };
  });
  return { options: { ...options, schema: config.path }, apis };
}

/** The options of a run with those of the config file. */
interface WithConfig<Given> {
  readonly options: Given;
  /** Several APIs, instead of the schema of the options; undefined if there is one. */
  readonly apis: readonly RunnerApi<Given>[] | undefined;
}

/** One of several APIs. */
interface RunnerApi<Given> {
  /** Its own options, and those of the whole run. */
  readonly options: Given;
  readonly name: string | undefined;
  readonly hosts: readonly string[];
  readonly source: string;
}

function filled<Given extends Configurable>(given: Given, config: Config): Given {
  const formats = [given.format ?? []].flat().map(String);
  const { options, isUnjudged } = leftToMerge(config.options, formats);
  const { output, ...others } = options;
  const shared = Object.entries(others).filter(([name]) => Object.hasOwn(RUN_OPTIONS, name));
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  const all = {
    ...Object.fromEntries(shared),
    ...(isUnjudged && { unjudged: config.path }),
    // An output is the file of the formats that were named with it.
    ...(output !== undefined && given.format === undefined && { output: String(output) }),
    ...Object.fromEntries(own),
    ...scopeOf(given, config),
  };
  return all as Given; // the table says which kind of value each option has
}

/** True if a config file makes a run of tests that give no options. */
export function configNamesSchema(given: Configurable, root?: string): boolean {
  try {
    const config = configOf(given.config, root);
    return config !== undefined && (config.options["schema"] ?? config.apis[0]) !== undefined;
  } catch {
    return true; // the run says what is wrong
  }
}

function configOf(
  config: string | false | undefined,
  root: string | undefined,
): Config | undefined {
  if (config === false) return undefined;
  const path = config === undefined ? findConfig(root) : resolve(root ?? ".", config);
  return path === undefined ? undefined : readConfig(path, root);
}

/** Exclusions add up, as on the command line. */
function scopeOf(given: object, { include, exclude }: Config): object {
  const own: Readonly<Record<string, unknown>> = { ...given };
  const known: Readonly<Record<string, unknown>> = RUN_OPTIONS;
  return {
    ...("include" in known && own["include"] === undefined && include.length > 0 && { include }),
    ...("exclude" in known && exclude.length > 0 &&
      { exclude: [...[own["exclude"] ?? []].flat(), ...exclude] }),
  };
}
