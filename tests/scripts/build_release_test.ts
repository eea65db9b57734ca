import assert from "node:assert/strict";
import { checksumLine, reasonOf, TARGETS } from "../../scripts/build_release.ts";

Deno.test("a release has programs for five kinds of machines, none with the name of another", () => {
  assert.equal(Object.keys(TARGETS).length, 5);
  assert.equal(new Set(Object.values(TARGETS)).size, 5);
  for (const [target, name] of Object.entries(TARGETS)) {
    assert.equal(name.endsWith(".exe"), target.includes("windows"));
  }
});

Deno.test("checksums are written as sha256sum reads them", async () => {
  const line = await checksumLine("covtool-linux-x64", new TextEncoder().encode("abc"));
  assert.equal(
    line,
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  covtool-linux-x64\n",
  );
});

Deno.test("what could not be built has the first error as its reason", () => {
  const causes = "Caused by:\n    0: Setting up base binary.\n    1: error sending request";
  assert.equal(
    reasonOf(`\n${causes}\n\nStack backtrace:\n   0: <unknown>`),
    "error sending request",
  );
  assert.equal(reasonOf("Nothing\nworks\n"), "Nothing");
});
