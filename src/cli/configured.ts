import { CommandError } from "../run/command_error.ts";
import { type ApiOptions, applyApis } from "../run/config/apply_apis.ts";
import { applyConfig } from "../run/config/apply_config.ts";
import type { Config } from "../run/config/config.ts";
import { looksLikeDescription } from "../run/config/looks_like_description.ts";
import { readConfig } from "../run/config/read_config.ts";
import { type ConfigChoice, configPath } from "./config_path.ts";

/** The options of every command that takes a config file. */
export interface Configurable extends ConfigChoice {
  /** The description on the command line. */
  readonly schema: string | undefined;
}

/** Options with a known description. */
export type Configured<Given> = Omit<Given, "schema"> & {
  /** The description; of several APIs the config file that names them. */
  readonly schema: string;
  /** Several APIs, each with options of its own, instead of the description. */
  readonly apis?: readonly ApiOptions<Given>[] | undefined;
};

/** A command whose arguments are a description and what was recorded. */
type MeasuringCommand = "report" | "merge";

/** The names of such a command's inputs besides the description: one, several, and their option. */
const INPUTS: Readonly<Record<MeasuringCommand, readonly [string, string, string]>> = {
  report: ["recording", "recordings", "traffic"],
  merge: ["hits file", "hits files", "hits"],
};

/**
 * The options of a command with those of its config file.
 *
 * @param missing What to say where neither names a description: sentences.
 * @throws {CommandError} if the file has mistakes, or nothing names a description.
 */
export function configured<Given extends Configurable>(
  given: Given,
  missing: string,
): Configured<Given> {
  const config = configOf(given);
  if (config !== undefined && hasApis(given, config)) return withApis(given, config);
  const options = config === undefined ? given : applyConfig(given, config);
  const { schema } = options;
  if (schema !== undefined) return { ...options, schema };
  throw new CommandError(config === undefined ? missing : schemaMissing(config));
}

/**
 * The options of `covtool report` or `merge` with those of its config file. Where the file names the description, the arguments
 * can be recordings alone.
 *
 * @throws {CommandError} if the file has mistakes, or nothing names a description or recordings.
 */
export function configuredReport<
  Given extends Configurable & { readonly traffic: readonly string[] },
>(
  given: Given,
  command: MeasuringCommand = "report",
): Configured<Given> {
  const config = configOf(given);
  if (config === undefined) return complete(given, undefined, command);
  const { schema, traffic } = given;
  const isDescribed = config.options["schema"] !== undefined || config.apis.length > 0;
  const isTraffic = schema !== undefined && isDescribed && !looksLikeDescription(schema);
  const own = isTraffic ? { ...given, schema: undefined, traffic: [schema, ...traffic] } : given;
  if (!hasApis(own, config)) return complete(applyConfig(own, config), config, command);
  const several = withApis(own, config);
  return { ...several, ...complete(several, config, command) };
}

function hasApis({ schema }: Pick<Configurable, "schema">, { apis }: Config): boolean {
  return schema === undefined && apis.length > 0;
}

function withApis<Given extends Configurable>(given: Given, config: Config): Configured<Given> {
  const apis = applyApis(given, config);
  return { ...applyConfig({ ...given, basePath: undefined }, config), schema: config.path, apis };
}

function complete<Given extends Configurable & { readonly traffic: readonly string[] }>(
  options: Given,
  config: Config | undefined,
  command: MeasuringCommand,
): Configured<Given> {
  const { schema, traffic } = options;
  if (schema === undefined) {
    throw new CommandError(
      config === undefined
        ? `No OpenAPI description given. Name a file or URL, followed by ${
          INPUTS[command][1]
        }. See covtool ${command} --help.`
        : schemaMissing(config),
    );
  }
  if (traffic.length === 0) {
    throw new CommandError(
      config === undefined
        ? `No ${INPUTS[command][2]} given. Name at least one ${
          INPUTS[command][0]
        }, or - for standard input. See covtool ${command} --help.`
        : `No ${INPUTS[command][2]} given. Name at least one ${
          INPUTS[command][0]
        }, or set traffic in ${config.path}.`,
    );
  }
  return { ...options, schema };
}

function configOf(given: Configurable): Config | undefined {
  const path = configPath(given);
  return path === undefined ? undefined : readConfig(path);
}

function schemaMissing({ path }: Config): string {
  return `No OpenAPI description given. Name a file or URL, or set schema or apis in ${path}.`;
}
