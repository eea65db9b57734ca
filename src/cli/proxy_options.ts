import { merge, object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple, optional, withDefault } from "@optique/core/modifiers";
import type { InferValue } from "@optique/core/parser";
import { argument, option } from "@optique/core/primitives";
import { integer, string } from "@optique/core/valueparser";
import type { Configured } from "./configured.ts";
import { outputOptions, textOptions } from "./report_options.ts";
import {
  configOptions,
  measureOptions,
  responseBodiesFlag,
  schemaDescription,
  schemaValue,
  scopeOptions,
  switchOff,
  thresholdOptions,
} from "./shared_options.ts";
import { fileValue } from "./values/file_value.ts";
import { hostPatternValue } from "../run/values/host_pattern_value.ts";
import { sizeValue } from "../run/values/size_value.ts";

const inputs = object({
  schema: optional(argument(schemaValue, {
    description: schemaDescription,
  })),
  command: multiple(argument(string({ metavar: "COMMAND" }), {
    description:
      message`Command to run, after --, with variables that point HTTP clients at the proxy. The proxy stops when the command ends.`,
  })),
});

const listenOptions = object("Proxy", {
  port: optional(option("-p", "--port", integer({ min: 0, max: 65535, metavar: "PORT" }), {
    description: message`Port to listen on (default: 8080, or the next free port).`,
  })),
  host: optional(option("--host", string({ metavar: "ADDRESS" }), {
    description: message`Address to listen on (default: this machine only).`,
  })),
  reverse: optional(option("--reverse", string({ metavar: "URL" }), {
    description: message`Act as a reverse proxy for this server.`,
  })),
  upstreamProxy: optional(option("--upstream-proxy", string({ metavar: "URL" }), {
    description: message`Proxy to reach servers through: http://user:password@proxy.example:3128.`,
  })),
  insecure: option("--insecure", {
    description: message`Accept any server certificate (for test servers).`,
  }),
  intercept: multiple(option("--intercept", hostPatternValue(), {
    description:
      message`Record only this host, such as api.example, *.example or localhost:8080 (default: all hosts, or the host of --base-path). Can be repeated.`,
  })),
  passThrough: multiple(option("--pass-through", hostPatternValue(), {
    description:
      message`Forward traffic of this host without decrypting or recording it. Can be repeated.`,
  })),
  exportCa: optional(option("--export-ca", fileValue("PATH"), {
    description:
      message`Copy the CA certificate that clients must trust to this file (default: /tmp/covtool-ca.pem, or the temporary folder on Windows). Never replaces links or other files.`,
  })),
  printCaHelp: option("--print-ca-help", {
    description: message`Print certificate trust instructions and exit.`,
  }),
  verbose: option("-v", "--verbose", { description: message`Print each request.` }),
});

const recordingOptions = object("Recording", {
  saveTraffic: optional(option("--save-traffic", fileValue("PATH"), {
    description:
      message`Append traffic to this file as it arrives, with passwords, tokens and keys masked.`,
  })),
  noRedact: withDefault(
    option("--no-redact", {
      description:
        message`Keep passwords, tokens, keys and cookies readable in the --save-traffic file.`,
    }),
    false,
  ),
  bodyLimit: optional(option("--body-limit", sizeValue(), {
    description:
      message`Bytes of each body to record, of requests and responses (default: 10M). Longer bodies are still forwarded in full.`,
  })),
  responseBodies: responseBodiesFlag,
});

const proxySwitches = object({
  proxySwitchedOff: multiple(or(
    switchOff("--no-insecure", "insecure"),
    switchOff("--no-verbose", "verbose"),
    switchOff("--redact", "noRedact"),
  )),
});

/** The arguments and options of `covtool proxy`. */
export const proxyOptions = merge(
  inputs,
  configOptions,
  proxySwitches,
  listenOptions,
  recordingOptions,
  outputOptions,
  measureOptions,
  scopeOptions,
  thresholdOptions,
  textOptions,
);

/** The options that {@linkcode proxyOptions} reads, with the values of the config file. */
export type ProxyCommandOptions = Configured<InferValue<typeof proxyOptions>>;
