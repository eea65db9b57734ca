import assert from "node:assert/strict";
import { shownCommand, withExcerpt } from "../../scripts/readme_excerpt.ts";

const README = `
npx -y deno@2.9.6 task test
npx -y deno@2.9.6 run -A cli.ts report a.yaml b.json --format text

<!-- printed by the command above -->

\`\`\`
old
\`\`\`

\`\`\`
other
\`\`\`
`;

Deno.test("shownCommand() finds the command that prints a text report", () => {
  assert.deepEqual(
    shownCommand(README),
    ["run", "-A", "cli.ts", "report", "a.yaml", "b.json", "--format", "text"],
  );
  assert.deepEqual(shownCommand("npx -y deno@2.9.6 task demo\n"), ["task", "demo"]);
  assert.equal(shownCommand("npx -y deno@2.9.6 task test\n"), undefined);
});

Deno.test("withExcerpt() replaces only the output of the command", () => {
  assert.equal(withExcerpt(README, "new $& $1\n"), README.replace("old\n", () => "new $& $1\n"));
  assert.equal(withExcerpt(README, "old\n"), README);
  assert.equal(withExcerpt("no place", "new\n"), undefined);
});
