import { merge, object } from "@optique/core/constructs";
import { optional } from "@optique/core/modifiers";
import type { InferValue } from "@optique/core/parser";
import { argument } from "@optique/core/primitives";
import type { Configured } from "./configured.ts";
import {
  configOptions,
  descriptionOptions,
  recordingOptions,
  schemaDescription,
  schemaValue,
} from "./shared_options.ts";

/** The arguments and options of `covtool record-hits`. */
export const recordHitsOptions = merge(
  object({ schema: optional(argument(schemaValue, { description: schemaDescription })) }),
  configOptions,
  descriptionOptions,
  recordingOptions,
);

/** The values of {@linkcode recordHitsOptions}, with those of the config file. */
export type RecordHitsOptions = Configured<InferValue<typeof recordHitsOptions>>;
