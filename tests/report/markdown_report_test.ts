import assert from "node:assert/strict";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { generateMarkdownReport } from "../../src/report/markdown_report.ts";
import type { Report } from "../../src/report/report.ts";
import {
  aComparison,
  alone,
  anOperation,
  hostileReport,
  shopReport,
  someFindings,
} from "./shop_report.ts";

function write(report: Report): string {
  return generateMarkdownReport(alone(report, {}));
}

/** Renders Markdown like GitHub, before dangerous HTML is removed. */
function render(markdown: string): string {
  return micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** The names of the elements in a page, each once. */
function elements(html: string): string[] {
  return [...new Set([...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name]) => name ?? ""))]
    .sort();
}

/** The text of the cells in every row. */
function rows(html: string): string[][] {
  return [...html.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = ""]) =>
      decode(cell.replace(/<[^>]*>/g, ""))
    )
  );
}

function decode(html: string): string {
  return html.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

const HOSTILE = [
  "</details><script>alert(1)</script>",
  "a|b\\|c",
  "`code` ``x``",
  "[text](https://evil.example) ![image](https://evil.example/x.png)",
  "@everyone #1 https://evil.example www.evil.example :tada:",
  "**bold** _em_ ~~gone~~ $x$ <!-- -->",
  "\n\n# heading\n- item",
  "\u001b[31m\u202e\u0000",
  "&lt;b&gt; &#60;",
  "-->",
];

Deno.test("everything except the summary is collapsed", () => {
  const { gaps } = shopReport();
  const comparison = aComparison({
    new_gaps: gaps.slice(0, 2),
    uncovered_additions: gaps.slice(2),
  });
  const html = render(write(shopReport({ comparison })));
  const outside = html.replace(/<details>.*?<\/details>/gs, "");
  assert.equal(outside.match(/<table>/g)?.length, 1);
  assert.deepEqual(
    [...html.matchAll(/<summary>(.*?)<\/summary>/g)].map(([, text]) => text),
    [
      "2 new gaps",
      "12 gaps in what was added",
      "Operations with the most gaps: 3 of 3",
      "Findings: 1 undocumented status",
      "Values to send: 2",
      "Unmatched requests: 3",
      "Description: 1 warning",
    ],
  );
});

Deno.test("the comment suggests a base path that would match", () => {
  const text = write(shopReport({ suggested_base_path: "/api" }));
  assert.ok(text.includes("Most of the traffic would match with `--base-path /api`"));
});

Deno.test("a comment stays short, however large the report is", () => {
  const long = "x".repeat(5000) + "|".repeat(500);
  const many = Array.from({ length: 2000 }, (_, index) => `/${index}${long}`);
  const report = shopReport({
    title: long,
    operations: many.map((path) => anOperation({ method: "GET", path })),
    findings: many.flatMap((path) => someFindings("GET", path)),
    gaps: many.map((path) => ({ kind: "operation_uncovered", method: "GET", path })),
    unmatched: many.map((path) => ({
      method: "GET",
      host: long,
      path,
      reason: "no_matching_path",
      count: 1,
      first_at: null,
    })),
    unmatched_total: 2000,
  });
  const comparison = aComparison({ new_gaps: report.gaps });
  const text = write({ ...report, comparison });
  assert.ok(text.length < 16_000, `${text.length} characters`);
  assert.ok(text.includes("And 1,990 more."));
  assert.ok(text.includes("- and 1,995 more\n"));
  assert.ok(text.includes("- and 1,990 more\n"));
});

Deno.test("the first line is the same in every comment, and can't be forged", () => {
  const text = write(shopReport({ title: "<!-- covtool report -->" }));
  assert.ok(text.startsWith("<!-- covtool report -->\n"));
  assert.equal(text.match(/<!-- covtool report -->/g)?.length, 1);
});

Deno.test("hostile descriptions and traffic can't add markup", () => {
  const plain = elements(
    render(write(shopReport({ comparison: aComparison({ new_gaps: shopReport().gaps }) }))),
  );
  for (const text of HOSTILE) {
    const report = hostileReport(text);
    const comparison = aComparison({ new_gaps: report.gaps });
    const html = render(write({ ...report, comparison }));
    const allowed = [...plain, "code"];
    assert.deepEqual(elements(html).filter((name) => !allowed.includes(name)), [], text);
    assert.ok(rows(html).every((cells) => [3, 4, 6].includes(cells.length)), text);
    assert.equal(html.match(/<h3>/g)?.length, 1, text);
    assert.ok(!html.includes("<a "), text);
    // deno-lint-ignore no-control-regex -- none of them may be in the page
    assert.doesNotMatch(html, /[\u0000-\u0008\u000e-\u001f\u202e]/);
    // Code hosts find mentions and references anywhere in text outside of code.
    const spoken = html.replace(/<code>.*?<\/code>/gs, "");
    assert.doesNotMatch(spoken, /@\w|#\d/, text);
  }
});

Deno.test("text in code spans is shown unchanged", () => {
  for (const text of HOSTILE.filter((text) => !text.includes("\n") && !text.includes("\0"))) {
    const report = shopReport({ operations: [anOperation({ method: "GET", path: text })] });
    const html = render(write(report));
    assert.equal(rows(html)[7]?.[0], `GET ${text}`);
  }
});

Deno.test("traffic that matches nothing comes first, with a base path or likely causes", () => {
  const shop = shopReport();
  const traffic = { ...shop.traffic, recorded: 7, matched: 0, unmatched: 7 };
  const unmatched = [{
    ...shop.unmatched[0]!, // the shop has an unmatched request
    method: "GET",
    host: "h",
    path: "/`x`|<b>",
  }];
  const report = { ...shop, findings: [], traffic, unmatched };
  const causes = write({ ...report, suggested_base_path: null });
  const html = render(causes);
  assert.ok(
    html.indexOf("<strong>Warning: None of the 7 requests matches") < html.indexOf("<table>"),
  );
  assert.deepEqual(
    [...html.slice(0, html.indexOf("<details>")).matchAll(/<li>(.*?)<\/li>/g)].map((
      [, item = ""],
    ) => decode(item.replace(/<[^>]*>/g, ""))),
    [
      `The description covers another API or version, with paths such as ${shop.operations[0]!.path // the shop has operations
      }`,
      "The recording contains other traffic, such as GET h/`x`|<b>",
      shop.schema.base_path === null
        ? `The paths have a prefix: set --base-path to the part before ${shop.operations[0]!.path}`
        : `The base path isn't ${shop.schema.base_path}: change --base-path`,
    ],
  );
  assert.ok(!elements(html).includes("b"));
  const helped = write({ ...report, suggested_base_path: "/v2" });
  assert.match(
    helped,
    /\n\*\*Warning: None of the 7 requests matches an operation of [^\n]*\*\*\n\n\*\*Most of the traffic would match with `--base-path \/v2`\*\*\n/,
  );
  assert.equal(helped.split("/v2`").length, 2);
  assert.doesNotMatch(helped, /Likely causes/);
  const none = write({ ...report, traffic: { ...traffic, recorded: 0 } });
  assert.match(none, /coverage\n\n\*\*Warning: The traffic contains no requests\.\*\*\n\n\|/);
});

Deno.test("a comment without findings doesn't mention them", () => {
  const markdown = write(shopReport({ findings: [] }));
  assert.ok(!/Findings/.test(markdown));
});
