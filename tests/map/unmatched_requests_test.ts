import assert from "node:assert/strict";
import fc from "fast-check";
import type { UnmatchedReason } from "../../src/map/results.ts";
import {
  MAX_UNMATCHED,
  UnmatchedRequests,
  type UnmatchedState,
} from "../../src/map/unmatched_requests.ts";

type Event = [string, string, string, UnmatchedReason, number | null];

function recorded(events: readonly Event[]): UnmatchedRequests {
  const unmatched = new UnmatchedRequests();
  for (const event of events) unmatched.add(...event);
  return unmatched;
}

function merged(states: readonly UnmatchedState[]): UnmatchedRequests {
  const unmatched = new UnmatchedRequests();
  for (const state of states) unmatched.merge(state);
  return unmatched;
}

Deno.test("unmatched requests are counted by method, host, path and reason, in order", () => {
  const unmatched = recorded([
    ["POST", "h", "/b", "no_matching_path", null],
    ["GET", "h", "/b", "no_matching_path", 20],
    ["GET", "h", "/b", "no_matching_path", 10.5],
    ["GET", "h", "/b", "no_matching_path", null],
    ["GET", "h", "/a", "no_matching_path", 5],
    ["GET", "g", "/b", "outside_base_path", 7],
    ["GET", "h", "/b", "outside_base_path", 8],
  ]);
  assert.equal(unmatched.total, 7);
  assert.deepEqual(
    unmatched.list().map((request) => Object.values(request)),
    [
      ["GET", "h", "/a", "no_matching_path", 1, 5],
      ["GET", "g", "/b", "outside_base_path", 1, 7],
      ["GET", "h", "/b", "no_matching_path", 3, 10.5],
      ["GET", "h", "/b", "outside_base_path", 1, 8],
      ["POST", "h", "/b", "no_matching_path", 1, null],
    ],
  );
});

Deno.test("a known time replaces an unknown one", () => {
  const unmatched = recorded([
    ["GET", "", "/a", "no_matching_path", null],
    ["GET", "", "/a", "no_matching_path", 3],
  ]);
  assert.equal(unmatched.list()[0]?.first_at, 3);
});

Deno.test("requests whose parts join to the same text are told apart", () => {
  const unmatched = recorded([
    ["GET", "a", "b/c", "invalid_url", null],
    ["GET", "ab", "/c", "invalid_url", null],
    ["GETa", "", "b/c", "invalid_url", null],
  ]);
  assert.equal(unmatched.list().length, 3);
});

Deno.test("paths with ids don't push out those without, in any split of the traffic", () => {
  const ids = Array.from({ length: 3000 }, (_, index): Event => [
    "GET",
    "h",
    `/a/${index}/x`,
    "no_matching_path",
    null,
  ]);
  const health: Event = ["GET", "h", "/zzz/health", "no_matching_path", null];
  const whole = recorded([...ids, health]).list();
  assert.equal(whole.length, MAX_UNMATCHED);
  assert.equal(whole.at(-1)?.path, "/zzz/health");
  const parts = [recorded([health]).export(), recorded(ids).export()];
  assert.deepEqual(merged(parts).list(), whole);
  assert.deepEqual(merged([...parts].reverse()).list(), whole);
});

Deno.test("the 1,000 smallest requests are kept, with a total of all requests", () => {
  const events = Array.from({ length: 5000 }, (_, index): Event => {
    const path = `/p${String((index * 7919) % 5000).padStart(4, "0")}`;
    return ["GET", "h", path, "no_matching_path", index];
  });
  const unmatched = recorded([...events, ...events]);
  const list = unmatched.list();
  assert.equal(unmatched.total, 10000);
  assert.equal(list.length, MAX_UNMATCHED);
  assert.deepEqual(list.map((request) => request.path), [
    ...Array.from({ length: 1000 }, (_, index) => `/p${String(index).padStart(4, "0")}`),
  ]);
  assert.ok(list.every((request) => request.count === 2));
});

Deno.test("exported state doesn't change with the map", () => {
  const unmatched = recorded([["GET", "h", "/a", "no_matching_path", 1]]);
  const state = unmatched.export();
  unmatched.add("GET", "h", "/a", "no_matching_path", 0);
  assert.deepEqual(JSON.parse(JSON.stringify(state)), state);
  assert.equal(state.requests[0]?.count, 1);
  const other = merged([state]);
  other.add("GET", "h", "/a", "no_matching_path", 0);
  assert.equal(state.requests[0]?.count, 1);
});

Deno.test("unmatched requests are equal in any order, and split and merged in any way", () => {
  // Enough paths to exceed the limit, so that parts drop requests which others keep. Ids are half, and sort last.
  const path = fc.tuple(fc.integer({ min: 0, max: 900 }), fc.constantFrom("", "x"))
    .map(([number, letter]) => `/${number}${letter}`);
  const event = fc.tuple(
    fc.constantFrom("GET", "PUT"),
    fc.constantFrom("h", "g"),
    path,
    fc.constantFrom<UnmatchedReason>("no_matching_path", "method_not_documented"),
    fc.option(fc.integer({ min: 0, max: 9 })),
  );
  const events = fc.array(event, { minLength: 2500, maxLength: 6000, size: "max" });
  fc.assert(
    fc.property(events, fc.infiniteStream(fc.nat({ max: 2 })), (given, places) => {
      const parts: [Event[], Event[], Event[]] = [[], [], []];
      for (const one of given) (parts[places.next().value ?? 0] ?? parts[0]).unshift(one);
      const [a, b, c] = [recorded(parts[0]), recorded(parts[1]), recorded(parts[2])];
      const whole = recorded(given).export();
      const [x, y, z] = [a.export(), b.export(), c.export()];
      assert.deepEqual(merged([x, y, z]).export(), whole);
      assert.deepEqual(merged([z, merged([y, x]).export()]).export(), whole);
      assert.deepEqual(merged([merged([x, z]).export(), y]).export(), whole);
    }),
    // Shrinking a failure of thousands of events would take minutes.
    { numRuns: 15, endOnFailure: true },
  );
});
