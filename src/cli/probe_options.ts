import { merge, object } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple, optional, withDefault } from "@optique/core/modifiers";
import type { InferValue } from "@optique/core/parser";
import { argument, option } from "@optique/core/primitives";
import { integer } from "@optique/core/valueparser";
import { sizeValue } from "../run/values/size_value.ts";
import type { Configured } from "./configured.ts";
import { outputOptions, textOptions } from "./report_options.ts";
import {
  configOptions,
  hitsOptions,
  measureOptions,
  recordingOptions,
  responseBodiesFlag,
  schemaDescription,
  schemaValue,
  scopeOptions,
  thresholdOptions,
} from "./shared_options.ts";
import { fileValue } from "./values/file_value.ts";
import { headerValue } from "./values/header_value.ts";
import { rateValue } from "./values/rate_value.ts";
import { serverValue } from "./values/server_value.ts";

const inputs = object({
  schema: optional(argument(schemaValue, { description: schemaDescription })),
  traffic: multiple(argument(fileValue("TRAFFIC"), {
    description:
      message`Recordings and hits files, as covtool report takes them: what they cover isn't sent again (default: none).`,
  })),
});

const probing = object("Probing", {
  server: optional(option("--server", serverValue(), {
    description:
      message`URL of the API, to which the paths of the description are appended. Nothing is sent to any other host. Required.`,
  })),
  unsafe: option("--unsafe", {
    description:
      message`Also send POST, PUT, PATCH, DELETE and other methods that change data (default: GET, HEAD and OPTIONS alone).`,
  }),
  header: multiple(option("--header", headerValue(), {
    description:
      message`Header field of every request, such as "Authorization: Bearer …". Can be repeated. Its value is masked in files.`,
  })),
  rate: optional(option("--rate", rateValue(), {
    description: message`Most requests per second (default: one after the other, without a pause).`,
  })),
  max: withDefault(
    option("--max", integer({ metavar: "N", min: 1 }), {
      description: message`Most requests (default: 1000).`,
    }),
    1000,
  ),
  time: withDefault(
    option("--time", integer({ metavar: "SECONDS", min: 1 }), {
      description: message`Most seconds (default: 300).`,
    }),
    300,
  ),
  saveTraffic: optional(option("--save-traffic", fileValue("PATH"), {
    description:
      message`Keep the requests and answers, with credentials masked, in a traffic file, which covtool report reads. If it exists, add to it.`,
  })),
  bodyLimit: optional(option("--body-limit", sizeValue(), {
    description: message`Largest body of a response to keep (default: 1mb).`,
  })),
  responseBodies: responseBodiesFlag,
});

/** The arguments and options of `covtool probe`. */
export const probeOptions = merge(
  inputs,
  probing,
  configOptions,
  outputOptions,
  measureOptions,
  scopeOptions,
  recordingOptions,
  hitsOptions,
  thresholdOptions,
  textOptions,
);

/** The values of {@linkcode probeOptions}, with those of the config file. */
export type ProbeOptions = Configured<InferValue<typeof probeOptions>>;
