import type { Dimension } from "../map/results.ts";
import { dimensionFigures } from "./figures.ts";
import { coverageLevel, formatPercent } from "./wording/amounts.ts";
import type { Report } from "./report.ts";
import { xmlText } from "./text/plain_text.ts";

const DEFAULT_DIMENSIONS: readonly Dimension[] = ["operations", "keywords"];
const LABEL = "API coverage";
const SEPARATOR = " · ";
const HEIGHT = 20;
const PADDING = 6;

/** White text on any of these colours has a contrast of at least 4.5 to 1. */
const COLORS = { low: "#c0392b", medium: "#946300", high: "#2b7a3e", none: "#666" } as const;
const LABEL_COLOR = "#444";

/** Draws a badge as SVG, with dimensions in the order of all reports. The lowest percentage determines its colour. */
export function generateBadgeReport(
  report: Pick<Report, "title" | "summary">,
  dimensions: readonly Dimension[] = [],
): string {
  const wanted = dimensions.length > 0 ? dimensions : DEFAULT_DIMENSIONS;
  const rows = dimensionFigures(report.summary).filter(({ name }) => wanted.includes(name));
  const percents = rows.flatMap(({ percent }) => percent ?? []);
  const level = coverageLevel(percents.length === 0 ? null : Math.min(...percents));
  const value = report.summary.operations.percent === null
    ? "n/a" // no operation is counted
    : rows.map(({ name, percent }) => `${name} ${formatPercent(percent)}`)
      .join(SEPARATOR);
  const label = textWidth(LABEL);
  const shown = textWidth(value);
  const left = label + 2 * PADDING;
  const width = left + shown + 2 * PADDING;
  const title = xmlText(`${report.title}: ${LABEL}, ${value.replaceAll(SEPARATOR, ", ")}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${title}">
  <title>${title}</title>
  <clipPath id="r"><rect width="${width}" height="${HEIGHT}" rx="3"/></clipPath>
  <g clip-path="url(#r)">
    <rect width="${left}" height="${HEIGHT}" fill="${LABEL_COLOR}"/>
    <rect x="${left}" width="${width - left}" height="${HEIGHT}" fill="${COLORS[level ?? "none"]}"/>
  </g>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" aria-hidden="true">
    <text x="${PADDING}" y="14" textLength="${label}" lengthAdjust="spacingAndGlyphs">${
    xmlText(LABEL)
  }</text>
    <text x="${left + PADDING}" y="14" textLength="${shown}" lengthAdjust="spacingAndGlyphs">${
    xmlText(value)
  }</text>
  </g>
</svg>
`;
}

/** Approximates the width of a text in 11 px Verdana. `textLength` fits other fonts into this width. */
function textWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    width += /[mwMW%]/.test(character) ? 11 : /[ijl.,·| ]/.test(character) ? 4 : 7;
  }
  return width;
}
