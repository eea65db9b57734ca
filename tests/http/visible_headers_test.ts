import assert from "node:assert/strict";
import fc from "fast-check";
import { isPrivateHeader, PUBLIC_HEADERS } from "../../src/http/private_headers.ts";
import { eitherHeaders, showsHeader, type VisibleHeaders } from "../../src/http/visible_headers.ts";

const NAMES = ["a", "b", "x-user", "x-user-id", "x-user-name", "cookie", "x-forwarded-proto"];

const names = fc.subarray(NAMES);
const patterns = fc.subarray(["a", "x-*", "x-user*", "x-user-*", "x-user-id", "cookie", "*"]);
const headers: fc.Arbitrary<VisibleHeaders> = fc.oneof(
  fc.constantFrom<VisibleHeaders>("all", "none", "public"),
  names,
  fc.record({ all_but: patterns, and: names }),
);

function shownBy(shown: VisibleHeaders): string[] {
  return NAMES.filter((name) => showsHeader(shown, name));
}

Deno.test("what either of two sources shows is what one of them shows", () => {
  fc.assert(fc.property(headers, headers, (one, other) => {
    const expected = NAMES.filter((name) => showsHeader(one, name) || showsHeader(other, name));
    assert.deepEqual(shownBy(eitherHeaders(one, other)), expected);
  }));
});

Deno.test("what several sources show is written the same, in any order and any grouping", () => {
  fc.assert(fc.property(fc.array(headers, { minLength: 1, maxLength: 5 }), (sources) => {
    const inOrder = sources.reduce(eitherHeaders, "none");
    assert.deepEqual(sources.toReversed().reduce(eitherHeaders, "none"), inOrder);
    const [first = "none", ...rest] = sources;
    assert.deepEqual(eitherHeaders(first, rest.reduce(eitherHeaders, "none")), inOrder);
    assert.deepEqual(eitherHeaders(inOrder, inOrder), inOrder);
  }));
});

Deno.test("names are compared in lower case", () => {
  assert.deepEqual(eitherHeaders({ all_but: ["Cookie", "VIA"] }, ["cookie"]), { all_but: ["via"] });
});

Deno.test("the header fields that aren't kept of logs are those that they can't show", () => {
  const { all_but, and } = PUBLIC_HEADERS;
  for (const pattern of all_but) {
    const name = pattern.replace("*", "-for");
    assert.ok(isPrivateHeader(name) && isPrivateHeader(name.toUpperCase()), name);
    assert.equal(showsHeader("public", name), false, name);
  }
  for (const name of [...and, "accept", "x-tenant", "x-api-key", "fromage"]) {
    assert.equal(isPrivateHeader(name), false, name);
    assert.equal(showsHeader("public", name), true, name);
  }
});
