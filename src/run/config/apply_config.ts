import { readOption } from "../options/option_kind.ts";
import { COMMAND_OPTIONS, type Option, PROXY_OPTIONS, RUN_OPTIONS } from "../options/options.ts";
import type { Config, NamedOptions } from "./config.ts";

const SHARED: Readonly<Record<string, Option>> = { ...RUN_OPTIONS, ...COMMAND_OPTIONS };
const PROXY: Readonly<Record<string, Option>> = PROXY_OPTIONS;

/**
 * The options of a command: those of the command line, and the config file's for what it does not say. A list on the
 * command line replaces that of the file, but for what is excluded: who excludes more keeps the rest excluded.
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
  fill(merged, config.options, SHARED, switchedOff);
  fill(merged, config.proxy, PROXY, proxySwitchedOff);
  if ("include" in merged && !isGiven(merged["include"])) merged["include"] = config.include;
  if ("exclude" in merged) {
    merged["exclude"] = [...[merged["exclude"] ?? []].flat(), ...config.exclude];
  }
  // An output is the file of the formats that were named with it.
  const { formats } = given as { readonly formats?: readonly unknown[] };
  if (formats !== undefined && formats.length > 0) {
    merged["output"] = (given as { readonly output?: unknown }).output;
  }
  return merged as Given; // the table says which kind of value each property holds
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

/** Most flags default to false; flags with a `--no-` form default to undefined. */
function isGiven(value: unknown, property?: string): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && (value !== false || property === "color");
}

/** The properties that the command line sets to false, as `--no-skip-covered` does. */
interface Switches {
  readonly switchedOff?: readonly string[];
  readonly proxySwitchedOff?: readonly string[];
}
