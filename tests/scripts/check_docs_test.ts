import assert from "node:assert/strict";
import { documentationPages } from "../../scripts/check_docs.ts";
import { networkVariables } from "../../scripts/docs/clean_root.ts";
import { runBlock } from "../../scripts/docs/run_block.ts";
import { shellBlocks } from "../../scripts/docs/shell_blocks.ts";
import { FIXTURES } from "../../scripts/docs/workshop.ts";
import { serveRegistry } from "../../scripts/npm/local_registry.ts";
import { run, runOrThrow } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { writeJson } from "../in_folder.ts";

Deno.test("shellBlocks() finds commands in lists too, and the output that is shown for them", () => {
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

Deno.test("shellBlocks() knows a page that begins with nothing", () => {
  assert.equal(shellBlocks("# A\n\n<!-- starts in an empty folder -->\n").startsEmpty, true);
  assert.equal(shellBlocks("# A\n\nstarts in an empty folder\n").startsEmpty, false);
});

Deno.test("runBlock() says how commands end otherwise than a page promises, and what they print", async () => {
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

Deno.test("every fixture of the documentation is there, and so is every page", async () => {
  for (const path of Object.values(FIXTURES)) {
    assert.ok((await Deno.stat(`${ROOT}/${path}`)).isFile, path);
  }
  const pages = await documentationPages(ROOT);
  assert.ok(pages.includes("README.md") && pages.includes("docs/recording/newman.md"));
  assert.ok(!pages.includes("CONTRIBUTING.md"));
});

Deno.test("a local registry serves a package that is not published, for npm to install", async () => {
  const folder = await Deno.makeTempDir({ prefix: "covtool-registry-" });
  await Deno.mkdir(`${folder}/package`);
  const manifest = {
    name: "covtool-of-a-test",
    version: "1.2.3",
    bin: { "covtool-of-a-test": "run.js" },
  };
  await writeJson(`${folder}/package/package.json`, manifest);
  await Deno.writeTextFile(
    `${folder}/package/run.js`,
    '#!/usr/bin/env node\nconsole.log("It runs");\n',
  );
  await runOrThrow("tar", ["-czf", "package.tgz", "package"], { cwd: folder });
  const registry = await serveRegistry(`${folder}/package.tgz`);
  try {
    await Deno.mkdir(`${folder}/project`);
    const env = { npm_config_registry: registry.url, npm_config_cache: `${folder}/cache` };
    const { code, out, err } = await run("npx", ["-y", "covtool-of-a-test"], {
      cwd: `${folder}/project`,
      env,
    });
    assert.equal(code, 0, err);
    assert.equal(out, "It runs\n");
    const other = await fetch(`${registry.url}semver`, { redirect: "manual" });
    await other.body?.cancel();
    assert.equal(other.status, 307);
    assert.match(other.headers.get("location") ?? "", /\/semver$/);
  } finally {
    await registry.close();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a machine with nothing on it has of this one's variables only what leads to the network", () => {
  const env = { SSL_CERT_FILE: "/home/ada/ca.pem", https_proxy: "http://p:1", HOME: "/home/ada" };
  assert.deepEqual(networkVariables(env), {
    SSL_CERT_FILE: "/etc/ssl/certs/ca-certificates.crt",
    https_proxy: "http://p:1",
  });
});
