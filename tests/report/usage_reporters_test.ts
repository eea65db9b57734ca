import assert from "node:assert/strict";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { STYLE, STYLE_HASH } from "../../src/report/html/assets.ts";
import { generateUsageHtmlReport } from "../../src/report/usage/usage_html_report.ts";
import type { UsageReport } from "../../src/report/usage/usage_report.ts";
import { USAGE_REPORTERS, type UsageFormat } from "../../src/report/usage/usage_reporters.ts";
import { assertGolden } from "./assert_golden.ts";
import { compare, PRODUCTION, send, type Sent, TESTS } from "./usage_sample.ts";

const ATTACK = `<script>alert(1)</script>"'><img src=x onerror=alert(1)> | \`x\` @all \u001b[31m`;

/** A comparison in which every text is hostile. */
function hostileReport(): UsageReport {
  const parameter = { name: ATTACK, in: "query", schema: { enum: [ATTACK] } };
  const description = {
    openapi: "3.1.0",
    info: { title: ATTACK, version: ATTACK },
    paths: {
      [`/${ATTACK}`]: { get: { parameters: [parameter], responses: { 200: {}, [ATTACK]: {} } } },
      "/used": { get: { parameters: [parameter] } },
    },
  };
  const value = encodeURIComponent(ATTACK);
  const both: Sent = [1, "GET /used", 200];
  const production: Sent[] = [
    both,
    [1, `GET /used?${value}=${value}`, 200],
    [1, `GET /${value}`, 200],
    [1, `GET /unknown/${value}`, 200],
    [1, "POST /used", 200, { headers: { "content-type": ATTACK }, body: "x" }],
  ];
  return send([both], description).compareUsage(send(production, description));
}

function written(format: UsageFormat, report: UsageReport, width = 80): string {
  const reporter = USAGE_REPORTERS.find(({ name }) => name === format);
  assert.ok(reporter !== undefined);
  return [...reporter.write(report, { width, colored: false })].join("");
}

function writeText(report: UsageReport, width = 80): string {
  return written("text", report, width);
}

for (const { name, file } of USAGE_REPORTERS) {
  Deno.test(`the ${name} report of a comparison equals ${file} in tests/fixtures/golden_usage`, async () => {
    const text = written(name, compare(TESTS, PRODUCTION));
    await assertGolden(`tests/fixtures/golden_usage/${file}`, text);
  });
}

Deno.test("long lists in the text are cut, and no line is wider than the terminal", () => {
  const report = compare(TESTS, PRODUCTION);
  const [first] = report.untested;
  assert.ok(first !== undefined);
  const many = { ...report, untested: Array.from({ length: 25 }, () => first) };
  assert.match(writeText(many), /\n… and 5 more\n/);
  for (const width of [40, 63, 80, 140]) {
    for (const line of writeText(many, width).split("\n")) assert.ok(line.length <= width, line);
  }
});

Deno.test("a comparison without differences says so", () => {
  const text = writeText(compare(TESTS, TESTS));
  assert.match(text, /Used, not tested: 0\n {2}Tests exercise everything that production uses\.\n/);
  assert.match(text, /Tested, not used: 0\n {2}Production uses everything that tests exercise\.\n/);
  assert.match(written("markdown", compare(TESTS, TESTS)), /: 0\*\*\n\nTests exercise everything/);
});

Deno.test("every format for people shows what is not measured", () => {
  const report: UsageReport = {
    ...compare(TESTS, PRODUCTION),
    not_measured: [{ side: "production", part: "request_headers" }, {
      side: "production",
      part: "request_body",
    }],
  };
  const sentence =
    /Not measured: production(?:'|&#39;)s traffic doesn(?:'|&#39;)t show request headers or request bodies\./;
  assert.match(writeText(report, 140), sentence);
  assert.match(written("markdown", report), sentence);
  assert.match(generateUsageHtmlReport(report), sentence);
});

Deno.test("the page allows only its own style, and has no script", async () => {
  const html = generateUsageHtmlReport(compare(TESTS, PRODUCTION));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(STYLE));
  assert.equal(STYLE_HASH, `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`);
  assert.ok(html.includes(`<style>${STYLE}</style>`));
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
  assert.equal(
    policy,
    `default-src 'none'; style-src '${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  const rest = html.replace(STYLE, "");
  assert.doesNotMatch(rest, /<script|style="| on\w+="/);
  assert.doesNotMatch(rest, /(?:src|href)="(?!data:|#)/);
});

Deno.test("the page has a row for each difference, and further rows in a collapsed part", () => {
  const report = compare(TESTS, PRODUCTION);
  const [first] = report.untested;
  assert.ok(first !== undefined);
  const many = { ...report, untested: Array.from({ length: 60 }, () => first) };
  const html = generateUsageHtmlReport(many);
  const section = /<section id="untested"[\s\S]*?<\/section>/.exec(html)?.[0] ?? "";
  assert.equal(section.match(/<tr><th scope="row">/g)?.length, 60);
  assert.match(section, /<summary>10 more<\/summary>/);
});

Deno.test("hostile descriptions and traffic are harmless in every format", () => {
  const report = hostileReport();
  assert.ok(report.untested.length > 0 && report.undocumented.length > 0);
  const html = generateUsageHtmlReport(report);
  assert.doesNotMatch(html, /<script|<img/);
  const markdown = micromark(written("markdown", report), {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  assert.doesNotMatch(markdown, /<script|<img|<a /);
  for (const text of [html, markdown, writeText(report)]) assert.ok(!text.includes("\u001b"));
});
