/**
 * Prints the most important gaps and findings of a SARIF report as annotations of a GitHub build, on the lines of the description.
 * It is plain JavaScript: GitHub's runners have Node.js, so nothing needs to be downloaded.
 *
 *     node action/annotate.mjs coverage.sarif
 *
 * @module
 */
import { readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";

/**
 * The parts of a SARIF report that are read.
 *
 * @typedef {object} SarifLog
 * @property {readonly { tool: { driver: { rules: readonly SarifRule[] } }, results: readonly SarifResult[] }[]} runs
 */

/**
 * A kind of gap or finding.
 *
 * @typedef {object} SarifRule
 * @property {{ text: string }} shortDescription
 */

/**
 * A gap or a finding.
 *
 * @typedef {object} SarifResult
 * @property {number} ruleIndex
 * @property {"error" | "warning" | "note"} level
 * @property {{ text: string }} message
 * @property {readonly { physicalLocation: { artifactLocation: { uri: string }, region: { startLine: number } } }[]} locations
 */

/** The names of levels in annotations. */
const LEVELS = { error: "error", warning: "warning", note: "notice" };

/** The number of annotations per level that GitHub shows for a step. */
const MOST = 10;

/**
 * Returns lines that GitHub turns into annotations, with the most important kinds of gaps first. Gaps in files outside
 * of the repository are left out.
 *
 * @param {SarifLog} log
 * @returns {string[]}
 */
export function annotations({ runs }) {
  const shown = { error: 0, warning: 0, note: 0 };
  /** @type {string[]} */
  const lines = [];
  // Rules are in the order of importance; there is a run for each API.
  const results = runs.flatMap(({ tool, results }) =>
    results.map((result) => ({ ...result, rule: tool.driver.rules[result.ruleIndex] }))
  ).sort((one, other) => one.ruleIndex - other.ruleIndex);
  for (const { rule, level, message, locations } of results) {
    const place = locations[0]?.physicalLocation;
    if (place === undefined || /^[a-z][a-z0-9+.-]+:/i.test(place.artifactLocation.uri)) continue;
    if (++shown[level] > MOST) continue;
    const title = rule?.shortDescription.text ?? "Gap";
    const file = decodeURIComponent(place.artifactLocation.uri);
    lines.push(
      `::${LEVELS[level]} file=${property(file)},line=${place.region.startLine},title=${
        property(title)
      }::${data(message.text)}`,
    );
  }
  return lines;
}

/**
 * @param {string} text
 * @returns {string}
 */
function data(text) {
  return text.replace(
    /[%\r\n]/g,
    (found) => `%${found.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
}

/**
 * @param {string} text
 * @returns {string}
 */
function property(text) {
  return data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
}

const [, program = "", path = ""] = process.argv;
if (import.meta.url === pathToFileURL(program).href) {
  const text = annotations(JSON.parse(readFileSync(path, "utf8"))).map((line) => `${line}\n`);
  process.stdout.write(text.join(""));
}
