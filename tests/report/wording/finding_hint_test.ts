import assert from "node:assert/strict";
import { CoverageMap } from "../../../mod.ts";
import { findingHint } from "../../../src/report/wording/finding_hint.ts";

const SCHEMA = { type: "object", required: ["title"], properties: { title: { maxLength: 3 } } };

Deno.test("a hint says what to leave out, or what to send, for a rule that is not enforced", () => {
  const map = CoverageMap.fromDict({
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/books": {
        post: {
          parameters: [{ name: "key", in: "query", required: true, schema: {} }],
          requestBody: { required: true, content: { "application/json": { schema: SCHEMA } } },
          responses: { 201: { description: "Created" } },
        },
      },
    },
  });
  const send = (url: string, body?: string) =>
    map.record(
      {
        method: "POST",
        url,
        headers: body === undefined ? { Accept: "*/*" } : { "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body }),
      },
      { status_code: 201 },
    );
  send("/books", '{"title":"abc"}');
  send("/books?key=a");
  send("/books?key=a", "{}");
  send("/books?key=a", '{"title":"abcd"}');
  assert.deepEqual(map.findings().map((finding) => findingHint(finding, null)), [
    "To see it again, leave out only query key.",
    "To see it again, leave out only the body.",
    "To see it again, break only this rule. Leave out a required property.",
    "To see it again, break only this rule. Send an invalid value.",
  ]);
});
