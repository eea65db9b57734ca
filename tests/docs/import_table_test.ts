import assert from "node:assert/strict";
import { RULES } from "../../scripts/check_imports.ts";
import { ROOT } from "../../scripts/source_files.ts";

const ARCHITECTURE = await Deno.readTextFile(`${ROOT}/docs/architecture.md`);

Deno.test("docs/architecture.md has the same import table as the check", () => {
  const rows = [...ARCHITECTURE.matchAll(/^\| `(src\/[\w/]+)` +\| [^|]+ \| ([^|]+?) +\|$/gm)];
  const documented = rows.map(([, folder = "", imports = ""]) => [
    `${folder}/`,
    [...imports.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  ]);
  const checked = RULES.filter(({ part }) => part.endsWith("/")).map(({ part, allowed }) => [
    part,
    allowed.map((path) => path.replace(/^src\//, "").replace(/\/$/, "")),
  ]);
  assert.deepEqual(documented, checked);
});
