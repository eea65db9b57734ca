import type { ApiOptions, ResolvedOptions } from "../run/options/resolve_options.ts";
import type { KeptInputs } from "../run/publish_options.ts";
import type { GivenValues } from "../run/options/options.ts";

/** The option groups of each command, in the order of its help. */
export const COMMAND_GROUPS = {
  report: [
    ...["schema", "recordings", "settings", "watching", "reports", "reportLayout"],
    ...["description", "title", "scope", "recordingOptions", "hits", "thresholds", "textReports"],
    ...["missingGaps", "color", "performance"],
  ],
  run: [
    ...["schema", "testCommand", "responseBodies", "settings", "watching", "reports"],
    ...["reportLayout", "description", "title", "scope", "thresholds", "textReports", "color"],
  ],
  proxy: [
    ...["schema", "proxiedCommand", "settings", "listening", "proxyRecording", "responseBodies"],
    ...["reports", "reportLayout", "description", "title", "scope", "thresholds"],
    ...["textReports", "color"],
  ],
  merge: [
    ...["schema", "mergedHits", "settings", "hits", "merged", "reportLayout", "description"],
    ...["title", "scope", "thresholds", "textReports", "color", "performance"],
  ],
  "record-hits": ["schema", "settings", "description", "recordingOptions"],
  compare: [
    ...["schema", "usageSides", "settings", "usageReports", "description", "title", "scope"],
    ...["recordingOptions", "hits", "usageThresholds", "plainColor", "performance"],
  ],
  suggest: [
    ...["schema", "knownTraffic", "settings", "suggesting", "description", "scope"],
    ...["recordingOptions", "hits"],
  ],
  gaps: [
    ...["schema", "knownTraffic", "settings", "listing", "description", "scope"],
    ...["recordingOptions", "hits", "plainColor"],
  ],
  verify: [
    ...["schema", "knownTraffic", "settings", "verifying", "description", "scope"],
    ...["recordingOptions", "hits", "plainColor"],
  ],
  mcp: [
    ...["schema", "knownTraffic", "settings", "serving", "description", "scope"],
    ...["recordingOptions", "hits"],
  ],
  probe: [
    ...["schema", "probedTraffic", "probing", "probedBodies", "settings", "reports"],
    ...["reportLayout", "description", "title", "scope", "recordingOptions", "hits"],
    ...["thresholds", "textReports", "color"],
  ],
  mutate: [
    ...["schema", "mutatedCommand", "mutating", "mutatedServer", "settings", "reports"],
    ...["reportLayout", "description", "title", "scope", "thresholds", "textReports", "color"],
  ],
  convert: ["converted", "converting", "recordingOptions"],
  init: [],
  check: ["schema", "settings", "description", "title", "scope", "plainColor"],
} as const;

export type CommandName = keyof typeof COMMAND_GROUPS;

export type GroupOf<Name extends CommandName> = (typeof COMMAND_GROUPS)[Name][number];

export type Given<Name extends CommandName> = GivenValues<GroupOf<Name>>;

/** The options of a command whose description is known, completed from the config file. */
export type Configured<Name extends CommandName> =
  & Omit<ResolvedOptions<GroupOf<Name>>, "schema">
  & {
    /** The description. For several APIs, the config file that names them. */
    readonly schema: string;
    /** Several APIs with their own options, measured instead of `schema`. */
    readonly apis?: readonly ApiOptions<GroupOf<Name>>[] | undefined;
    /** Arguments with which another command reads the same inputs. */
    readonly inputs?: KeptInputs | undefined;
  };
