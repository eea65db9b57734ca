import { mean, quantile } from "d3-array";
import { randomFrom } from "../corpus/random.ts";
import { type Measure, MEASURES } from "./measure.ts";
import { type Order, ORDERS } from "./orders.ts";
import {
  ofSeries,
  type Series,
  type ServerResult,
  type StudyResults,
  SUITE_SERIES,
  type SuiteSeries,
  unpackBits,
} from "./results.ts";
import {
  correlations,
  denseRanks,
  type Estimate,
  estimate,
  ranks,
  regress,
  tauB,
} from "./statistics.ts";
import { SIZES } from "./suites.ts";

const NAMES = Object.keys(MEASURES) as Measure[];
/** Measures about assertions, which don't explain what a suite detects independently of its assertions. */
const ABOUT_ASSERTIONS: readonly Measure[] = ["noticed", "noticed_parts"];
const FIRSTS = [10, 50, 100];
const DRAWS = 200;

/** Outcomes to compare measures with: detected mutants, or the share of visible mutants that assertions detect. */
export type Outcome = SuiteSeries | "kept";

/** An estimate for each server, in order, and their mean; null if a measure is the same in all suites. */
export interface Row {
  readonly servers: readonly (Estimate | null)[];
  readonly mean: Estimate | null;
}

export type Rows = Readonly<Partial<Record<Measure, Row>>>;

/** A predictor in the regressions: a measure, or the size of the suite. */
export type Predictor = Measure | "size";

export interface Analysis {
  /** Number of each server's mutants that some unit detects. */
  readonly detectable: Readonly<Record<Series, readonly number[]>>;
  /** Measures that were counted. */
  readonly measures: readonly Measure[];
  readonly anySize: Readonly<Record<"status" | "assertions", Rows>>;
  readonly equalSize: Readonly<Record<Outcome, Rows>>;
  /** Mean τ-b over servers for each size. */
  readonly bySize: Readonly<Partial<Record<Measure, readonly (number | null)[]>>>;
  readonly known: Readonly<Record<"status" | "assertions", Known>>;
  /** How often unnoticed parts tell a missed mutant from a detected one, as a mean over suites. */
  readonly foretold: Row;
  /** Shares detected, for each server and number of requests. */
  readonly first: readonly {
    readonly requests: number;
    readonly servers: readonly First[];
  }[];
}

export interface Known {
  /** The loss of R² without each predictor, and its coefficient. */
  readonly predictors: readonly {
    readonly predictor: Predictor;
    readonly loses: Row;
    readonly coefficient: Row;
  }[];
  readonly explained: readonly number[];
}

/** Shares that this many requests detect: all suggestions if there are fewer, and null for other requests. */
export interface First {
  readonly suggested: Readonly<Record<Order | "today", number>>;
  /** The number of suggestions, which may be less. */
  readonly available: number;
  readonly random: Estimate | null;
  readonly schemathesis: Estimate | null;
}

/** Computes every number on the page. */
export function analyze({ servers }: StudyResults, times = 1000): Analysis {
  const measures = NAMES.filter((name) =>
    servers.some(({ suites }) => suites.some(({ measured }) => measured[name] !== null))
  );
  const correlateAll = (outcome: Outcome, drawn: readonly (number | "any")[], samples: number) =>
    correlate(servers, measures, outcome, drawn, samples);
  const outcomes = [...SUITE_SERIES, "kept"] as const;
  const groups = servers.map((server) => SIZES.map((size) => rankSuites(server, [size], "status")));
  return {
    detectable: ofSeries((series) => servers.map((server) => countDetectable(server, series))),
    measures,
    anySize: {
      status: correlateAll("status", ["any"], times),
      assertions: correlateAll("assertions", ["any"], times / 5),
    },
    equalSize: Object.fromEntries(outcomes.map((outcome) => [
      outcome,
      correlateAll(outcome, SIZES, outcome === "status" ? times : times / 5),
    ])) as unknown as Analysis["equalSize"],
    bySize: Object.fromEntries(measures.map((name) => [
      name,
      SIZES.map((_, size) => knownMean(groups.map((own) => meanTau(own[size]!, name)))),
    ])),
    known: {
      status: regressAll(
        servers,
        measures.filter((name) => !ABOUT_ASSERTIONS.includes(name)),
        "status",
        times / 5,
      ),
      assertions: regressAll(servers, measures, "assertions", times / 5),
    },
    foretold: foretell(servers, times),
    first: FIRSTS.map((requests) => ({
      requests,
      servers: servers.map((server) => detectFirst(server, requests)),
    })),
  };
}

/** The mean of the known values; null if none is known. */
function knownMean(values: readonly (number | null | undefined)[]): number | null {
  return mean(values.filter((value) => value != null)) ?? null;
}

function countDetectable({ tried }: ServerResult, series: Series): number {
  return tried.filter((mutant) => unpackBits(mutant[series]).length > 0).length;
}

interface Group {
  readonly detected: Uint16Array;
  readonly measured: Readonly<Record<Measure, Uint16Array | null>>;
}

/** The suites of each drawn size, as ranks. */
function rankSuites(
  { suites }: ServerResult,
  drawn: readonly (number | "any")[],
  outcome: Outcome,
): Group[] {
  return drawn.map((size) =>
    suites.filter(({ drawn, detected }) =>
      drawn === size && (outcome !== "kept" || detected.answer > 0)
    )
  ).filter((group) => group.length > 0)
    .map((group) => ({
      detected: denseRanks(
        group.map(({ detected }) =>
          outcome === "kept" ? detected.assertions / detected.answer : detected[outcome]
        ),
      ),
      measured: Object.fromEntries(NAMES.map((name) => [
        name,
        group.every(({ measured }) => measured[name] === null)
          ? null
          : denseRanks(group.map(({ measured }) => measured[name] ?? 0)),
      ])) as Group["measured"],
    }));
}

/** The mean over groups; null if no group has a value. */
function meanTau(
  groups: readonly Group[],
  name: Measure,
  picks?: readonly number[][],
): number | null {
  return knownMean(groups.map(({ detected, measured }, index) => {
    const values = measured[name];
    return values === null ? null : tauB(values, detected, picks?.[index]);
  }));
}

function correlate(
  servers: readonly ServerResult[],
  measures: readonly Measure[],
  outcome: Outcome,
  drawn: readonly (number | "any")[],
  times: number,
): Partial<Record<Measure, Row>> {
  const groups = servers.map((server) => rankSuites(server, drawn, outcome));
  return toRows(
    measures,
    groups.map((own) => measures.map((name) => meanTau(own, name))),
    times,
    `${outcome} ${drawn}`,
    (server, random) => {
      const picks = groups[server]!.map(({ detected }) => resample(detected.length, random));
      return measures.map((name) => meanTau(groups[server]!, name, picks));
    },
  );
}

const resample = (size: number, random: ReturnType<typeof randomFrom>) =>
  Array.from({ length: size }, () => random.below(size));

/** Rows of values with intervals: each server's from its samples, and the mean's from drawing servers too. */
function toRows<Name extends string>(
  names: readonly Name[],
  values: readonly (readonly (number | null)[])[],
  times: number,
  seed: string,
  sample: (server: number, random: ReturnType<typeof randomFrom>) => readonly (number | null)[],
): Partial<Record<Name, Row>> {
  const random = randomFrom(seed);
  const samples = Array.from(
    { length: times },
    () => values.map((_, server) => sample(server, random)),
  );
  const drawnServers = samples.map((taken) => resample(taken.length, random));
  return Object.fromEntries(names.map((name, at) => {
    const servers = values.map((own, server) => {
      const value = own[at] ?? null;
      return value === null
        ? null
        : estimate(value, samples.map((taken) => taken[server]![at] ?? null));
    });
    const value = mean(servers.filter((one) => one !== null), ({ value }) => value);
    const means = samples.map((taken, index) =>
      knownMean(drawnServers[index]!.map((server) => taken[server]![at]))
    );
    return [name, { servers, mean: value === undefined ? null : estimate(value, means) }];
  })) as unknown as Partial<Record<Name, Row>>;
}

function foretell(servers: readonly ServerResult[], times: number): Row {
  const shares = servers.map(({ suites }) =>
    suites.flatMap(({ drawn, foretold }) => drawn === "any" || foretold === null ? [] : foretold)
  );
  const rows = toRows(
    ["foretold"],
    shares.map((own) => [knownMean(own)]),
    times,
    "foretold",
    (server, random) => {
      const own = shares[server]!;
      return [knownMean(resample(own.length, random).map((at) => own[at]))];
    },
  );
  return rows.foretold!;
}

/** The part that each measure explains beyond the size and the other measures. */
function regressAll(
  servers: readonly ServerResult[],
  measures: readonly Measure[],
  series: "status" | "assertions",
  times: number,
): Known {
  const predictors: readonly Predictor[] = ["size", ...measures];
  const tables = servers.map(({ suites }) => [
    ...predictors.map((name) =>
      suites.map(({ size, measured }) => name === "size" ? size : measured[name] ?? 0)
    ),
    suites.map(({ detected }) => detected[series]),
  ]);
  /** Coefficients, then the loss of R² without each. */
  const fit = (columns: readonly number[][]): (number | null)[] => {
    const known = correlations(columns.map(ranks));
    const varied = predictors.map((_, at) => at).filter((at) => known[at]![at]! > 0.5);
    const whole = regress(known, varied);
    const of = (make: (place: number) => number) =>
      predictors.map((_, at) => varied.includes(at) ? make(varied.indexOf(at)) : null);
    return [
      ...of((place) => whole.coefficients[place]!),
      ...of((place) =>
        whole.explained - regress(known, varied.filter((_, at) => at !== place)).explained
      ),
    ];
  };
  const rows = toRows(
    ["coefficient", "loses"].flatMap((part) => predictors.map((name) => `${part} ${name}`)),
    tables.map(fit),
    times,
    `regressions ${series}`,
    (server, random) => {
      const pick = resample(tables[server]![0]!.length, random);
      return fit(tables[server]!.map((column) => pick.map((at) => column[at]!)));
    },
  );
  return {
    predictors: predictors.map((predictor) => ({
      predictor,
      loses: rows[`loses ${predictor}`]!,
      coefficient: rows[`coefficient ${predictor}`]!,
    })),
    explained: tables.map((columns) => {
      const known = correlations(columns.map(ranks));
      return regress(known, predictors.map((_, at) => at)).explained;
    }),
  };
}

function detectFirst(server: ServerResult, requests: number): First {
  const found = server.tried.map(({ status }) => new Set(unpackBits(status)));
  const detectable = found.filter(({ size }) => size > 0);
  const share = (units: readonly number[]) =>
    detectable.filter((own) => units.some((unit) => own.has(unit))).length / detectable.length;
  const of = (...sources: readonly string[]) =>
    server.units.flatMap(({ source }, unit) => sources.includes(source) ? [unit] : []);
  const drawn = (units: readonly number[], what: string): Estimate | null => {
    if (units.length < requests) return null;
    const random = randomFrom(`${server.name} ${what} ${requests}`);
    const shares = Array.from({ length: DRAWS }, () => {
      const left = [...units];
      return share(
        Array.from({ length: requests }, () => left.splice(random.below(left.length), 1)[0]!),
      );
    });
    const at = (part: number) => quantile(shares, part) ?? NaN;
    return { value: mean(shares) ?? NaN, low: at(0.025), high: at(0.975) };
  };
  const suggested = server.units.flatMap(({ suggestion }, unit) =>
    suggestion === undefined ? [] : { unit, suggestion }
  );
  return {
    suggested: {
      ...Object.fromEntries(
        Object.entries(ORDERS).map(([name, order]) => [
          name,
          share(order(suggested).slice(0, requests).map(({ unit }) => unit)),
        ]),
      ) as Record<Order, number>,
      today: share(server.today.slice(0, requests)),
    },
    available: suggested.length,
    random: drawn(of("suggested", "schemathesis"), "random"),
    schemathesis: drawn(of("schemathesis"), "schemathesis"),
  };
}
