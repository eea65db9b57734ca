import assert from "node:assert/strict";
import { parseHostAndPort } from "../../src/http/host_and_port.ts";

Deno.test("parseHostAndPort() reads authorities with and without ports, brackets and credentials", () => {
  assert.deepEqual(parseHostAndPort("u:p@[::1]:1", 80), { host: "::1", port: 1 });
  assert.deepEqual(parseHostAndPort("[fe80::1%25eth0]", 80), { host: "fe80::1", port: 80 });
  assert.deepEqual(parseHostAndPort("h:", 80), { host: "h", port: 80 });
  for (const wrong of ["", "h:0", "h:70000", "a b", "h:x", "[::1"]) {
    assert.equal(parseHostAndPort(wrong, 80), undefined, wrong);
  }
});
