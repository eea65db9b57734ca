import fc from "fast-check";
import type { HttpRequest, Interaction } from "../../mod.ts";
import { randomFrom } from "../corpus/random.ts";
import { type Raw, rawOperations } from "../corpus/raw_description.ts";
import { oddValue } from "../corpus/sample_value.ts";
import { writeRequest } from "../corpus/write_request.ts";

/** Requests that match no operation, or not in the intended form. */
const STRAY: readonly HttpRequest[] = [
  { method: "GET", url: "http://localhost/v1/nowhere" },
  { method: "GET", url: "http://localhost/api/v2/items" },
  { method: "POST", url: "http://localhost/api/v2/items" },
  { method: "GET", url: "http://localhost:81/other/items/1/files/a.txt" },
  { method: "DELETE", url: "http://localhost/v1/items" },
  { method: "GET", url: "::" },
  { method: "POST", url: "/v1/items", body: "{", headers: { "Content-Type": "application/json" } },
  { method: "POST", url: "/v1/items", body_truncated: true },
  { method: "POST", url: "/v1/items", body: "[1]" },
  { method: "POST", url: "/v1/items", body: "a=%zz&=&a", headers: [["content-type", "text/csv"]] },
];

/** A body whose references nest too deeply to be evaluated. */
function deepBody(name: string): string {
  return `{"${name}":[`.repeat(600) + "]}".repeat(600);
}

/** Header fields with complete or partial credentials. */
const CREDENTIALS: readonly Readonly<Record<string, string>>[] = [
  { Authorization: "Bearer a1" },
  { authorization: "[Filtered]" },
  { "X-KEY": "1" },
  { "x-key": "1", cookie: "sid=1" },
];

/** Traffic for a description: valid or not, with or without times and responses. */
export function trafficTo(description: Raw): fc.Arbitrary<readonly Interaction[]> {
  const operations = rawOperations(description);
  const request = (seed: number): HttpRequest => {
    const random = randomFrom(String(seed));
    if (random.oneIn(6)) return random.pick(STRAY);
    if (random.oneIn(60)) {
      const headers = { "Content-Type": "application/json" };
      return random.oneIn(2)
        ? { method: "POST", url: "/v1/items", body: deepBody("parts"), headers }
        : { method: "PATCH", url: "/v1/items/1", body: deepBody("children"), headers };
    }
    const operation = random.pick(operations);
    const body = operation.bodies.length === 0 || random.oneIn(8)
      ? undefined
      : random.pick(operation.bodies);
    const written = writeRequest(description, operation, {
      random,
      oddness: random.pick([0, 2, 6]),
      body,
    });
    const shown = random.oneIn(4) && !Array.isArray(written.headers)
      ? { ...written, headers: { ...written.headers, ...random.pick(CREDENTIALS) } }
      : written;
    if (!random.oneIn(10) || body === undefined) return shown;
    return { ...shown, body: JSON.stringify(oddValue(random)) };
  };
  const interaction: fc.Arbitrary<Interaction> = fc.record({
    request: fc.nat().map(request),
    response: fc.option(
      fc.record({
        status_code: fc.constantFrom(200, 201, 204, 299, 400, 401, 404, 418, 500, 0),
        elapsed: fc.option(fc.double({ min: 0, max: 5, noNaN: true }), { nil: undefined }),
      }),
      { nil: undefined },
    ),
    timestamp: fc.option(fc.double({ min: 0, max: 2e9, noNaN: true }), { nil: undefined }),
    test: fc.constantFrom(undefined, undefined, "b > adds", "a > lists", "ü"),
  });
  return fc.array(interaction, { maxLength: 40, size: "max" });
}
