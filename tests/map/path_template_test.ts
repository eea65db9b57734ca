import assert from "node:assert/strict";
import fc from "fast-check";
import { matchTemplates, parsePathTemplate } from "../../src/map/path_template.ts";

Deno.test("a path template splits into literals, mixed segments and templates", () =>
  assert.deepEqual(parsePathTemplate("/a/{b}/{c}.{d}/x{e}y/"), {
    segments: [
      { kind: "literal", text: "a" },
      { kind: "template" },
      { kind: "mixed", texts: ["", ".", ""] },
      { kind: "mixed", texts: ["x", "y"] },
    ],
    trailingSlash: true,
    names: ["b", "c", "d", "e"],
    text: "/a/{b}/{c}.{d}/x{e}y/",
    tokens: [],
  }));

Deno.test("the root path has no segments and a trailing slash", () => {
  const root = { segments: [], trailingSlash: true, names: [], tokens: [] };
  assert.deepEqual(parsePathTemplate("/"), { ...root, text: "/" });
  assert.deepEqual(parsePathTemplate(""), { ...root, text: "" });
});

Deno.test("braces are matched before slashes, and only as pairs", () => {
  assert.deepEqual(parsePathTemplate("/v1/{name=projects/*}:run"), {
    segments: [{ kind: "literal", text: "v1" }, { kind: "mixed", texts: ["", ":run"] }],
    trailingSlash: false,
    names: ["name=projects/*"],
    text: "/v1/{name=projects/*}:run",
    tokens: [],
  });
  assert.deepEqual(parsePathTemplate("/{a{b}/c}"), {
    segments: [{ kind: "mixed", texts: ["{a", ""] }, { kind: "literal", text: "c}" }],
    trailingSlash: false,
    names: ["b"],
    text: "/{a{b}/c}",
    tokens: [],
  });
});

Deno.test("literal text of a template is split first and then percent-decoded", () =>
  assert.deepEqual(parsePathTemplate("/caf%C3%A9/a%2Fb/%zz"), {
    segments: [
      { kind: "literal", text: "café" },
      { kind: "literal", text: "a/b" },
      { kind: "literal", text: "%zz" },
    ],
    trailingSlash: false,
    names: [],
    text: "/caf%C3%A9/a%2Fb/%zz",
    tokens: [],
  }));

Deno.test("a path ends before the first ? or # outside of braces, and tokens follow it", () => {
  const showTokens = (path: string) =>
    parsePathTemplate(path).tokens.map(({ delimiter, name, value, template }) =>
      `${delimiter}${name}` + (value === undefined ? "" : `=${value}`) +
      (template === undefined ? "" : `={${template}}`)
    );
  assert.deepEqual(showTokens("/#Action=X"), ["#Action=X"]);
  assert.deepEqual(showTokens("/a?b={c}&d=1#e&f?g"), ["?b={c}", "?d=1", "#e", "#f", "?g"]);
  assert.deepEqual(showTokens("/a?b%26=%20&c=a=b&d="), ["?b&= ", "?c=a=b", "?d="]);
  assert.deepEqual(showTokens("/a?{b}=1&c=x{d}&&#"), ["?c"]);
  assert.deepEqual(showTokens("/{a?}/{b#c}"), []);
  assert.deepEqual(parsePathTemplate("/{a?}/{b#c}?d=1").names, ["a?", "b#c"]);
  assert.equal(parsePathTemplate("/{a?}/{b#c}?d={e&f}").text, "/{a?}/{b#c}");
});

Deno.test("adjacent templates don't split a surrogate pair", () => {
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
