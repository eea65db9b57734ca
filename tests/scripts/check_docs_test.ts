import assert from "node:assert/strict";
import { runBlock } from "../../scripts/docs/run_block.ts";
import { shellBlocks } from "../../scripts/docs/shell_blocks.ts";
import { ROOT } from "../../scripts/source_files.ts";

Deno.test("shellBlocks() finds commands also in lists, and their expected output", () => {
  const page = `- A list:

  \`\`\`bash
  echo one
  \`\`\`

  <!-- prints -->

  \`\`\`
  one
  \`\`\`

\`\`\`ts
notCommands();
\`\`\`
`;
  const [block, ...more] = shellBlocks(page).blocks;
  assert.deepEqual(more, []);
  assert.deepEqual([block?.script, block?.prints?.text], ["echo one", "one"]);
  assert.equal(page.slice(block?.prints?.start, block?.prints?.end), "  one\n");
  assert.throws(() => shellBlocks("<!-- prints -->\n\n```\none\n```\n"), /line 3: .* no commands/);
});

Deno.test("shellBlocks() recognizes a page that starts in an empty folder", () => {
  assert.equal(shellBlocks("# A\n\n<!-- starts in an empty folder -->\n").startsEmpty, true);
  assert.equal(shellBlocks("# A\n\nstarts in an empty folder\n").startsEmpty, false);
});

Deno.test("runBlock() reports another exit code or other output than documented", async () => {
  const block = { line: 1, script: "echo one  \necho two >&2", code: 0 };
  const prints = { text: "one\ntwo", start: 0, end: 0 };
  assert.deepEqual(await runBlock({ ...block, prints }, ROOT, {}), { output: "one\ntwo" });
  const other = await runBlock({ ...block, prints: { ...prints, text: "two" } }, ROOT, {});
  assert.match(other.problem ?? "", /prints something else .*:\none\ntwo$/);
  const failing = await runBlock({ line: 1, script: "false\ntrue", code: 0 }, ROOT, {});
  assert.match(failing.problem ?? "", /^It ends with 1, not 0/);
  assert.equal(
    (await runBlock({ line: 1, script: "exit 3", code: 3 }, ROOT, {})).problem,
    undefined,
  );
});
