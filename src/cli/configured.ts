import { trustAuthorities } from "../files/authorities.ts";
import { STANDARD_INPUT } from "../files/file_identity.ts";
import { type CommandError, usageError } from "../run/command_error.ts";
import type { Config } from "../run/config/config.ts";
import { findConfig, looksLikeDescription } from "../run/config/find_config.ts";
import type { OutputChoice } from "../run/options/option_kinds.ts";
import { resolveApis, resolveOptions } from "../run/options/resolve_options.ts";
import { chooseOutputs, hitsPath } from "../run/outputs.ts";
import { suggestArguments } from "../run/publish_options.ts";
import { COMMAND_GROUPS, type CommandName, type Configured, type Given } from "./command_groups.ts";

export interface ConfigChoice {
  readonly config?: string | undefined;
  readonly noConfig?: boolean | undefined;
}

/** Arguments that say what is read, of any command that takes a config file. */
interface Inputs extends ConfigChoice {
  readonly schema?: string | undefined;
  readonly traffic?: readonly string[] | undefined;
  readonly basePath?: string | undefined;
  readonly ca?: readonly string[] | undefined;
}

/** Arguments that say what is written and can be read again. */
interface Kept {
  readonly saveTraffic?: string | undefined;
  readonly mergedOutput?: string | undefined;
  readonly formats?: readonly OutputChoice[] | undefined;
  readonly output?: string | undefined;
}

/** A command whose arguments are a description and what was recorded. */
type MeasuringCommand = "report" | "merge";

/** The names of one of such a command's inputs besides the description, and of their option. */
const INPUTS: Readonly<Record<MeasuringCommand, readonly [one: string, option: string]>> = {
  report: ["recording", "traffic"],
  merge: ["hits file", "hits"],
};

const COMMAND_FOLLOWS = ", then -- and the command that runs the tests";

/** What else the arguments of a command name, behind the description. */
const FOLLOWS: Readonly<Partial<Record<CommandName, string>>> = {
  report: ", followed by recordings",
  merge: ", followed by hits files",
  run: COMMAND_FOLLOWS,
  mutate: COMMAND_FOLLOWS,
  compare: " before --tests and --production",
};

/** The arguments of commands that are for one API, behind their name. */
const OF_ONE_API: Readonly<Partial<Record<CommandName, string>>> = {
  suggest: "openapi.yaml",
  gaps: "openapi.yaml",
  verify: "openapi.yaml",
  mcp: "openapi.yaml",
  probe: "openapi.yaml --server http://localhost:3000",
  mutate: "openapi.yaml -- npm test",
};

/** The config file of a command; undefined if there is none. */
export function configPath({ config, noConfig }: ConfigChoice): string | undefined {
  return config ?? (noConfig ? undefined : findConfig());
}

/** The options of a command with those of its config file. */
export async function configured<Name extends CommandName>(
  command: Name,
  given: Given<Name>,
): Promise<Configured<Name>> {
  const config = await readChosen(given);
  const options = completed(command, given, config);
  if (options === undefined) throw schemaMissing(command, config);
  const one = OF_ONE_API[command];
  if (options.apis === undefined || one === undefined) return options;
  throw usageError(
    `${options.schema} names several APIs. Name the description of one: covtool ${command} ${one}`,
  );
}

/** The options of `covtool report` or `merge`; where the config file names the description, arguments can be recordings alone. */
export async function configuredReport<Name extends MeasuringCommand>(
  command: Name,
  given: Given<Name>,
): Promise<Configured<Name>> {
  const arguments_: Inputs = given;
  const { schema, traffic = [] } = arguments_;
  const config = await readChosen(given);
  const isDescribed = config !== undefined &&
    (config.options["schema"] !== undefined || config.apis.length > 0);
  const isTraffic = schema !== undefined && isDescribed && !looksLikeDescription(schema);
  const own = isTraffic ? { ...given, schema: undefined, traffic: [schema, ...traffic] } : given;
  const options = completed(command, own, config);
  if (options === undefined) throw schemaMissing(command, config);
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

/** The options of a command; undefined where nothing names a description. */
function completed<Name extends CommandName>(
  command: Name,
  given: Given<Name>,
  config: Config | undefined,
): Configured<Name> | undefined {
  const groups = COMMAND_GROUPS[command];
  const isSeveral = (given as Inputs).schema === undefined && (config?.apis.length ?? 0) > 0;
  const apis = isSeveral && config !== undefined ? resolveApis(groups, given, config) : undefined;
  const options: object = resolveOptions(groups, given, config);
  const { ca = [], schema = isSeveral ? config?.path : undefined } = options as Inputs;
  trustAuthorities(ca);
  if (schema === undefined) return undefined;
  const kept = keptFiles(command, options);
  const isConfigured = config !== undefined && (given as Inputs).schema === undefined &&
    String(config.options["traffic"] ?? "") === String(kept);
  const inputs = kept.length === 0
    ? undefined
    : suggestArguments(isConfigured ? [] : [schema, ...kept], given);
  // Other commands take one of the APIs by its description, whose base path its entry in the file may set.
  const ownInputs = ({ schema = "", basePath }: Inputs) =>
    kept.length === 0 ? undefined : suggestArguments([schema, ...kept], { ...given, basePath });
  const all: unknown = {
    ...options,
    schema,
    inputs,
    ...(apis !== undefined && { apis: apis.map((api) => ({ ...api, inputs: ownInputs(api) })) }),
  };
  return all as Configured<Name>; // the table says which kind of value each property holds
}

/** The files that have what a command measures, to be read again: what it saves, else what it reads. */
function keptFiles(command: CommandName, options: Inputs & Kept): readonly string[] {
  const { traffic = [], saveTraffic, mergedOutput, formats = [], output } = options;
  if (saveTraffic !== undefined) return [...traffic, saveTraffic];
  const isRead = traffic.length > 0 && !traffic.includes(STANDARD_INPUT) && command !== "probe";
  const hits = isRead ? undefined : mergedOutput ?? hitsPath(chooseOutputs(formats, output));
  return hits === undefined ? traffic : [hits];
}

async function readChosen(given: ConfigChoice): Promise<Config | undefined> {
  const path = configPath(given);
  if (path === undefined) return undefined;
  const { readConfig } = await import("../run/config/read_config.ts");
  return readConfig(path);
}

function schemaMissing(command: CommandName, config: Config | undefined): CommandError {
  const what = command === "proxy"
    ? "No description is given. Name an OpenAPI file or URL: covtool proxy openapi.yaml"
    : `No OpenAPI description given. Name a file or URL${
      FOLLOWS[command] ?? ""
    }. See covtool ${command} --help.`;
  return usageError(
    config === undefined
      ? what
      : `No OpenAPI description given. Name a file or URL, or set schema or apis in ${config.path}.`,
  );
}
