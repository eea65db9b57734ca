import assert from "node:assert/strict";
import { generateBadgeReport } from "../../src/report/badge_report.ts";
import { aSummary, shopReport } from "./shop_report.ts";
import { elementsIn, readXml } from "./xml_tree.ts";

function texts(svg: string): string[] {
  return elementsIn(readXml(svg), "text").map(({ text }) => text);
}

function color(svg: string): string {
  return elementsIn(readXml(svg), "rect").at(-1)?.attributes["fill"] ?? "";
}

/** The badge of a report in which this share of the operations was called. */
function makeBadge(seen: number, total: number): string {
  const summary = aSummary({ operations: [seen, total] });
  return generateBadgeReport(shopReport({ summary }), ["operations", "keywords"]);
}

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(hex: string): number {
  const digits = hex.length === 4 ? hex.replace(/[0-9a-f]/g, "$&$&") : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = parseInt(digits.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

Deno.test("a badge shows operations and keywords, each with its name", () => {
  assert.deepEqual(texts(generateBadgeReport(shopReport())), [
    "API coverage",
    "operations 75% · keywords 42.9%",
  ]);
  assert.deepEqual(texts(generateBadgeReport(shopReport(), [])), [
    "API coverage",
    "operations 75% · keywords 42.9%",
  ]);
});

Deno.test("a badge shows the requested dimensions in the order of all reports", () => {
  const svg = generateBadgeReport(shopReport(), ["responses", "parameters"]);
  assert.equal(texts(svg)[1], "parameters 50% · responses 66.7%");
});

Deno.test("the colour of a badge depends on its lowest number", () => {
  const colors = [
    makeBadge(0, 9),
    makeBadge(49, 100),
    makeBadge(50, 100),
    makeBadge(79, 100),
    makeBadge(4, 5),
  ]
    .map(color);
  assert.deepEqual(colors, ["#c0392b", "#c0392b", "#946300", "#946300", "#2b7a3e"]);
});

Deno.test("a dimension that wasn't measured is shown as a dash on grey", () => {
  const { summary } = shopReport();
  const responses = { ...summary.responses, percent: null, measured: false };
  const svg = generateBadgeReport(shopReport({ summary: { ...summary, responses } }), [
    "responses",
  ]);
  assert.equal(texts(svg)[1], "responses –");
  assert.equal(color(svg), "#666");
});

Deno.test("white text has enough contrast to every colour", () => {
  const fills = new Set(
    [makeBadge(0, 9), makeBadge(6, 9), makeBadge(9, 9)].flatMap((svg) =>
      elementsIn(readXml(svg), "rect").flatMap(({ attributes: { fill } }) => fill ?? [])
    ),
  );
  assert.equal(fills.size, 4);
  for (const fill of [...fills, "#666"]) {
    const contrast = 1.05 / (luminance(fill) + 0.05);
    assert.ok(contrast >= 4.5, `${fill}: ${contrast}`);
  }
});

Deno.test("a hostile title stays within its element", () => {
  const title = `"><script>alert(1)</script><text>&\u0007\ud800`;
  const svg = readXml(generateBadgeReport(shopReport({ title })));
  assert.equal(elementsIn(svg, "script").length, 0);
  assert.equal(elementsIn(svg, "text").length, 2);
  assert.ok(
    elementsIn(svg, "title")[0]?.text.startsWith(
      `"><script>alert(1)</script><text>&\\u0007\\ud800: API coverage`,
    ),
  );
});
