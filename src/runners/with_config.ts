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
export function withConfig<Given extends Configurable>(given: Given, root?: string): Given {
  const config = configOf(given.config, root);
  if (config === undefined) return given;
  const [api] = config.apis;
  if (api !== undefined && given.schema === undefined) {
    throw new CommandError(
      `${api.source}: Several APIs in one run are not supported yet. Set schema in the options of the test runner.`,
    );
  }
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

/** What is excluded adds up, as on the command line. */
function scopeOf(given: object, { include, exclude }: Config): object {
  const own: Readonly<Record<string, unknown>> = { ...given };
  const known: Readonly<Record<string, unknown>> = RUN_OPTIONS;
  return {
    ...("include" in known && own["include"] === undefined && include.length > 0 && { include }),
    ...("exclude" in known && exclude.length > 0 &&
      { exclude: [...[own["exclude"] ?? []].flat(), ...exclude] }),
  };
}
