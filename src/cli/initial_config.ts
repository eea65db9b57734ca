import type { Findings } from "./init_findings.ts";

/** Files and patterns that a list names; more are left to the user. */
const MOST_LISTED = 20;

/**
 * The text of a first config file: what was found, and the options that most projects set next as comments.
 *
 * @param findings What the project has.
 * @param schema The path of the JSON Schema for editors; undefined if it isn't installed.
 */
export function initialConfig(
  { descriptions, recordings }: Pick<Findings, "descriptions" | "recordings">,
  schema: string | undefined,
): string {
  const [description, ...others] = descriptions;
  const listed = recordings.slice(0, MOST_LISTED);
  const lines = [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`, ""]),
    "# OpenAPI description: a file or URL. Paths are relative to this file.",
    ...others.slice(0, MOST_LISTED).map((path) => `# Also found: ${path}`),
    ...(others.length === 0
      ? []
      : ["# To measure them in one run, replace schema with apis, a list of - schema: PATH."]),
    description === undefined ? "# schema: openapi.yaml" : `schema: ${scalar(description)}`,
    "",
    "# Recordings: files, folders and glob patterns.",
    ...(listed.length === 0
      ? ["# traffic: recordings/**/*.har"]
      : ["traffic:", ...listed.map((path) => `  - ${scalar(path)}`)]),
    ...(recordings.length > listed.length
      ? [`  # … and ${recordings.length - listed.length} more`]
      : []),
    "",
    "# Reports to write.",
    "format: html",
    "",
    "# Exit with 1 if coverage is lower, in percent.",
    "# failUnder: 80",
    "# failUnderOperations: 100",
    "",
    "# Exit with 1 if nothing of the traffic matches the description.",
    "failOn: no-traffic",
    "",
    "# Leave parts out of all percentages, with a reason that reports show.",
    "# exclude:",
    "#   - pattern: deprecated",
    "#     reason: goes away with version 2",
    "#     until: 2027-12-31",
  ];
  return lines.join("\n") + "\n";
}

/** A text in YAML: as it is, or in quotes. */
function scalar(text: string): string {
  return /^[\w.][\w./*-]*$/.test(text) && !/^(?:[\d.]+|true|false|null)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
