import fc from "fast-check";
import type { HttpResponse, Interaction } from "../../mod.ts";
import { randomFrom } from "../corpus/random.ts";
import type { Raw } from "../corpus/raw_description.ts";
import { sampleValue } from "../corpus/sample_value.ts";

const REF = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const TYPES = [
  "application/json",
  "application/json",
  "application/json; charset=utf-8",
  "application/problem+json",
  "application/x-ndjson",
  "text/plain",
  "image/png",
  "",
  undefined,
];

/** The traffic with valid and invalid bodies and headers in its responses. */
export function withContent(
  traffic: fc.Arbitrary<readonly Interaction[]>,
  description: Raw,
): fc.Arbitrary<readonly Interaction[]> {
  const add = (interaction: Interaction, seed: number): Interaction => {
    const { response } = interaction;
    return response === undefined
      ? interaction
      : { ...interaction, response: { ...response, ...randomContent(description, seed) } };
  };
  const seeds = fc.array(fc.nat(), { minLength: 40, maxLength: 40 });
  return fc.tuple(traffic, seeds).map(([interactions, numbers]) =>
    interactions.map((interaction, index) => add(interaction, numbers[index] ?? 0))
  );
}

function randomContent(description: Raw, seed: number): HttpResponse {
  const random = randomFrom(String(seed));
  if (random.oneIn(3)) return {};
  const schema = REF(random.pick(["Item", "Item", "Node", "Filter"]));
  const value = sampleValue(description, schema, { random, oddness: random.pick([0, 4, 8]) });
  const type = random.pick(TYPES);
  const headers = {
    ...(type !== undefined && { "Content-Type": type }),
    ...(!random.oneIn(3) && { "x-total": random.pick(["1", "-1", "many", ""]) }),
    ...(random.oneIn(2) && { "X-Tags": random.pick([["a", "c"], "a,b"]) }),
  };
  const text = JSON.stringify(value) ?? "";
  const body = random.pick([text, text, text, `${text}\n${text}\n`, text.slice(1), "", null]);
  return {
    ...(!random.oneIn(8) && { headers }),
    body,
    ...(random.oneIn(10) && { body_truncated: true }),
  };
}
