import assert from "node:assert/strict";
import { SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH } from "../../src/report/html/assets.ts";
import { buildModel, type Model } from "../../src/report/html/app/model/model.ts";
import type { PageData } from "../../src/report/html/page_data.ts";
import { generateHtmlReport } from "../../src/report/html_report.ts";
import type { Report } from "../../src/report/report.ts";
import { ATTACK, sampleReport } from "../browser/sample_report.ts";
import { alone } from "./shop_report.ts";

function page(report: Report): string {
  return generateHtmlReport(alone(report, {}));
}

/** Reads the data block of a page like its script. */
async function readData(html: string): Promise<PageData> {
  const [, attributes = "", text = ""] = /<script ([^>]*id="report"[^>]*)>([^<]*)<\/script>/
    .exec(html) ?? [];
  if (!attributes.includes("gzip")) return JSON.parse(text) as PageData;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).json() as PageData;
}

function keywordRows({ operations }: Pick<Report | Model, "operations">): unknown[] {
  return operations.flatMap(({ parameters }) =>
    parameters.flatMap(({ keywords }) =>
      keywords.map(({ keyword, schema_path, valid, invalid }) => [
        keyword,
        schema_path,
        valid,
        invalid,
      ])
    )
  );
}

async function policyHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

Deno.test("generateHtmlReport() allows only its own script and style", async () => {
  const html = page(sampleReport("shop"));
  assert.equal(SCRIPT_HASH, await policyHash(SCRIPT));
  assert.equal(STYLE_HASH, await policyHash(STYLE));
  assert.ok(html.includes(`<script>${SCRIPT}</script>`));
  assert.ok(html.includes(`<style>${STYLE}</style>`));
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
  assert.ok(policy.startsWith("default-src 'none'; "));
  assert.ok(policy.includes(`script-src '${SCRIPT_HASH}';`));
  assert.ok(policy.includes(`style-src '${STYLE_HASH}';`));
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
});

Deno.test("generateHtmlReport() refers to nothing outside the file", () => {
  const html = page(sampleReport("shop"));
  const outside = html.replace(SCRIPT, "").replace(STYLE, "");
  assert.doesNotMatch(outside, /(?:src|href|action)="(?!data:)/);
  assert.doesNotMatch(STYLE, /url\(|@import/);
  assert.doesNotMatch(
    SCRIPT,
    /(?<!`await )\bfetch\(|XMLHttpRequest|WebSocket|importScripts|\beval\(|new Function/,
  );
});

Deno.test("generateHtmlReport() contains the report's operations and keywords", async () => {
  const report = sampleReport("shop");
  const data = await readData(page(report));
  assert.deepEqual(keywordRows(buildModel(data)), keywordRows(report));
  assert.deepEqual(data.summary, report.summary);
  assert.deepEqual(data.unmatched, report.unmatched);
  assert.deepEqual(data.diagnostics, report.diagnostics);
});

Deno.test("generateHtmlReport() compresses a large report completely", async () => {
  const report = sampleReport("big");
  const html = page(report);
  assert.ok(report.summary.keywords.total > 20_000);
  assert.ok(html.length < 1_200_000, `${html.length} characters`);
  assert.match(html, /data-encoding="gzip"/);
  assert.deepEqual(keywordRows(buildModel(await readData(html))), keywordRows(report));
});

Deno.test("generateHtmlReport() escapes all text of the report", async () => {
  const report = sampleReport("hostile");
  const html = page(report);
  const outside = html.replace(SCRIPT, "");
  assert.equal(outside.match(/<script/gi)?.length, 2);
  assert.equal(outside.match(/<\/script/gi)?.length, 2);
  assert.doesNotMatch(outside, /<img|<!--/i);
  const data = await readData(html);
  assert.equal(data.schema.title, ATTACK);
  assert.deepEqual(
    data.operations.map(({ path }) => path),
    report.operations.map(({ path }) => path),
  );
});

Deno.test("generateHtmlReport() escapes control and bidirectional characters in the part without script", () => {
  const sample = sampleReport("shop");
  const text = "/a\u0000\u001b[31m\u202eb";
  const operations = sample.operations.map((operation) => ({ ...operation, path: text }));
  const html = page({ ...sample, title: text, operations });
  const main = html.slice(html.indexOf("<main"), html.indexOf("</main>"));
  assert.ok(main.includes("<h1>/a\\u0000\\u001b[31m\\u202eb</h1>"));
  assert.ok(!["\0", "\u001b", "\u202e"].some((raw) => main.includes(raw)));
  assert.ok(main.split("/a\\u0000").length > operations.length);
});

Deno.test("generateHtmlReport() shows the five dimensions without script", () => {
  const html = page(sampleReport("shop"));
  assert.ok(
    html.includes(`<th scope="row">Operations</th><td>62.5%</td><td>10 of 16 called</td>`),
  );
  const unmeasured = sampleReport("shop");
  const { summary } = unmeasured;
  const responses = { ...summary.responses, seen: 0, percent: null, measured: false };
  const unmeasuredPage = page({ ...unmeasured, summary: { ...summary, responses } });
  assert.ok(unmeasuredPage.includes(`<th scope="row">Responses</th><td>–</td><td>not measured`));
});

Deno.test("generateHtmlReport() uses the report's title as the page's", () => {
  const html = page({ ...sampleReport("shop"), title: "A & B <nightly>" });
  assert.ok(html.includes("<title>A &amp; B &lt;nightly&gt; · API coverage</title>"));
});
