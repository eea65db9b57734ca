import type { AccessEntry } from "../../map/access.ts";
import type { Identity } from "../../redact/identities.ts";
import { usageError } from "../command_error.ts";
import type { Config, NamedOptions } from "../config/read_config.ts";
import type { Description } from "../load_apis.ts";
import { type Option, optionKeys } from "./option.ts";
import { readValue } from "./option_kind.ts";
import { type GivenValues, type GroupName, optionsIn, type OptionValues } from "./options.ts";

export type ResolvedOptions<Name extends GroupName> = OptionValues<Name> & {
  /** The config file whose thresholds and conditions are left to `covtool merge`. */
  readonly unjudged?: string | undefined;
  /** The identities that send requests, and (`access`) their rights; only from the config file. */
  readonly identities?: readonly Identity[] | undefined;
  readonly access?: readonly AccessEntry[] | undefined;
};

export type ApiOptions<Name extends GroupName> =
  & Omit<ResolvedOptions<Name>, "schema">
  & Description
  & {
    /** The options with which another command reads this API alone as here, beside those that the file has for all. */
    readonly own: NamedOptions;
  };

const FILES_OF: Readonly<Record<string, string>> = {
  output: "formats",
  compareOutput: "compareFormats",
};

/**
 * Returns the values of options: those given, else those of the config file, else the defaults. A given list replaces
 * that of the file, except for `exclude`, which adds to it. A run that writes nothing but hits is part of a larger one,
 * so it leaves the thresholds and conditions of the file to `covtool merge`.
 */
export function resolveOptions<Name extends GroupName>(
  groups: readonly Name[],
  given: GivenValues<Name>,
  config?: Config,
): ResolvedOptions<Name> {
  const givenValues: Readonly<Record<string, unknown>> = given;
  const isPart = config !== undefined && !groups.some((name) => name === "merged") &&
    writesOnlyHits(givenValues["formats"]);
  const values: Record<string, unknown> = {};
  for (const { name, option, group: { section } } of optionsIn(groups)) {
    const ignoresFile = isPart && option.judges || isGiven(givenValues[FILES_OF[name] ?? ""]);
    const file = config === undefined || section === false || ignoresFile
      ? undefined
      : fileValue(name, option, section === undefined ? config.options : config[section]);
    values[name] = (isGiven(givenValues[name]) ? givenValues[name] : file) ?? option.byDefault;
    if (isPart && option.judges && name !== "baseline" && name in config.options) {
      values["unjudged"] = config.path;
    }
  }
  if (config !== undefined && "include" in values) {
    if (!isGiven(givenValues["include"])) values["include"] = config.include;
    values["exclude"] = [...[givenValues["exclude"] ?? []].flat(), ...config.exclude];
  }
  if (config !== undefined && config.identities.length + config.access.length > 0) {
    values["identities"] = config.identities;
    values["access"] = config.access;
  }
  const all: unknown = values;
  return all as ResolvedOptions<Name>; // each value is of the type of its option in `GROUPS`
}

function writesOnlyHits(formats: unknown): boolean {
  const chosen = (formats ?? []) as readonly { readonly format: string }[];
  return chosen.length > 0 && chosen.every(({ format }) => format === "hits");
}

function fileValue(name: string, option: Option, file: NamedOptions): unknown {
  const key = optionKeys(name, option).find((key) => file[key] !== undefined);
  return key === undefined ? undefined : readOption(option, file[key]);
}

/** Reads the value of an option from a file or plain JavaScript; for list options, a single value is a list of one. */
export function readOption({ kind, isList }: Option, value: unknown): unknown {
  return isList ? [value].flat().map((item) => readValue(kind, item)) : readValue(kind, value);
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** Returns the options of each API: given ones, its own, then the file's; a given title is for all APIs together. */
export function resolveApis<Name extends GroupName>(
  groups: readonly Name[],
  given: GivenValues<Name>,
  config: Config,
  basePath = "--base-path",
): readonly ApiOptions<Name>[] {
  if ((given as { readonly basePath?: unknown }).basePath !== undefined) {
    throw usageError(
      `${basePath} is for one API, and ${config.path} has several. Set basePath of each API there.`,
    );
  }
  const { title: _title, ...shared } = config.options;
  return config.apis.map(({ name, schema, hosts, source, options, include, exclude, access }) => {
    const resolved = resolveOptions(groups, { ...given, title: undefined, schema: undefined }, {
      ...config,
      options: { ...shared, title: name, ...options },
      include: [...config.include, ...include],
      exclude: [...config.exclude, ...exclude],
      access: [...config.access, ...access],
    });
    const { exclude: excluded = [], ...others }: { readonly exclude?: readonly unknown[] } = given;
    const own = {
      ...options,
      ...Object.fromEntries(Object.entries(others).filter(([, value]) => isGiven(value))),
      ...(include.length > 0 && { include: (resolved as NamedOptions)["include"] }),
      exclude: [...excluded, ...exclude],
    };
    const api: unknown = { ...resolved, name, schema, hosts, source, own };
    return api as ApiOptions<Name>; // each value is of the type of its option in `GROUPS`
  });
}
