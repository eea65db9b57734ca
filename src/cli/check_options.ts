import { merge, object } from "@optique/core/constructs";
import { optional } from "@optique/core/modifiers";
import type { InferValue } from "@optique/core/parser";
import { argument } from "@optique/core/primitives";
import {
  colorOptions,
  configOptions,
  measureOptions,
  schemaDescription,
  schemaValue,
  scopeOptions,
} from "./shared_options.ts";

/** The arguments and options of `covtool check`. */
export const checkOptions = merge(
  object({ schema: optional(argument(schemaValue, { description: schemaDescription })) }),
  configOptions,
  measureOptions,
  scopeOptions,
  colorOptions,
);

/** The values of {@linkcode checkOptions}. */
export type CheckOptions = InferValue<typeof checkOptions>;
