import { readOption } from "../options/option_kind.ts";
import {
  COMMAND_OPTIONS,
  COMPARE_OPTIONS,
  type Option,
  PROXY_OPTIONS,
  RUN_OPTIONS,
} from "../options/options.ts";
import type { Config, NamedOptions } from "./config.ts";
import { leftToMerge } from "./left_to_merge.ts";

const SHARED: Readonly<Record<string, Option>> = { ...RUN_OPTIONS, ...COMMAND_OPTIONS };
const PROXY: Readonly<Record<string, Option>> = PROXY_OPTIONS;
const COMPARE: Readonly<Record<string, Option>> = COMPARE_OPTIONS;

/**
 * The options of a command: those of the command line, and the config file's for what it does not say. A list on the
 * command line replaces that of the file, but for what is excluded: who excludes more keeps the rest excluded. A command
 * that writes nothing but hits leaves thresholds and conditions of the file to `covtool merge`.
 *
 * @param given What the command line was read as. Options that it lacks altogether are not of this command.
 *
 * @example
 * ```ts
 * import { applyConfig } from "./apply_config.ts";
 * import assert from "node:assert/strict";
 *
 * const config = {
 *   path: "covtool.yaml",
 *   folder: "/srv",
 *   options: { failUnder: 80, title: "Shop", jobs: 2 },
 *   proxy: {},
 *   compare: {},
 *   include: [],
 *   exclude: [],
 *   apis: [],
 * };
 * assert.deepEqual(applyConfig({ failUnder: 90, title: undefined }, config), {
 *   failUnder: 90,
 *   title: "Shop",
 * });
 * ```
 */
export function applyConfig<Given extends object>(given: Given, config: Config): Given {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(given));
  const { switchedOff = [], proxySwitchedOff = [] } = given as Switches;
  const { options, isUnjudged } = leftToMerge(config.options, partialFormats(given));
  fill(merged, options, SHARED, switchedOff);
  if (isUnjudged) merged["unjudged"] = config.path;
  fill(merged, config.proxy, PROXY, proxySwitchedOff);
  fill(merged, config.compare, COMPARE, switchedOff);
  if ("include" in merged && !isGiven(merged["include"])) merged["include"] = config.include;
  if ("exclude" in merged) {
    merged["exclude"] = [...[merged["exclude"] ?? []].flat(), ...config.exclude];
  }
  // An output is the file of the formats that were named with it.
  for (
    const [formats, output] of [["formats", "output"], ["compareFormats", "compareOutput"]] as const
  ) {
    const all = given as Readonly<Record<string, unknown>>;
    if (isGiven(all[formats])) merged[output] = all[output];
  }
  return merged as Given; // the table says which kind of value each property holds
}

/** The formats of a command that writes what it counts itself; undefined for what adds up hits. */
function partialFormats(given: object): readonly string[] | undefined {
  if ("mergedOutput" in given) return undefined;
  const { formats } = given as { readonly formats?: readonly { readonly format: string }[] };
  return formats?.map(({ format }) => format);
}

function fill(
  merged: Record<string, unknown>,
  options: NamedOptions,
  table: Readonly<Record<string, Option>>,
  off: readonly string[],
): void {
  for (const [name, value] of Object.entries(options)) {
    const option = table[name];
    if (option === undefined) continue;
    const property = option.property ?? name;
    if (!(property in merged) || isGiven(merged[property], property) || off.includes(property)) {
      continue;
    }
    const read = readOption(option.kind, value);
    merged[property] = property === "noRedact" ? read === false : read;
  }
}

/** Flags with a `--no-` form, which default to undefined; all others default to false. */
const NEGATABLE: ReadonlySet<string | undefined> = new Set([
  "color",
  "responseBodies",
  "suggestions",
]);

function isGiven(value: unknown, property?: string): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && (value !== false || NEGATABLE.has(property));
}

/** The properties that the command line sets to false, as `--no-skip-covered` does. */
interface Switches {
  readonly switchedOff?: readonly string[];
  readonly proxySwitchedOff?: readonly string[];
}
