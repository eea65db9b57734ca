/**
 * Prints the gravest gaps of a SARIF report as annotations of a build on GitHub, on the lines of the description.
 *
 *     deno run --allow-read action/annotate.ts coverage.sarif
 *
 * @module
 */

/** What is read of a SARIF report. */
export interface SarifLog {
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly rules: readonly SarifRule[] } };
    readonly results: readonly SarifResult[];
  }[];
}

/** A kind of gap. */
export interface SarifRule {
  readonly shortDescription: { readonly text: string };
}

/** A gap. */
export interface SarifResult {
  readonly ruleIndex: number;
  readonly level: "warning" | "note";
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: { readonly startLine: number };
    };
  }[];
}

/** GitHub shows no more of a level than this for a step. */
const MOST = 10;

/**
 * The lines that GitHub makes annotations of: the gravest kinds of gaps first, and no gap of a description that is not
 * in the repository.
 */
export function annotations({ runs }: SarifLog): string[] {
  const [run] = runs;
  const shown = { warning: 0, note: 0 };
  const lines: string[] = [];
  // Kinds are listed from the gravest on.
  const results = [...run?.results ?? []].sort((one, other) => one.ruleIndex - other.ruleIndex);
  for (const { ruleIndex, level, message, locations } of results) {
    const place = locations[0]?.physicalLocation;
    if (place === undefined || /^[a-z][a-z0-9+.-]+:/i.test(place.artifactLocation.uri)) continue;
    if (++shown[level] > MOST) continue;
    const title = run?.tool.driver.rules[ruleIndex]?.shortDescription.text ?? "Gap";
    const file = decodeURIComponent(place.artifactLocation.uri);
    lines.push(
      `::${level === "warning" ? "warning" : "notice"} file=${
        property(file)
      },line=${place.region.startLine},title=${property(title)}::${data(message.text)}`,
    );
  }
  return lines;
}

function data(text: string): string {
  return text.replace(
    /[%\r\n]/g,
    (found) => `%${found.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
}

function property(text: string): string {
  return data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}

if (import.meta.main) {
  const [path = ""] = Deno.args;
  const log = JSON.parse(await Deno.readTextFile(path)) as SarifLog;
  const text = annotations(log).map((line) => `${line}\n`).join("");
  await new Blob([text]).stream().pipeTo(Deno.stdout.writable);
}
