import assert from "node:assert/strict";
import { gapsMarkdown } from "../../src/report/gap_list.ts";

Deno.test("a body that begins like a sentence of the list stays in its request", () => {
  const gap = { kind: "operation_uncovered", method: "POST", path: "/notes", id: "g-1" } as const;
  const suggestion = {
    request: {
      method: "POST",
      url: "$SERVER/notes",
      headers: { "Content-Type": "text/plain" },
      body: "Expect rain",
    },
    server: "$SERVER",
    path: "/notes",
    operation_id: null,
    closes: [gap],
    breaks: null,
    placeholders: ["$SERVER"],
    based_on: "examples",
    expects: ["201"],
  } as const;
  const sentence = "POST /notes: was never called";
  const listed = { gap, sentence, at: undefined, suggestion, why_not: undefined, used: undefined };
  assert.equal(
    gapsMarkdown({ schema: "api.yaml", total: 1, gaps: [listed] }),
    `1 gap, those first that closing gives most:

- **\`g-1\`** POST /notes: was never called
  \`\`\`http
  POST $SERVER/notes
  Content-Type: text/plain
  Expect rain
  \`\`\`
  Expect 201.
`,
  );
});
