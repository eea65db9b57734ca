// Runs the loop in docs/agents.md on the bookshop.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { run } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { PYTHON, pythonHas, withProgram } from "../recorders/python_project.ts";
import { BOOKSHOP_MODULES, startBookshop } from "../bookshop_server.ts";
import { commandWorks, needing } from "../requirement.ts";

const SHOP = `${ROOT}/examples/bookshop`;
const MODULES = `${BOOKSHOP_MODULES}, pytest, requests`;

Deno.test({
  ...needing({
    isMet: pythonHas(MODULES) && await commandWorks("jq", ["--version"]),
    reason: `no jq, or no Python with ${MODULES}; install them, or set PYTHON`,
  }, "the loop of docs/agents.md closes the gaps of the bookshop, and verify agrees"),
  async fn() {
    const page = await Deno.readTextFile(`${ROOT}/docs/agents.md`);
    const loop = /<!-- run by .*agents_test\.ts -->\n\n```sh\n([^`]*)```/.exec(page)?.[1] ?? "";
    await using shop = await startBookshop();
    await withProgram(async (variables, folder) => {
      await Deno.mkdir(`${folder}/traffic`);
      await Deno.copyFile(`${SHOP}/openapi.yaml`, `${folder}/openapi.yaml`);
      await Deno.copyFile(`${SHOP}/traffic.json`, `${folder}/traffic/tests.json`);
      const { out, err } = await run("sh", ["-c", loop], {
        cwd: folder,
        env: {
          ...variables,
          PATH: `${folder}:${dirname(PYTHON)}:${Deno.env.get("PATH")}`,
          API_URL: `${shop.origin}/api/v1`,
          COVTOOL_AUTH_BEARER_AUTH: "token",
          PYTHONDONTWRITEBYTECODE: "1",
          NO_COLOR: "1",
        },
      });
      const report = JSON.parse(await Deno.readTextFile(`${folder}/coverage.json`));
      assert.ok(report.summary.keywords.percent >= 95, out + err);
      // If no test was left out, all requested gaps are closed.
      const verdicts = [...out.matchAll(/^g-\w{8} {2}(\w+)$/gm)].map(([, state]) => state);
      assert.ok(verdicts.length > 100, out);
      const open = verdicts.filter((state) => state !== "closed").length;
      assert.ok(open <= verdicts.length / 20, `${open} of ${verdicts.length} gaps stay open`);
      const rounds = [...out.matchAll(/(\d+) passed/g)].map(([, passed]) => Number(passed));
      assert.ok(rounds.reduce((sum, passed) => sum + passed, 0) > 50, out);
    });
  },
});
