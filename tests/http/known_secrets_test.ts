import assert from "node:assert/strict";
import { knownSecrets, setKnownSecrets } from "../../src/http/interaction.ts";

Deno.test("knownSecrets() returns the secrets that were noted for a request", () => {
  const request = { method: "GET", url: "/" };
  const other = { method: "GET", url: "/" };
  const secrets = ["swordfish"];
  setKnownSecrets(request, secrets);
  setKnownSecrets(other, []);
  assert.equal(knownSecrets(request), secrets);
  assert.equal(knownSecrets(other), undefined);
});
