import assert from "node:assert/strict";
import { ROOT } from "../../scripts/source_files.ts";

Deno.test("every action of others is pinned by the hash of a commit", () => {
  for (const path of ["action.yml", ".github/workflows/ci.yml", ".github/workflows/release.yml"]) {
    const text = Deno.readTextFileSync(`${ROOT}/${path}`);
    const used = [...text.matchAll(/\buses: (\S+)/g)].map(([, action = ""]) => action);
    const others = used.filter((action) => !action.startsWith("./"));
    assert.ok(others.length > 0, path);
    for (const action of others) assert.match(action, /@[\da-f]{40}$/, path);
  }
});

Deno.test("the container image ends with a user who is not root", () => {
  const text = Deno.readTextFileSync(`${ROOT}/Dockerfile`);
  const last = [...text.matchAll(/^USER (\S+)/gm)].at(-1)?.[1];
  assert.match(last ?? "root", /^[1-9]\d*$/);
});
