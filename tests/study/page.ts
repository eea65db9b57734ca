import { mean } from "d3-array";
import type { Analysis, First, Known, Outcome, Predictor, Row, Rows } from "./analysis.ts";
import { type Measure, MEASURES } from "./measure.ts";
import { correlationPlot, firstPlot } from "./plots.ts";
import { SERIES, type StudyResults } from "./results.ts";
import { LEFT_OUT, SERVERS } from "./servers.ts";
import type { Estimate } from "./statistics.ts";
import { SIZES } from "./suites.ts";

const TITLES: Readonly<Record<Outcome, string>> = {
  status: "status",
  answer: "status or body",
  description: "contradicts the description",
  assertions: "own assertions fail",
  kept: "own assertions, of those in status or body",
};

const ORDER_TITLES: Readonly<Record<keyof First["suggested"], string>> = {
  closing: "most gaps first (before)",
  operations: "operations in turn",
  valid: "valid first",
  validOperations: "valid first, operations in turn",
  responses: "responses in turn",
  today: "`suggest` since then",
};

/** Generated parts of the page by the names of their marks, and its plots. */
export interface PageParts {
  readonly sections: Readonly<Record<string, string>>;
  readonly pictures: Readonly<Record<string, string>>;
}

/** Makes all numbers on the page. */
export function makePage(results: StudyResults, analysis: Analysis): PageParts {
  const names = results.servers.map(({ name }) => name);
  const measureTable = (head: readonly string[], cells: (name: Measure) => readonly string[]) =>
    table(["measure", ...head], analysis.measures.map((name) => [MEASURES[name], ...cells(name)]));
  const means = (outcomes: Readonly<Partial<Record<Outcome, Rows>>>) =>
    measureTable(
      Object.keys(outcomes).map((outcome) => TITLES[outcome as Outcome]),
      (name) => Object.values(outcomes).map((rows) => estimate(rows[name]?.mean ?? null)),
    );
  const byServer = (rows: Rows) =>
    rowTable(names, analysis.measures.map((name) => [MEASURES[name], rows[name]]));
  return {
    sections: {
      servers: serverTable(results, analysis),
      "left out": table(
        ["candidate", "left out because"],
        LEFT_OUT.map(({ name, because }) => [name, because]),
      ),
      "at equal size": byServer(analysis.equalSize.status),
      "by size": measureTable(
        SIZES.map((size) => `${size} requests`),
        (name) => (analysis.bySize[name] ?? []).map((tau) => tau === null ? "–" : decimal(tau)),
      ),
      "all sizes": byServer(analysis.anySize.status),
      "all sizes, other series": means(analysis.anySize),
      "other series": means(analysis.equalSize),
      noticed: rowTable(names, noticedRows(analysis), "what is compared"),
      "once the others are known": knownTable(names, analysis.known.status),
      "own assertions, once the others are known": knownTable(names, analysis.known.assertions),
      orders: orderTable(analysis),
      "first requests": firstTable(results, analysis),
    },
    pictures: {
      "evidence-correlation.svg": correlationPlot(analysis),
      "evidence-first.svg": firstPlot(results, analysis),
    },
  };
}

/** Writes the parts between their marks in the page, and the plots beside it. */
export function writePage(results: StudyResults, analysis: Analysis, folder: string): void {
  const { sections, pictures } = makePage(results, analysis);
  const path = `${folder}/evidence.md`;
  const marks = Object.keys(sections).map((name) => `## ${name}\n\n${begin(name)}\n\n${END}\n`);
  let text = `# Results\n\n${marks.join("\n")}`;
  try {
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  Deno.writeTextFileSync(path, fillPage(text, sections));
  Deno.mkdirSync(`${folder}/images`, { recursive: true });
  for (const [name, picture] of Object.entries(pictures)) {
    Deno.writeTextFileSync(`${folder}/images/${name}`, picture);
  }
}

const begin = (name: string) => `<!-- study: ${name} -->`;
const END = "<!-- end -->";

/** The text with new parts between their marks. */
export function fillPage(text: string, sections: PageParts["sections"]): string {
  return Object.entries(sections).reduce((filled, [name, section]) => {
    const from = filled.indexOf(begin(name)) + begin(name).length;
    const to = filled.indexOf(END, from);
    if (from < begin(name).length || to < 0) throw new Error(`The page lacks ${begin(name)}.`);
    return `${filled.slice(0, from)}\n\n${section}\n\n${filled.slice(to)}`;
  }, text);
}

function serverTable({ servers }: StudyResults, { detectable }: Analysis): string {
  return table(
    [
      ...["server", "framework", "operations", "keywords", "requests", "mutants reached", "tried"],
      ...["detected by status", "by body", "by the description"],
    ],
    servers.map((result, index) => {
      const server = SERVERS.find(({ name }) => name === result.name);
      return [
        server?.title ?? result.name,
        ...[server?.framework ?? "", `${result.operations}`, `${result.keywords}`],
        `${result.units.reduce((sum, { size }) => sum + size, 0)}`,
        ...[`${result.mutants.reached} of ${result.mutants.all}`, `${result.tried.length}`],
        ...SERIES.map((series) => `${detectable[series][index]}`),
      ];
    }),
  );
}

function noticedRows(
  { equalSize: { assertions, kept }, foretold }: Analysis,
): [string, Row | undefined][] {
  return [
    ["τ-b of noticed and mutants that own assertions detect", assertions.noticed],
    [
      "τ-b of noticed parts of all and mutants that own assertions detect",
      assertions.noticed_parts,
    ],
    ["τ-b of unnoticed parts and mutants missed, as shares", kept.noticed],
    ["probability that a missed mutant has more unnoticed parts", foretold],
  ];
}

function rowTable(
  names: readonly string[],
  rows: readonly (readonly [string, Row | undefined])[],
  head = "measure",
): string {
  return table(
    [head, "mean", ...names],
    [...rows]
      .sort(([, one], [, other]) => (other?.mean?.value ?? -1) - (one?.mean?.value ?? -1))
      .map(([title, row]) => [
        ...[title, estimate(row?.mean ?? null, true)],
        ...(row?.servers ?? []).map((server) => estimate(server)),
      ]),
  );
}

function knownTable(names: readonly string[], { predictors, explained }: Known): string {
  const title = (predictor: Predictor) =>
    predictor === "size" ? "number of requests" : MEASURES[predictor];
  return [
    table(
      ["measure", "R² loses", "coefficient", ...names.map((name) => `coefficient, ${name}`)],
      [...predictors].sort((one, other) =>
        (other.loses.mean?.value ?? -1) - (one.loses.mean?.value ?? -1)
      ).map(({ predictor, loses, coefficient }) => [
        ...[title(predictor), estimate(loses.mean, true), estimate(coefficient.mean, true)],
        ...coefficient.servers.map((server) => estimate(server)),
      ]),
    ),
    "All of them together explain (R² of ranks):",
    table(names, [explained.map(percent)]),
  ].join("\n\n");
}

/** Means over servers of what orders detect; all suggestions count if there are fewer. */
function orderTable({ first }: Analysis): string {
  return table(
    ["order of the suggestions", ...first.map(({ requests }) => `first ${requests}`)],
    Object.entries(ORDER_TITLES).map(([order, title]) => [
      title,
      ...first.map(({ servers }) =>
        percent(
          mean(servers, ({ suggested }) => suggested[order as keyof First["suggested"]]) ?? NaN,
        )
      ),
    ]),
  );
}

function firstTable({ servers }: StudyResults, { first }: Analysis): string {
  const share = (found: Estimate | null) =>
    found === null
      ? "–"
      : `${percent(found.value)} (${percent(found.low)} to ${percent(found.high)})`;
  const cells = ({ suggested, available, random, schemathesis }: First, requests: number) => {
    const few = available < requests ? ` (all ${available})` : "";
    return [
      ...[`${percent(suggested.closing)}${few}`, `**${percent(suggested.today)}**${few}`],
      ...[share(random), share(schemathesis)],
    ];
  };
  return table(
    [
      ...["server", "requests", "`suggest` before", "`suggest` since then"],
      ...["random of the pool", "random of Schemathesis"],
    ],
    servers.flatMap(({ name }, server) =>
      first.map(({ requests, servers }) => [
        ...[name, `${requests}`],
        ...cells(servers[server]!, requests),
      ])
    ),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, head.map(() => ""), ...rows];
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column]!.length)));
  return all.map((row, line) => {
    const cells = row.map((cell, column) =>
      line === 1 ? "-".repeat(widths[column]!) : cell.padEnd(widths[column]!)
    );
    return `| ${cells.join(" | ")} |`;
  }).join("\n");
}

function estimate(found: Estimate | null, withInterval = false): string {
  if (found === null) return "–";
  const { value, low, high } = found;
  return withInterval
    ? `**${decimal(value)}** (${decimal(low)} to ${decimal(high)})`
    : `${decimal(value)} (${decimal(low)} to ${decimal(high)})`;
}

function decimal(value: number): string {
  return value.toFixed(2).replace(/^-(0\.00)$/, "$1").replace("-", "−");
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
