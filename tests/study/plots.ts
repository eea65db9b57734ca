import { line } from "d3-shape";
import type { Analysis, First } from "./analysis.ts";
import { MEASURES } from "./measure.ts";
import type { StudyResults } from "./results.ts";
import type { Estimate } from "./statistics.ts";

const COLOURS = {
  dark: "#1f2937",
  grey: "#6b7280",
  blue: "#2563eb",
  green: "#059669",
  orange: "#d97706",
} as const;

/** A plot on white, so that it can be read on dark pages too. */
function picture(width: number, height: number, title: string, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}"`,
    ` height="${height}" role="img" font-family="system-ui, sans-serif" font-size="12">`,
    `\n<title>${title}</title>\n<rect width="100%" height="100%" fill="#fff"/>\n`,
    ...parts.map((part) => `${part}\n`),
    "</svg>\n",
  ].join("");
}

function text(x: number, y: number, said: string, more = ""): string {
  return `<text x="${round(x)}" y="${round(y)}" fill="${COLOURS.dark}" ${more}>${said}</text>`;
}

function stroke(x1: number, y1: number, x2: number, y2: number, colour: string, width = 1): string {
  const places = `x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"`;
  return `<line ${places} stroke="${colour}" stroke-width="${width}"/>`;
}

const round = (value: number) => Math.round(value * 10) / 10;

const dot = (x: number, y: number, colour: string) =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="4.5" fill="${colour}"/>`;

/** Mean τ-b of each measure with its interval: at equal size for two ways to detect a mutant, and over all sizes. */
export function correlationPlot({ measures, anySize, equalSize }: Analysis): string {
  const [left, top, row, width] = [190, 46, 44, 440];
  const x = (tau: number) => left + (tau + 0.4) / 1.4 * width;
  const bottom = top + measures.length * row;
  const parts = [-0.4, -0.2, 0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((tau) => [
    stroke(x(tau), top, x(tau), bottom, tau === 0 ? COLOURS.grey : "#e5e7eb"),
    text(x(tau), bottom + 16, `${tau}`.replace("-", "−"), 'text-anchor="middle"'),
  ]);
  const interval = (found: Estimate | null | undefined, y: number, colour: string) =>
    found == null
      ? []
      : [stroke(x(found.low), y, x(found.high), y, colour, 2), dot(x(found.value), y, colour)];
  const order = [...measures].sort((one, other) =>
    (equalSize.status[other]?.mean?.value ?? -1) - (equalSize.status[one]?.mean?.value ?? -1)
  );
  order.forEach((name, index) => {
    const y = top + (index + 0.5) * row;
    parts.push(
      text(left - 12, y + 4, MEASURES[name], 'text-anchor="end"'),
      ...interval(equalSize.status[name]?.mean, y - 10, COLOURS.blue),
      ...interval(equalSize.assertions[name]?.mean, y, COLOURS.green),
      ...interval(anySize.status[name]?.mean, y + 10, COLOURS.orange),
    );
  });
  parts.push(
    ...[dot(16, 20, COLOURS.blue), text(26, 24, "suites of equal size")],
    ...[
      dot(176, 20, COLOURS.green),
      text(186, 24, "suites of equal size, by their own assertions"),
    ],
    ...[dot(466, 20, COLOURS.orange), text(476, 24, "suites of all sizes")],
    text(left, bottom + 34, "Kendall’s τ-b with the share of mutants detected, mean over servers"),
  );
  return picture(left + width + 30, bottom + 48, "Coverage and mutants detected", parts);
}

const LEGEND = [30, 160, 310, 450];

/** The share detected by the first requests of `suggest` and by random ones, for each server. */
export function firstPlot({ servers }: StudyResults, { first }: Analysis): string {
  const [columns, width, height, top] = [3, 220, 170, 40];
  const lines = [
    {
      of: ({ suggested }: First) => suggested.closing,
      ...{ colour: COLOURS.blue, title: "suggested before" },
    },
    {
      of: ({ suggested }: First) => suggested.today,
      ...{ colour: COLOURS.green, title: "suggested since then" },
    },
    { of: ({ random }: First) => random, colour: COLOURS.grey, title: "random of the pool" },
    {
      of: ({ schemathesis }: First) => schemathesis,
      ...{ colour: COLOURS.orange, title: "random of Schemathesis" },
    },
  ];
  const parts = lines.flatMap(({ colour, title }, index) => [
    ...[dot(LEGEND[index]!, 18, colour), text(LEGEND[index]! + 10, 22, title)],
  ]);
  servers.forEach(({ name }, server) => {
    const [x0, y0] = [40 + server % columns * width, top + Math.floor(server / columns) * height];
    const x = (index: number) => x0 + 20 + index * 65;
    const y = (share: number) => y0 + 24 + (1 - share) * 105;
    parts.push(text(x0, y0 + 12, name, 'font-weight="bold"'));
    for (const share of [0, 0.5, 1]) {
      parts.push(stroke(x0, y(share), x0 + 170, y(share), "#e5e7eb"));
      parts.push(
        text(x0 - 4, y(share) + 4, `${share * 100} %`, 'text-anchor="end" font-size="10"'),
      );
    }
    first.forEach(({ requests }, index) => {
      parts.push(text(x(index), y(0) + 16, `${requests}`, 'text-anchor="middle"'));
    });
    for (const { of, colour } of lines) {
      const points = first.flatMap(({ servers }, index): [number, number][] => {
        const found = of(servers[server]!);
        if (found === null) return [];
        if (typeof found !== "number") {
          parts.push(stroke(x(index), y(found.low), x(index), y(found.high), colour));
        }
        return [[round(x(index)), round(y(typeof found === "number" ? found : found.value))]];
      });
      parts.push(`<path d="${line()(points) ?? ""}" fill="none" stroke="${colour}"/>`);
      parts.push(...points.map(([x, y]) => dot(x, y, colour)));
    }
  });
  const rows = Math.ceil(servers.length / columns);
  return picture(50 + columns * width, top + rows * height + 10, "First requests", parts);
}
