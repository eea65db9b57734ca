import assert from "node:assert/strict";
import { exportProblems } from "../../scripts/check_exports.ts";

Deno.test("exports without documentation, and types that nobody can name, are named with their place", () => {
  const said = `error[missing-jsdoc]: exported symbol is missing JSDoc documentation
  --> /project/src/a.ts:3:12
  |
3 |   readonly kind: string;
  |            ^


error[private-type-ref]: public type 'A' references private type 'B'
   --> /project/mod.ts:99:1

error: Found 2 documentation lint errors.
`;
  assert.deepEqual(exportProblems(said, "/project"), [
    "src/a.ts:3:12: exported symbol is missing JSDoc documentation",
    "mod.ts:99:1: public type 'A' references private type 'B'",
  ]);
  assert.deepEqual(exportProblems("", "/project"), []);
});
