import { object } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple, optional } from "@optique/core/modifiers";
import { option } from "@optique/core/primitives";
import { string } from "@optique/core/valueparser";
import { basePathValue } from "../run/values/base_path_value.ts";
import { fileValue } from "./values/file_value.ts";
import { percentValue } from "./values/percent_value.ts";

/** The argument that names the description. */
export const schemaValue = fileValue("SCHEMA", [".json", ".yaml", ".yml"]);

/** What help says of it. */
export const schemaDescription =
  message`The OpenAPI description (2.0 to 3.2, JSON or YAML): a file or an http(s) URL.`;

/** How the description is measured and titled; every command takes these. */
export const measureOptions = object("Measuring", {
  basePath: optional(option("--base-path", basePathValue(), {
    description:
      message`What stands before the documented paths, instead of what the description's servers say: /api/v1, or a full URL, whose host then has to match too.`,
  })),
  allowRemoteRefs: option("--allow-remote-refs", {
    description:
      message`Fetch what the description refers to on the web (http: and https:), instead of accepting anything there.`,
  }),
  allowRefsOutside: multiple(option("--allow-refs-outside", fileValue("DIR"), {
    description:
      message`A folder outside the description's own that it may refer to. Can be repeated.`,
  })),
  title: optional(option("--title", string({ metavar: "TEXT" }), {
    description: message`Title of the report, instead of the description's own.`,
  })),
});

/** What recordings need that is not in them; every command that reads them takes these. */
export const recordingOptions = object("Recordings", {
  env: multiple(option("--env", fileValue("FILE", [".json"]), {
    description:
      message`Environment or globals of Postman, exported as JSON, for the variables of its collections. Can be repeated; the last value of a name counts.`,
  })),
});

/** The percentages that have to be reached; every command takes these. */
export const thresholdOptions = object("Thresholds", {
  failUnder: optional(option("--fail-under", percentValue(), {
    description:
      message`Exit with 1 if any dimension is below this. What the description has nothing of is left out, and so are responses if none was recorded.`,
  })),
  failUnderOperations: optional(option("--fail-under-operations", percentValue(), {
    description:
      message`Own threshold of the operations called. Like those below, it takes the place of --fail-under.`,
  })),
  failUnderParameters: optional(option("--fail-under-parameters", percentValue(), {
    description: message`Own threshold of the parameters sent.`,
  })),
  failUnderKeywords: optional(option("--fail-under-keywords", percentValue(), {
    description: message`Own threshold of the schema keywords seen passing or failing.`,
  })),
  failUnderExamples: optional(option("--fail-under-examples", percentValue(), {
    description: message`Own threshold of the documented examples used.`,
  })),
  failUnderResponses: optional(option("--fail-under-responses", percentValue(), {
    description:
      message`Own threshold of the documented responses that came. Not met if no response was recorded.`,
  })),
});
