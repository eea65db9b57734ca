import assert from "node:assert/strict";
import { openWarning } from "../../src/cli/proxy_banner.ts";

Deno.test("where others reach the proxy it says what it listens on, and that they can use it", () => {
  for (const host of [undefined, "localhost", "127.0.0.1", "127.1.2.3", "::1"]) {
    assert.equal(openWarning(host, 8080), undefined);
  }
  for (const host of ["0.0.0.0", "::"]) {
    assert.match(
      openWarning(host, 8080) ?? "",
      /listens on port 8080 of all network interfaces.*send requests through/,
    );
  }
  assert.match(openWarning("192.168.0.7", 81) ?? "", /listens on 192\.168\.0\.7, port 81\./);
  assert.notEqual(openWarning("127.0.0.1.example", 81), undefined);
});
