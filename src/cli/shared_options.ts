import { merge, object, or } from "@optique/core/constructs";
import { message, text } from "@optique/core/message";
import { map, multiple, optional } from "@optique/core/modifiers";
import type { Parser } from "@optique/core/parser";
import { flag, negatableFlag, option } from "@optique/core/primitives";
import { integer, string } from "@optique/core/valueparser";
import { FAIL_ON_KINDS, type FailOnKind } from "../run/fail_on.ts";
import { failOnValue } from "../run/values/fail_on_value.ts";
import { basePathValue } from "../run/values/base_path_value.ts";
import { logFormatValue } from "../run/values/log_format_value.ts";
import { scopePatternValue } from "../run/values/scope_pattern_value.ts";
import { fileValue } from "./values/file_value.ts";
import { percentValue } from "./values/percent_value.ts";

/** The argument for the description. */
export const schemaValue = fileValue("SCHEMA", [".json", ".yaml", ".yml"]);

/** The help text of {@linkcode schemaValue}. */
export const schemaDescription =
  message`OpenAPI description (2.0 to 3.2, JSON or YAML): a file or an http(s) URL.`;

/** Options for the description; every command that reads one for its traffic has them. */
export const descriptionOptions = object("API description", {
  basePath: optional(option("--base-path", basePathValue(), {
    description:
      message`Path prefix (default: from \`servers\`), such as /api/v1. With a full URL, requests must match its host too.`,
  })),
  allowRemoteRefs: option("--allow-remote-refs", {
    description:
      message`Fetch http: and https: references (default: don't fetch; accept any value there).`,
  }),
  allowRefsOutside: multiple(option("--allow-refs-outside", fileValue("DIR"), {
    description:
      message`Allow references to files in this folder, outside the description's own. Can be repeated.`,
  })),
});

const titleOptions = object("API description", {
  title: optional(option("--title", string({ metavar: "TEXT" }), {
    description: message`Report title (default: the description's title).`,
  })),
});

/** Options for the description and the title of its report; every command that measures has them. */
export const measureOptions = merge(descriptionOptions, titleOptions);

/** The option for colours. */
export const colorFlag = optional(
  negatableFlag({ positive: "--color", negative: "--no-color" }, {
    description:
      message`Turn colour on or off (default: from NO_COLOR, FORCE_COLOR, then the terminal).`,
  }),
);

/** The option for colours, for commands without text reports. */
export const colorOptions = object({ color: colorFlag });

/** The option for the bodies of responses; commands that record traffic have it. */
export const responseBodiesFlag = optional(
  negatableFlag({ positive: "--response-bodies", negative: "--no-response-bodies" }, {
    description:
      message`Record the bodies of responses, or only their headers (default: with bodies).`,
  }),
);

/** The option to measure again and again. */
export const watchOptions = object("Watching", {
  watch: option("--watch", {
    description:
      message`Measure again when an input changes, show what changed, and serve the report as a page that reloads itself. Ends on Ctrl+C.`,
  }),
});

/** Options for the config file; every command that measures has them. */
export const configOptions = object("Settings", {
  config: optional(option("--config", fileValue("PATH", [".json", ".yaml", ".yml"]), {
    description:
      message`Config file (default: covtool.yaml or covtool.json in this folder or above it).`,
  })),
  noConfig: option("--no-config", { description: message`Ignore config files.` }),
  /** Switches of the config file that the command line turns off. */
  switchedOff: multiple(or(
    switchOff("--no-allow-remote-refs", "allowRemoteRefs"),
    switchOff("--no-skip-covered", "skipCovered"),
    switchOff("--no-skip-empty", "skipEmpty"),
    switchOff("--no-carry", "carry"),
  )),
});

/** A flag that sets a property to false although a config file sets it to true. Help has only its opposite. */
export function switchOff(
  name: `--${string}`,
  property: string,
): Parser<"sync", string, unknown> {
  return map(flag(name, { hidden: true }), () => property);
}

/** Options for what of the description is measured; every command that measures has them. */
export const scopeOptions = object("Scope", {
  include: multiple(option("--include", scopePatternValue(), {
    description:
      message`Measure only what matches: "GET /books/*", "/books/**", tag:NAME, operation:ID, deprecated, response:5XX, parameter:NAME or keyword:NAME. Can be repeated.`,
  })),
  exclude: multiple(option("--exclude", scopePatternValue(), {
    description:
      message`Leave what matches out of every number, and list it in the reports. Can be repeated; wins over --include.`,
  })),
});

/** Options for reading recordings; every command that reads them has these. */
export const recordingOptions = object("Recordings", {
  env: multiple(option("--env", fileValue("FILE", [".json"]), {
    description:
      message`Postman environment or globals (exported as JSON) for variables in collections. Can be repeated; later values win.`,
  })),
  logFormat: optional(option("--log-format", logFormatValue(), {
    description:
      message`Format of access logs as in the configuration of nginx ($remote_addr … "$request" $status) or Apache (%h … "%r" %>s). Common formats are detected without it.`,
  })),
});

/** Options for hits files; every command that reads them has these. */
export const hitsOptions = object("Hits", {
  carry: option("--carry", {
    description:
      message`Accept hits of an earlier description: keep the counts of what is the same in both, and list the rest.`,
  }),
});

/** Options for coverage thresholds; every command that measures has them. */
export const thresholdOptions = object("Thresholds", {
  failUnder: optional(option("--fail-under", percentValue(), {
    description:
      message`Exit with 1 if any dimension is below this percentage. Skips dimensions with nothing to cover, and responses if none was recorded.`,
  })),
  failUnderOperations: optional(option("--fail-under-operations", percentValue(), {
    description: message`Threshold for operations called (default: --fail-under).`,
  })),
  failUnderParameters: optional(option("--fail-under-parameters", percentValue(), {
    description: message`Threshold for parameters sent (default: --fail-under).`,
  })),
  failUnderKeywords: optional(option("--fail-under-keywords", percentValue(), {
    description:
      message`Threshold for schema keywords seen passing or failing (default: --fail-under).`,
  })),
  failUnderExamples: optional(option("--fail-under-examples", percentValue(), {
    description: message`Threshold for documented examples used (default: --fail-under).`,
  })),
  failUnderResponses: optional(option("--fail-under-responses", percentValue(), {
    description:
      message`Threshold for documented responses received (default: --fail-under). If set, a run without responses fails.`,
  })),
  failUnderKeywordsFull: optional(option("--fail-under-keywords-full", percentValue(), {
    description:
      message`Threshold for schema keywords seen passing and failing. Without it, they are not checked.`,
  })),
  failUnderSucceeded: optional(option("--fail-under-succeeded", percentValue(), {
    description:
      message`Threshold for operations answered with 2xx or 3xx. If set, a run without responses fails.`,
  })),
  failUnderEnforcement: optional(option("--fail-under-enforcement", percentValue(), {
    description:
      message`Threshold for rules that the API has proven to enforce. If set, a run without responses fails.`,
  })),
  failUnderResponseKeywords: optional(option("--fail-under-response-keywords", percentValue(), {
    description:
      message`Threshold for schema keywords of responses seen. If set, a run without response bodies fails.`,
  })),
  minTcl: optional(option("--min-tcl", integer({ metavar: "N", min: 0, max: 7 }), {
    description: message`Threshold for the test coverage level, from 0 to 7.`,
  })),
  failOn: multiple(option("--fail-on", failOnValue(), {
    description: message`Exit with 1 on these comma-separated conditions: ${
      text(FAIL_ON_KINDS.filter(({ isFinding }) => isFinding !== true).map(failOnUsage).join(", "))
    } findings, or a kind of these, such as server_error. Can be repeated.`,
  })),
});

function failOnUsage({ name, argument }: FailOnKind): string {
  return argument === undefined ? name : `${name}[=${argument.metavar}]`;
}
