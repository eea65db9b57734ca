import { isDeepStrictEqual } from "node:util";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import { placeKey } from "../../src/map/noticed_hits.ts";
import { changesAt } from "../../src/mutate/changes.ts";
import { type PassingResponse, ResponseChanger } from "../../src/mutate/response_changer.ts";
import { type Random, randomFrom } from "../corpus/random.ts";
import type { StudyAnswer, StudyRequest } from "./host.ts";
import { uniform } from "./suites.ts";

/** What a test can assert about a response: numbers from 2 on are its values. */
const [STATUS, BODY, FIRST_VALUE] = [0, 1, 2];
/** Fails every test, whatever it asserts. */
const NO_ANSWER = -1;

/** The default level of `covtool mutate`. */
const LEVEL = "properties";

/** A request with its response, and possible assertions. */
export interface Exchange {
  /** Number of values that can be asserted. */
  readonly values: number;
  /** Parts of the response, each with the assertions that one of its changes breaks. */
  readonly parts: readonly { readonly key: string; readonly broken: readonly number[] }[];
}

/** The assertions that hold for the first response and are broken by the second. */
export function brokenBy(expected: StudyAnswer, found: StudyAnswer | undefined): number[] {
  if (found === undefined || found.status === 0) return [NO_ANSWER];
  const [before, after] = [readBody(expected.body), readBody(found.body)];
  const values = valuesIn(after);
  return [
    ...expected.status === found.status ? [] : [STATUS],
    ...isDeepStrictEqual(before, after) ? [] : [BODY],
    ...[...valuesIn(before)].flatMap(([path, value], index) =>
      isDeepStrictEqual(value, values.get(path)) ? [] : [FIRST_VALUE + index]
    ),
  ];
}

/** Finds the parts of responses, and what their changes break. */
export function createExchanges(
  description: unknown,
): (request: StudyRequest, answer: StudyAnswer) => Exchange {
  const changer = new ResponseChanger(MeasuredApi.fromDict(description).plan);
  return (request, answer) => {
    const response: PassingResponse = {
      status: answer.status,
      headers: answer.type === "" ? [] : [["content-type", answer.type]],
      body: new TextEncoder().encode(answer.body),
    };
    const parts = changer.listParts(request, response).map(({ place }) => {
      const changed = changesAt(place.part, LEVEL).flatMap((change) =>
        changer.change(request, response, () => [{ place, change }], () => {}) ?? []
      );
      const broken = changed.flatMap(({ status, body }) =>
        brokenBy(answer, { ...answer, status, body: new TextDecoder().decode(body) })
      );
      return { key: placeKey(place), isTried: changed.length > 0, broken: [...new Set(broken)] };
    });
    return {
      values: valuesIn(readBody(answer.body)).size,
      parts: parts.filter(({ isTried }) => isTried),
    };
  };
}

/** What a mutant breaks: for each unit whose responses it changes, the assertions about each of them. */
export type Broken = ReadonlyMap<number, readonly (readonly number[])[]>;

/** What a suite's own assertions detect. */
export interface Asserted {
  /** Number of mutants detected. */
  readonly detected: number;
  /** Number of parts in its responses whose changes some assertion notices, and of all parts. */
  readonly noticed: number;
  readonly parts: number;
  /** Probability that a missed mutant shows in responses with more unnoticed parts than a detected one. */
  readonly foretold: number | null;
}

/** Gives a suite random assertions, and finds which changes and mutants they detect. */
export function judgeAssertions(
  chosen: readonly number[],
  exchanges: readonly (readonly Exchange[])[],
  mutants: readonly Broken[],
  seed: string,
): Asserted {
  const random = randomFrom(seed);
  const strength = Array.from({ length: 4 }, () => uniform(random));
  const asserts = new Map(chosen.map((unit) => [
    unit,
    exchanges[unit]!.map(({ values }) => drawAssertions(values, strength, random)),
  ]));
  const fails = (unit: number, index: number, broken: readonly number[]) =>
    broken.some((one) => asserts.get(unit)?.[index]?.has(one));
  const noticed = new Map<string, boolean>();
  for (const unit of chosen) {
    exchanges[unit]!.forEach(({ parts }, index) => {
      for (const { key, broken } of parts) {
        noticed.set(key, noticed.get(key) || fails(unit, index, broken));
      }
    });
  }
  const [missed, detected]: [number[], number[]] = [[], []];
  for (const mutant of mutants) {
    const shows = chosen.filter((unit) => mutant.has(unit));
    if (shows.length === 0) continue;
    const isSeen = shows.some((unit) =>
      mutant.get(unit)!.some((broken, index) => fails(unit, index, broken))
    );
    const keys = new Set(
      shows.flatMap((unit) => exchanges[unit]!.flatMap(({ parts }) => parts.map(({ key }) => key))),
    );
    const unnoticed = [...keys].filter((key) => !noticed.get(key)).length;
    (isSeen ? detected : missed).push(keys.size === 0 ? NaN : unnoticed / keys.size);
  }
  return {
    detected: detected.length,
    noticed: [...noticed.values()].filter(Boolean).length,
    parts: noticed.size,
    foretold: areaUnderCurve(
      missed.filter((share) => !isNaN(share)),
      detected.filter((share) => !isNaN(share)),
    ),
  };
}

/** The share of pairs in which the first is larger than the second; null without pairs. */
function areaUnderCurve(high: readonly number[], low: readonly number[]): number | null {
  let larger = 0;
  for (const one of high) {
    for (const other of low) larger += one > other ? 1 : one === other ? 0.5 : 0;
  }
  return high.length * low.length === 0 ? null : larger / (high.length * low.length);
}

/** Random assertions about a response with this many values, of a suite that asserts much or little. */
function drawAssertions(
  values: number,
  [status, body, whole, each]: readonly number[],
  random: Random,
): ReadonlySet<number> {
  const asserted = new Set([NO_ANSWER]);
  if (isDrawn(status!, random)) asserted.add(STATUS);
  if (!isDrawn(body!, random)) return asserted;
  if (isDrawn(whole!, random)) return asserted.add(BODY);
  for (let value = 0; value < values; value++) {
    if (isDrawn(each!, random)) asserted.add(FIRST_VALUE + value);
  }
  return asserted;
}

const isDrawn = (chance: number, random: Random) => uniform(random) < chance;

/** A body parsed as JSON, or unchanged. */
function readBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** The leaves of a JSON body by path, where all items of a list have the same name. */
function valuesIn(body: unknown): Map<string, unknown[]> {
  const found = new Map<string, unknown[]>();
  const walk = (value: unknown, path: string) => {
    const members = typeof value === "object" && value !== null
      ? Object.entries(value).map(([name, member]) =>
        [Array.isArray(value) ? "*" : name, member] as const
      )
      : [];
    for (const [name, member] of members) walk(member, `${path}/${name}`);
    if (members.length === 0) found.set(path, [...found.get(path) ?? [], value]);
  };
  if (typeof body === "object" && body !== null) walk(body, "");
  return found;
}
