import assert from "node:assert/strict";
import { parseReverseUpstream, resolveTarget } from "../../src/proxy/target.ts";

Deno.test("resolveTarget() finds the server in the target or the mode, and keeps the path byte for byte", () => {
  const any = { kind: "forward" } as const;
  assert.equal(resolveTarget(any, "http://H:81?x=1#f")?.path, "/?x=1");
  assert.equal(resolveTarget(any, "HTTP://[::1]/a")?.url, "http://[::1]/a");
  assert.equal(resolveTarget(any, "https://h/a")?.port, 443);
  assert.equal(resolveTarget(any, "http://u:p@h/a")?.url, "http://h/a");
  assert.equal(resolveTarget(any, "/a"), undefined);
  assert.equal(resolveTarget(any, "http:///a"), undefined);
  const tunnel = { kind: "tunnel", isSecure: true, server: { host: "::1", port: 8443 } } as const;
  assert.equal(resolveTarget(tunnel, "/a//b/../%2e")?.url, "https://[::1]:8443/a//b/../%2e");
  assert.equal(resolveTarget(tunnel, "*")?.path, "*");
  const reverse = { kind: "reverse", upstream: parseReverseUpstream("https://h/v1/") } as const;
  assert.equal(resolveTarget(reverse, "/a?b")?.url, "https://h/v1/a?b");
  assert.equal(resolveTarget(reverse, "http://localhost:1/a")?.url, "https://h/v1/a");
  assert.equal(resolveTarget(reverse, "/a")?.hostField, "h");
  for (
    const wrong of [
      "localhost:3000",
      "ftp://h",
      "http://h/?a",
      "http://u:p@h",
      "http://u@h",
      "nonsense",
    ]
  ) {
    assert.throws(() => parseReverseUpstream(wrong), /Use a URL/, wrong);
  }
});
