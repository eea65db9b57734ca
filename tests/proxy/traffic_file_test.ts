import assert from "node:assert/strict";
import { setImmediate } from "node:timers";
import { interactionLine } from "../../src/proxy/interaction_line.ts";
import { TrafficFile } from "../../src/proxy/traffic_file.ts";

function fail(error: Error): void {
  throw error;
}

/** The end of this turn of the event loop. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const interaction = { request: { method: "GET", url: "http://h/" } };
const line = '{"request":{"method":"GET","url":"http://h/"}}\n';

Deno.test("a recording grows with each interaction, at once", async () => {
  const path = await Deno.makeTempFile();
  await Deno.remove(path);
  const file = new TrafficFile(path, fail);
  assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
  file.append(interaction);
  await turn();
  assert.equal(await Deno.readTextFile(path), line);
  file.append(interaction);
  file.close();
  file.append(interaction);
  assert.equal(await Deno.readTextFile(path), line + line);
  await Deno.remove(path);
});

Deno.test("a recording is continued, behind a line that was cut off too; another file is left alone", async () => {
  const path = await Deno.makeTempFile();
  await Deno.writeTextFile(path, `${line}{"request":{"met`);
  const file = new TrafficFile(path, fail);
  assert.ok(file.isContinued);
  file.append(interaction);
  file.close();
  assert.equal(await Deno.readTextFile(path), `${line}{"request":{"met\n${line}`);
  await Deno.writeTextFile(path, "openapi: 3.1.0\n");
  assert.throws(() => new TrafficFile(path, fail), /exists and is no recording of the proxy/);
  assert.equal(await Deno.readTextFile(path), "openapi: 3.1.0\n");
  await Deno.remove(path);
});

Deno.test("a recording that cannot be written to any more is an error at once", async () => {
  const errors: Error[] = [];
  const file = new TrafficFile("/dev/full", (error) => errors.push(error));
  file.append(interaction);
  await turn();
  assert.match(errors[0]?.message ?? "", /ENOSPC|No space/);
  file.close();
});

Deno.test("a body is text only where that means the same as its bytes", () => {
  const body = new TextEncoder().encode("café");
  const written = (headers: Record<string, string>, bytes: Uint8Array = body): unknown => {
    const { request } = JSON.parse(
      interactionLine({ request: { method: "POST", url: "/", headers, body: bytes } }),
    );
    return request.body ?? request.body_base64;
  };
  assert.equal(written({}), "café");
  assert.equal(written({ "Content-Type": "text/plain; charset=utf-8" }), "café");
  assert.equal(written({ "Content-Type": "text/plain; charset=latin1" }), "Y2Fmw6k=");
  assert.equal(written({ "content-encoding": "gzip" }), "Y2Fmw6k=");
  assert.equal(written({ "content-type": "multipart/form-data; boundary=x" }), "Y2Fmw6k=");
  assert.equal(written({}, Uint8Array.of(0xff)), "/w==");
  assert.equal(written({}, Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), "\ufeffa");
});
