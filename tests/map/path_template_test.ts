import assert from "node:assert/strict";
import fc from "fast-check";
import { matchTemplates, parsePathTemplate } from "../../src/map/path_template.ts";

Deno.test("a path template splits into literals, mixed segments and templates", () => {
  assert.deepEqual(parsePathTemplate("/a/{b}/{c}.{d}/x{e}y/"), {
    segments: [
      { kind: "literal", text: "a" },
      { kind: "template" },
      { kind: "mixed", texts: ["", ".", ""] },
      { kind: "mixed", texts: ["x", "y"] },
    ],
    trailingSlash: true,
    names: ["b", "c", "d", "e"],
  });
});

Deno.test("the root path has no segments and a trailing slash", () => {
  const root = { segments: [], trailingSlash: true, names: [] };
  assert.deepEqual(parsePathTemplate("/"), root);
  assert.deepEqual(parsePathTemplate(""), root);
});

Deno.test("braces come before slashes, and only pairs of them count", () => {
  assert.deepEqual(parsePathTemplate("/v1/{name=projects/*}:run"), {
    segments: [{ kind: "literal", text: "v1" }, { kind: "mixed", texts: ["", ":run"] }],
    trailingSlash: false,
    names: ["name=projects/*"],
  });
  assert.deepEqual(parsePathTemplate("/{a{b}/c}"), {
    segments: [{ kind: "mixed", texts: ["{a", ""] }, { kind: "literal", text: "c}" }],
    trailingSlash: false,
    names: ["b"],
  });
});

Deno.test("literal text of a template is percent-decoded after splitting", () => {
  assert.deepEqual(parsePathTemplate("/caf%C3%A9/a%2Fb/%zz"), {
    segments: [
      { kind: "literal", text: "café" },
      { kind: "literal", text: "a/b" },
      { kind: "literal", text: "%zz" },
    ],
    trailingSlash: false,
    names: [],
  });
});

Deno.test("a template that no path can match is null, unless the query is only in a name", () => {
  assert.equal(parsePathTemplate("/#Action=X"), null);
  assert.equal(parsePathTemplate("/a?b={c}"), null);
  assert.deepEqual(parsePathTemplate("/{a?}")?.names, ["a?"]);
});

Deno.test("templates inside text are captured greedily, the first one most", () => {
  assert.deepEqual(matchTemplates(["", ".", ""], "a.b.c"), [0, 3, 4, 5]);
  assert.deepEqual(matchTemplates(["", ".", ""], ".a."), null);
  assert.deepEqual(matchTemplates(["", ".", ""], "..."), [0, 1, 2, 3]);
  assert.deepEqual(matchTemplates(["", "", ""], "abc"), [0, 2, 2, 3]);
  assert.deepEqual(matchTemplates(["", "", ""], "a"), null);
  assert.deepEqual(matchTemplates(["ab", "bc"], "abc"), null);
});

Deno.test("templates side by side do not tear a character apart", () => {
  assert.deepEqual(matchTemplates(["", "", ""], "a😀"), [0, 1, 1, 3]);
  assert.deepEqual(matchTemplates(["", "", ""], "😀"), null);
});

Deno.test("templates inside text match what a greedy regular expression matches", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 2 });
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 2, maxLength: 5 }),
      fc.string({ unit: fc.constantFrom("a", "b", "."), maxLength: 12 }),
      (texts, value) => {
        const pattern = texts.map((part) => part.replaceAll(".", "\\.")).join("(.+)");
        const wanted = new RegExp(`^${pattern}$`).exec(value)?.slice(1) ?? null;
        const bounds = matchTemplates(texts, value);
        const found = bounds === null
          ? null
          : texts.slice(1).map((_, index) => value.slice(bounds[2 * index], bounds[2 * index + 1]));
        assert.deepEqual(found, wanted);
      },
    ),
    { numRuns: 2000 },
  );
});
