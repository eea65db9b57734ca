import { merge, object } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple, optional, withDefault } from "@optique/core/modifiers";
import type { InferValue } from "@optique/core/parser";
import { argument, option } from "@optique/core/primitives";
import { integer, string } from "@optique/core/valueparser";
import { outputOptions, textOptions } from "./report_options.ts";
import {
  measureOptions,
  schemaDescription,
  schemaValue,
  thresholdOptions,
} from "./shared_options.ts";
import { fileValue } from "./values/file_value.ts";
import { hostPatternValue } from "./values/host_pattern_value.ts";
import { sizeValue } from "./values/size_value.ts";

const inputs = object({
  schema: optional(argument(schemaValue, {
    description: schemaDescription,
  })),
  command: multiple(argument(string({ metavar: "COMMAND" }), {
    description:
      message`Behind --: a command that is run with the variables that lead clients to the proxy. The proxy ends with it and passes its exit code on.`,
  })),
});

const listenOptions = object("The proxy", {
  port: optional(option("-p", "--port", integer({ min: 0, max: 65535, metavar: "PORT" }), {
    description: message`The port; unless given 8080, or the next one that is free.`,
  })),
  host: optional(option("--host", string({ metavar: "ADDRESS" }), {
    description:
      message`The address to listen on. Unless given, only programs on this machine reach the proxy.`,
  })),
  reverse: optional(option("--reverse", string({ metavar: "URL" }), {
    description:
      message`Stand for this server, for clients that cannot be pointed at a proxy: they call the proxy in its place.`,
  })),
  upstreamProxy: optional(option("--upstream-proxy", string({ metavar: "URL" }), {
    description:
      message`Reach servers through this other proxy: http://user:password@proxy.example:3128.`,
  })),
  insecure: option("--insecure", {
    description: message`Accept any certificate of servers: for test servers.`,
  }),
  intercept: multiple(option("--intercept", hostPatternValue(), {
    description:
      message`Record only the traffic of these hosts: api.example, *.example, localhost:8080. Can be repeated. With the URL of a host as --base-path, only that one is recorded.`,
  })),
  passThrough: multiple(option("--pass-through", hostPatternValue(), {
    description: message`Let the traffic of these hosts pass untouched. Can be repeated.`,
  })),
  exportCa: optional(option("--export-ca", fileValue("PATH"), {
    description:
      message`Write a copy of the certificate that clients have to trust here, for people (default: /tmp/covtool-ca.pem, on Windows in the temporary folder). Links and files of others are left alone.`,
  })),
  printCaHelp: option("--print-ca-help", {
    description: message`Say how clients come to trust that certificate, and end.`,
  }),
  verbose: option("-v", "--verbose", { description: message`Print each request.` }),
});

const recordingOptions = object("Recording", {
  saveTraffic: optional(option("--save-traffic", fileValue("PATH"), {
    description:
      message`Append the traffic to this recording as it happens, with passwords, tokens and keys masked.`,
  })),
  noRedact: withDefault(
    option("--no-redact", {
      description:
        message`Keep passwords, tokens, keys and cookies readable in the recording of --save-traffic.`,
    }),
    false,
  ),
  bodyLimit: optional(option("--body-limit", sizeValue(), {
    description:
      message`How much of a request's body is recorded; unless given 10M. Larger ones are passed on whole.`,
  })),
});

/** The arguments and options of `covtool proxy`. */
export const proxyOptions = merge(
  inputs,
  listenOptions,
  recordingOptions,
  outputOptions,
  measureOptions,
  thresholdOptions,
  textOptions,
);

/** What {@linkcode proxyOptions} reads. */
export type ProxyCommandOptions = InferValue<typeof proxyOptions>;
