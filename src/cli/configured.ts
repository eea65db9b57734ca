import { trustAuthorities } from "../files/authorities.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { type CommandError, usageError } from "../run/command_error.ts";
import type { Config } from "../run/config/read_config.ts";
import { findConfig, looksLikeDescription } from "../run/config/find_config.ts";
import type { OutputChoice } from "../run/options/option_kinds.ts";
import { type ApiOptions, resolveApis, resolveOptions } from "../run/options/resolve_options.ts";
import { chooseOutputs, hitsPath } from "../run/outputs.ts";
import { suggestArguments } from "../run/publish_options.ts";
import { outerRunFolder } from "../run/traffic_folder.ts";
import { COMMAND_GROUPS, type CommandName, type Configured, type Given } from "./command_groups.ts";

export interface ConfigChoice {
  readonly config?: string | undefined;
  readonly noConfig?: boolean | undefined;
}

interface Inputs extends ConfigChoice {
  readonly schema?: string | undefined;
  readonly traffic?: readonly string[] | undefined;
  readonly basePath?: string | undefined;
  readonly ca?: readonly string[] | undefined;
}

/** The arguments that name outputs which covtool can read again. */
interface Kept {
  readonly saveTraffic?: string | undefined;
  readonly mergedOutput?: string | undefined;
  readonly formats?: readonly OutputChoice[] | undefined;
  readonly output?: string | undefined;
}

type MeasuringCommand = "report" | "merge";

const INPUTS: Readonly<Record<MeasuringCommand, readonly [one: string, option: string]>> = {
  report: ["recording", "traffic"],
  merge: ["hits file", "hits"],
};

const COMMAND_FOLLOWS = ", then -- and the command that runs the tests";

/** Text about the arguments that follow the description. */
const FOLLOWS: Readonly<Partial<Record<CommandName, string>>> = {
  report: ", followed by recordings",
  merge: ", followed by hits files",
  run: COMMAND_FOLLOWS,
  mutate: COMMAND_FOLLOWS,
  compare: " before --tests and --production",
};

/** For commands that work on a single API: example arguments, without the command's name. */
const OF_ONE_API: Readonly<Partial<Record<CommandName, string>>> = {
  suggest: "openapi.yaml",
  gaps: "openapi.yaml",
  verify: "openapi.yaml",
  mcp: "openapi.yaml",
  probe: "openapi.yaml --server http://localhost:3000",
  mutate: "openapi.yaml -- npm test",
};

export function configPath({ config, noConfig }: ConfigChoice): string | undefined {
  return config ?? (noConfig ? undefined : findConfig());
}

export async function configure<Name extends CommandName>(
  command: Name,
  given: Given<Name>,
): Promise<Configured<Name>> {
  const options = completeOptions(command, given, await readChosenConfig(given));
  const one = OF_ONE_API[command];
  if (options.apis === undefined || one === undefined) return options;
  throw usageError(
    `${options.schema} names several APIs. Name the description of one: covtool ${command} ${one}`,
  );
}

/** Like `configure()`. If the config file names the description, all arguments of the command may be recordings. */
export async function configureReport<Name extends MeasuringCommand>(
  command: Name,
  given: Given<Name>,
): Promise<Configured<Name>> {
  const { schema, traffic = [] }: Inputs = given;
  const config = await readChosenConfig(given);
  const isDescribed = config !== undefined &&
    (config.options["schema"] !== undefined || config.apis.length > 0);
  const isTraffic = schema !== undefined && isDescribed && !looksLikeDescription(schema);
  const sorted = isTraffic ? { ...given, schema: undefined, traffic: [schema, ...traffic] } : given;
  const options = completeOptions(command, sorted, config);
  const { traffic: recorded = [] }: Inputs = options;
  if (recorded.length === 0) {
    const [one, option] = INPUTS[command];
    throw usageError(
      config === undefined
        ? `No ${option} given. Name at least one ${one}, or - for standard input. See covtool ${command} --help.`
        : `No ${option} given. Name at least one ${one}, or set traffic in ${config.path}.`,
    );
  }
  return options;
}

/** Completes the options of a command. Throws a usage error if no description is named. */
function completeOptions<Name extends CommandName>(
  command: Name,
  given: Given<Name>,
  config: Config | undefined,
): Configured<Name> {
  const groups = COMMAND_GROUPS[command];
  // The config file names what is measured, unless the arguments do.
  const source = (given as Inputs).schema === undefined ? config : undefined;
  const apis = source?.apis.length ? resolveApis(groups, given, source) : undefined;
  const options: object = resolveOptions(groups, given, config);
  const { ca = [], schema = apis && source?.path } = options as Inputs;
  trustAuthorities(ca);
  if (schema === undefined) throw missingSchemaError(command, config);
  const kept = keptFiles(command, options);
  const isConfigured = kept.length > 0 && source !== undefined &&
    String(source.options["traffic"] ?? "") === String(kept);
  const inputs = suggestArguments(kept, isConfigured ? [] : [schema, ...kept], given);
  // Other commands take one API by its description, so they need what the config file sets for it alone.
  const ownInputs = ({ schema, own }: Pick<ApiOptions<never>, "schema" | "own">) =>
    suggestArguments(kept, [schema, ...kept], own);
  const all: unknown = {
    ...options,
    schema,
    inputs,
    ...(config !== undefined && { config: config.path }),
    ...(apis !== undefined && { apis: apis.map((api) => ({ ...api, inputs: ownInputs(api) })) }),
  };
  return all as Configured<Name>; // the tables of options give the type of each property
}

/** The files with which the measurement can be repeated: those that the command saves, otherwise its inputs. */
function keptFiles(command: CommandName, options: Inputs & Kept): readonly string[] {
  const { saveTraffic, mergedOutput, formats = [], output } = options;
  // `pytest --covtool` deletes the folder of its run afterwards.
  const traffic = options.traffic?.filter((path) => path !== outerRunFolder()) ?? [];
  if (saveTraffic !== undefined) return [...traffic, saveTraffic];
  const isRead = traffic.length > 0 && !traffic.includes(STANDARD_INPUT) && command !== "probe";
  const hits = isRead ? undefined : mergedOutput ?? hitsPath(chooseOutputs(formats, output));
  return hits === undefined ? traffic : [hits];
}

async function readChosenConfig(given: ConfigChoice): Promise<Config | undefined> {
  const path = configPath(given);
  if (path === undefined) return undefined;
  const { readConfig } = await import("../run/config/read_config.ts");
  return readConfig(path);
}

function missingSchemaError(command: CommandName, config: Config | undefined): CommandError {
  if (config === undefined && command === "proxy") {
    return usageError(
      "No description is given. Name an OpenAPI file or URL: covtool proxy openapi.yaml",
    );
  }
  const advice = config === undefined
    ? `${FOLLOWS[command] ?? ""}. See covtool ${command} --help.`
    : `, or set schema or apis in ${config.path}.`;
  return usageError(`No OpenAPI description given. Name a file or URL${advice}`);
}
