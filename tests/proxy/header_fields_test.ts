import assert from "node:assert/strict";
import {
  endToEnd,
  fieldValue,
  isBeyondAscii,
  isRepeated,
  withoutField,
} from "../../src/proxy/header_fields.ts";

Deno.test("endToEnd() drops fields that Connection names, but none that frame or route the message", () => {
  const raw = ["Connection", "X-Hop, Host, content-length", "X-Hop", "1", "Host", "h"];
  const { fields, length } = endToEnd([...raw, "Content-Length", "3"]);
  assert.deepEqual(fields, ["Host", "h", "Content-Length", "3"]);
  assert.equal(length, 3);
});

Deno.test("names of fields are compared without their case", () => {
  const raw = ["HOST", "a", "host", "b", "Accept", "*/*"];
  assert.ok(isRepeated(raw, "host"));
  assert.ok(!isRepeated(raw, "accept"));
  assert.equal(fieldValue(raw, "host"), "a");
  assert.equal(fieldValue(raw, "via"), undefined);
  assert.deepEqual(withoutField(raw, "host"), ["Accept", "*/*"]);
});

Deno.test("isBeyondAscii() is true from U+0080 on", () => {
  assert.deepEqual(["~", "\x7f", "\x80", "é"].map(isBeyondAscii), [false, false, true, true]);
});
