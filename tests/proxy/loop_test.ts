import { runOrThrow } from "../../scripts/run.ts";
import assert from "node:assert/strict";
import { isProxyItself, LoopMark } from "../../src/proxy/loop_mark.ts";
import { freePort, RawClient } from "./raw_client.ts";
import { echo, startProxy, startServer } from "./test_server.ts";
import { hostname } from "node:os";
import { inFolder } from "../in_folder.ts";

const text = new TextDecoder();

const get = (port: number, target: string) =>
  RawClient.ask(port, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);

Deno.test("a proxy that would forward to itself doesn't start", async () => {
  const port = freePort();
  const loops = [
    { reverse: `http://localhost:${port}` },
    { reverse: `http://127.0.0.1:${port}/api`, host: "0.0.0.0" },
    { reverse: `https://[::1]:${port}` },
    { upstreamProxy: `http://u:p@localhost:${port}` },
    { upstreamProxy: `127.0.0.1:${port}`, host: "localhost" },
  ];
  for (const loop of loops) {
    await assert.rejects(
      startProxy({ port, ...loop }),
      /--\S+ names \S+, which is the proxy itself/,
    );
  }
  await using other = await startProxy({ port, reverse: `http://127.0.0.1:${freePort()}` });
  assert.equal(other.proxy.port, port);
});

Deno.test("a request that returns to the proxy gets a 508 after one round", async () => {
  // Names of the proxy that can't be known when it starts.
  for (const option of ["reverse", "upstreamProxy"]) {
    const port = freePort();
    const url = `http://[::ffff:127.0.0.1]:${port}`;
    await using test = await startProxy({ port, host: "0.0.0.0", [option]: url });
    const answer = await get(port, option === "reverse" ? "/a" : "http://h.example/a");
    assert.equal(answer.status, 508);
    assert.match(answer.text, /came back to it/);
    assert.equal(test.proxy.requests, 1);
    assert.deepEqual(test.notices.map(({ kind }) => kind), ["loop"]);
  }
});

Deno.test("loops of tunnels, of WebSockets and between several proxies end too", async () => {
  const port = freePort();
  const loop = { port, host: "0.0.0.0", upstreamProxy: `http://[::ffff:127.0.0.1]:${port}` };
  {
    await using test = await startProxy({ ...loop, passThrough: ["passed.example"] });
    const client = await RawClient.open(port);
    client.write("CONNECT passed.example:443 HTTP/1.1\r\nHost: passed.example\r\n\r\n");
    assert.match(text.decode((await client.answer()).body), /508 Loop Detected/);
    client.destroy();
    assert.equal(test.notices.filter(({ kind }) => kind === "loop").length, 1);
  }
  const [one, two] = [freePort(), freePort()];
  await using first = await startProxy({ port: one, reverse: `http://127.0.0.1:${two}` });
  await using second = await startProxy({ port: two, reverse: `http://127.0.0.1:${one}` });
  assert.equal((await get(one, "/a")).status, 508);
  const client = await RawClient.open(one);
  client.write("GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  assert.match(await client.until("\r\n\r\n"), /^HTTP\/1\.1 508 /);
  client.destroy();
  assert.equal(first.proxy.requests, 2);
  assert.equal(second.proxy.requests, 2);
});

Deno.test("chained proxies are not a loop, and their marks aren't recorded", async () => {
  await using server = await startServer(echo);
  await using last = await startProxy();
  await using first = await startProxy({ upstreamProxy: last.proxy.url });
  const answer = await get(first.proxy.port, `http://localhost:${server.port}/a`);
  assert.equal(answer.status, 200);
  const { fields } = JSON.parse(answer.text) as { fields: string[] };
  const marks = fields.filter((_, index) => fields[index - 1] === "Via");
  assert.equal(marks.length, 2);
  for (const mark of marks) assert.match(mark, /^1\.1 covtool-[\w-]+$/);
  assert.equal(new Set(marks).size, 2);
  assert.deepEqual(Object.keys(first.interactions[0]?.request.headers ?? {}), ["Host"]);
});

Deno.test("only a proxy's own mark is a loop", () => {
  const mark = new LoopMark();
  assert.ok(mark.isIn(["Host", "x", "via", `1.1 other, ${mark.via}`]));
  assert.ok(mark.isIn(["Via", "1.1 a", "VIA", mark.via]));
  assert.ok(!mark.isIn(["Via", new LoopMark().via]));
  assert.ok(!mark.isIn(["Host", "x"]));
});

const PORT = 8080;

function isSame(server: string, listening: string): boolean {
  return isProxyItself({ host: server, port: PORT }, { host: listening, port: PORT });
}

Deno.test("every loopback name leads to a proxy that listens on the loopback interface", () => {
  for (const name of ["localhost", "x.localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0"]) {
    assert.equal(isSame(name, "127.0.0.1"), true, name);
    assert.equal(isSame(name, "0.0.0.0"), true, name);
  }
});

Deno.test("the machine's own name leads to a proxy that listens on all addresses", () => {
  assert.equal(isSame(hostname(), "0.0.0.0"), true);
  assert.equal(isSame(hostname().toUpperCase(), "::"), true);
  assert.equal(isSame("api.example.com", "0.0.0.0"), false);
});

Deno.test("another port or machine leads elsewhere", () => {
  assert.equal(isSame("192.0.2.7", "127.0.0.1"), false);
  assert.equal(isSame("127.0.0.1", "192.0.2.7"), false);
  assert.equal(
    isProxyItself({ host: "localhost", port: 1 }, { host: "127.0.0.1", port: PORT }),
    false,
  );
});

Deno.test("without permission to read the machine's names, other names count as other machines", async () => {
  const module = new URL("../../src/proxy/loop_mark.ts", import.meta.url).href;
  await inFolder({}, async (folder) => {
    const port = PORT;
    await Deno.writeTextFile(
      `${folder}/a.ts`,
      `import { isProxyItself } from ${JSON.stringify(module)};
const is = (host: string) => isProxyItself({ host, port: ${port} }, { host: "0.0.0.0", port: ${port} });
console.log(is("api.example"), is("localhost"));`,
    );
    const args = ["run", "--no-prompt", "--no-check", `${folder}/a.ts`];
    assert.equal(await runOrThrow(Deno.execPath(), args), "false true\n");
  });
});
