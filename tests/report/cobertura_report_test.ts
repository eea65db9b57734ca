import assert from "node:assert/strict";
import { generateCoberturaReport } from "../../src/report/cobertura_report.ts";
import type { SourceCoverage, SourceFile } from "../../src/report/source/source_coverage.ts";
import { shopReport } from "./shop_report.ts";
import { withSourceShop } from "./source_shop.ts";
import { assertRules, elementsIn, readXml, type XmlElement, type XmlRule } from "./xml_tree.ts";

/** Rules of version 04 of Cobertura's DTD. */
const RULES: Readonly<Record<string, XmlRule>> = {
  coverage: {
    children: "(sources )?packages ",
    required: [
      ...["line-rate", "branch-rate", "lines-covered", "lines-valid", "branches-covered"],
      ...["branches-valid", "complexity", "version", "timestamp"],
    ],
  },
  sources: { children: "(source )*", required: [] },
  source: { children: "", required: [], text: true },
  packages: { children: "(package )*", required: [] },
  package: { children: "classes ", required: ["name", "line-rate", "branch-rate", "complexity"] },
  classes: { children: "(class )*", required: [] },
  class: {
    children: "methods lines ",
    required: ["name", "filename", "line-rate", "branch-rate", "complexity"],
  },
  methods: { children: "(method )*", required: [] },
  method: {
    children: "lines ",
    required: ["name", "signature", "line-rate", "branch-rate", "complexity"],
  },
  lines: { children: "(line )*", required: [] },
  line: {
    children: "(conditions )*",
    required: ["number", "hits"],
    optional: ["branch", "condition-coverage"],
  },
  conditions: { children: "(condition )*", required: [] },
  condition: { children: "", required: ["number", "type", "coverage"] },
};

function coverage(files: readonly SourceFile[]): SourceCoverage {
  return { files, positions: new Map(), operations: [] };
}

function write(files: readonly SourceFile[]): XmlElement {
  return readXml([...generateCoberturaReport(shopReport(), coverage(files))].join(""));
}

Deno.test("the Cobertura report conforms to Cobertura's DTD", async () => {
  await withSourceShop((map) => {
    assertRules(readXml(map.generateReport({ format: "cobertura" })), RULES);
  });
  assertRules(write([]), RULES);
});

Deno.test("a file is a class, a folder a package, an operation a method", () =>
  withSourceShop((map, folder) => {
    const xml = readXml(map.generateReport({ format: "cobertura" }));
    assert.deepEqual(elementsIn(xml, "package").map(({ attributes }) => attributes["name"]), [
      folder,
      `${folder}/common`,
    ]);
    const [entry, book] = elementsIn(xml, "class");
    assert.equal(entry?.attributes["filename"], `${folder}/openapi.yaml`);
    assert.equal(book?.attributes["name"], "book.json");
    assert.deepEqual(
      elementsIn(xml, "method").map(({ attributes, children }) => [
        attributes["name"],
        attributes["line-rate"],
        children[0]?.children[0]?.attributes["number"],
      ]),
      [["GET /books", "1", "7"], ["POST /books", "0", "20"], ["DELETE /books/{id}", "0", "28"]],
    );
  }));

Deno.test("branch coverage of a line is 0% or 100% only if that is exact", () => {
  const keyword = (invalid: number) =>
    ({ kind: "keyword", line: 1, column: 1, hits: 1, evaluations: { valid: 1, invalid } }) as const;
  const marks = [keyword(0), ...Array.from({ length: 150 }, () => keyword(1))];
  const [line] = elementsIn(write([{ path: "a.json", marks, operations: [] }]), "line");
  assert.equal(line?.attributes["condition-coverage"], "99% (301/302)");
});

Deno.test("hostile names stay within their attribute, and control characters are escaped", () => {
  const name = `GET /"><evil/>&amp;]]>\u0000\u001b[31m\uffff\ud800`;
  const xml = write([{
    path: `a/"<b>'&\n.yaml`,
    marks: [{ kind: "operation", line: 1, column: 1, hits: 0, evaluations: null }],
    operations: [{ name, line: 1, hits: 0 }],
  }]);
  assertRules(xml, RULES);
  assert.equal(
    elementsIn(xml, "method")[0]?.attributes["name"],
    `GET /"><evil/>&amp;]]>\\u0000\\u001b[31m\\uffff\\ud800`,
  );
  assert.equal(elementsIn(xml, "class")[0]?.attributes["filename"], `a/"<b>'&\\n.yaml`);
});
