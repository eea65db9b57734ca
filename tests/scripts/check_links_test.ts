import assert from "node:assert/strict";
import { headingAnchors, linkProblems, linkTargets } from "../../scripts/check_links.ts";
import { inFolder } from "../in_folder.ts";

Deno.test("linkTargets() finds links, images and definitions outside of code", () => {
  const markdown = `[a](a.md) ![b](b.png "title") [c](<c.md>) [d](d.md#part) [wiki](w_(x).md)
<img alt="e" src="e.png">
[f]: f.md

\`[no](no.md)\`

\`\`\`md
[no](no.md)
\`\`\`
`;
  assert.deepEqual(linkTargets(markdown), [
    ...["a.md", "b.png", "c.md", "d.md#part", "w_(x).md", "f.md", "e.png"],
  ]);
});

Deno.test("headingAnchors() writes anchors like code hosts, with a number if repeated", () => {
  const headings = "# What covtool does\n## `deno task ok`, and more!\n## Notes\n### Notes\n";
  assert.deepEqual(
    [...headingAnchors(headings)],
    ["what-covtool-does", "deno-task-ok-and-more", "notes", "notes-1"],
  );
});

Deno.test("linkProblems() only reports links without a file or heading", () =>
  inFolder({}, async (root) => {
    await Deno.mkdir(`${root}/docs`);
    await Deno.writeTextFile(
      `${root}/README.md`,
      "[ok](docs/a.md) [ok](docs/a.md#part-one) [ok](#here) [ok](https://example.com/x) [ok](docs)\n" +
        "[bad](docs/b.md) [bad](docs/a.md#part-two) [bad](#there)\n\n# Here\n",
    );
    await Deno.writeTextFile(
      `${root}/docs/a.md`,
      "# Part one\n[ok](../README.md)\n[bad](README.md)\n",
    );
    assert.deepEqual(await linkProblems(root), [
      "README.md: the link docs/b.md leads to no file.",
      "README.md: the link docs/a.md#part-two leads to no heading.",
      "README.md: the link #there leads to no heading.",
      "docs/a.md: the link README.md leads to no file.",
    ]);
  }));
