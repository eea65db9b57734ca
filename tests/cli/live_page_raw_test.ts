import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { connect } from "node:net";
import { CoverageMap } from "../../mod.ts";
import { type LivePage, serveLivePage } from "../../src/cli/live_page.ts";
import { RawClient } from "../proxy/raw_client.ts";
import { echo, startProxy, startServer } from "../proxy/test_server.ts";

const DESCRIPTION = { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths: {} };

function serve(map = CoverageMap.fromDict(DESCRIPTION)): Promise<LivePage> {
  return serveLivePage({
    report: () => map.generateReport(),
    version: () => map.traffic().recorded,
    subject: "The proxy",
  });
}

interface Got {
  readonly status: number;
  readonly head: string;
}

/** Sends a raw request head. */
async function ask(port: number, head: string): Promise<Got> {
  const client = await RawClient.open(port);
  client.write(head);
  const text = await client.until("\r\n\r\n").catch(() => "");
  client.destroy();
  return { status: Number(text.slice(9, 12)), head: text };
}

Deno.test("the live page needs its secret path, and no other site can read it, whatever a browser sends", async () => {
  const live = await serve();
  const other = await serve();
  const { port, pathname, host } = new URL(live.url);
  const number = Number(port);
  assert.match(pathname, /^\/[0-9a-f]{32}\/$/);
  const get = (fields: string, path = `${pathname}report`): Promise<Got> =>
    ask(number, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${fields}\r\n`);
  try {
    assert.equal((await get("")).status, 200);
    // Requests from the address bar, the page itself, and a link in a terminal.
    for (const site of ["none", "same-origin"]) {
      assert.equal((await get(`Sec-Fetch-Site: ${site}\r\n`)).status, 200, site);
    }
    for (const site of ["cross-site", "same-site"]) {
      for (const path of [pathname, `${pathname}report`, `${pathname}news`]) {
        for (const mode of ["navigate", "no-cors", "cors"]) {
          const fields = `Sec-Fetch-Site: ${site}\r\nSec-Fetch-Mode: ${mode}\r\n`;
          assert.equal((await get(fields, path)).status, 403, `${site} ${mode} ${path}`);
        }
      }
    }
    // A link on another page may open it in a new tab, because terminals can be pages too.
    const link = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\n";
    const status = async (rest: string, path: string): Promise<number> =>
      (await get(`${link}${rest}`, path)).status;
    assert.equal(await status("Sec-Fetch-Dest: document\r\n", pathname), 200);
    assert.equal(await status("Sec-Fetch-Dest: iframe\r\n", pathname), 403);
    assert.equal(await status("Sec-Fetch-Dest: document\r\n", `${pathname}report`), 403);
    for (const path of ["/", "/report", "/news", `/${"0".repeat(32)}/report`, "/etc/passwd"]) {
      assert.equal((await get("", path)).status, 404, path);
    }
    assert.equal((await get("", pathname.slice(0, -1))).status, 404);
    assert.equal((await get(`Origin: http://localhost:${port}\r\n`)).status, 200);
    for (const origin of ["http://evil.example", "null", "http://localhost:1"]) {
      assert.equal((await get(`Origin: ${origin}\r\n`)).status, 403, origin);
    }
    const rebound = [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1",
      "localhost",
      "",
      `[::1]:${port}`,
    ];
    for (const name of [...rebound, `127.0.0.1:${port}.evil.example`, `evil@127.0.0.1:${port}`]) {
      const head = `GET ${pathname}report HTTP/1.1\r\nHost: ${name}\r\n\r\n`;
      assert.notEqual((await ask(number, head)).status, 200, name);
    }
    assert.notEqual((await ask(number, `GET ${pathname}report HTTP/1.0\r\n\r\n`)).status, 200);
    const absolute = `GET http://evil.example${pathname}report HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    assert.notEqual((await ask(number, absolute)).status, 200);
    assert.notEqual(new URL(other.url).pathname, pathname);
  } finally {
    other.close();
    live.close();
  }
});

Deno.test("the live page only answers GET and HEAD, allows no other origin, and can't be framed", async () => {
  const live = await serve();
  const { port, pathname, host } = new URL(live.url);
  try {
    for (const path of [pathname, `${pathname}report`, `${pathname}news`]) {
      for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
        const fields = `Host: ${host}\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n` +
          "Access-Control-Request-Method: GET\r\nAccess-Control-Request-Private-Network: true\r\n";
        const { status, head } = await ask(
          Number(port),
          `${method} ${path} HTTP/1.1\r\n${fields}\r\n`,
        );
        assert.equal(status, 405, `${method} ${path}`);
        assert.match(head, /\r\nallow: GET, HEAD\r\n/i);
        assert.doesNotMatch(head, /access-control/i);
      }
      const { head } = await ask(Number(port), `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      assert.doesNotMatch(head, /access-control/i);
      assert.match(head, /\r\nreferrer-policy: no-referrer\r\n/i);
      assert.match(head, /\r\nx-content-type-options: nosniff\r\n/i);
      assert.match(head, /\r\ncross-origin-resource-policy: same-origin\r\n/i);
      if (path === pathname) assert.match(head, /frame-ancestors 'none'/);
      else assert.match(head, /\r\nx-frame-options: SAMEORIGIN\r\n/i);
    }
  } finally {
    live.close();
  }
});

/** This machine's addresses for other machines. */
function outerAddresses(): string[] {
  return Object.values(networkInterfaces()).flat().flatMap((found) =>
    found === undefined || found.internal || found.family !== "IPv4" ? [] : [found.address]
  );
}

function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

Deno.test("the proxy and the live page can't be reached from other machines without --host", async () => {
  const live = await serve();
  await using test = await startProxy();
  await using open = await startProxy({ host: "0.0.0.0" });
  try {
    for (const address of outerAddresses()) {
      assert.ok(!await isOpen(address, Number(new URL(live.url).port)), address);
      assert.ok(!await isOpen(address, test.proxy.port), address);
      assert.ok(await isOpen(address, open.proxy.port), address);
    }
    assert.ok(await isOpen("127.0.0.1", test.proxy.port));
  } finally {
    live.close();
  }
});

Deno.test("the proxy serves no page of its own except an explanation, under any host name", async () => {
  await using test = await startProxy();
  const { port } = test.proxy;
  const own = `127.0.0.1:${port}`;
  for (const path of ["/", "/covtool", "/report", "/status", "/ca.pem", "/?x=1", "*"]) {
    for (const host of [own, `evil.example:${port}`]) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const fields = `Host: ${host}\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n`;
        const { status, head } = await ask(port, `${method} ${path} HTTP/1.1\r\n${fields}\r\n`);
        assert.equal(status, 400, `${method} ${path} ${host}`);
        assert.doesNotMatch(head, /access-control|location/i);
      }
    }
  }
  // Through the proxy itself, directly and in a tunnel.
  assert.equal(
    (await ask(port, `GET http://${own}/ HTTP/1.1\r\nHost: ${own}\r\n\r\n`)).status,
    400,
  );
  const tunnel = await RawClient.tunnel(port, own);
  tunnel.write(`GET / HTTP/1.1\r\nHost: ${own}\r\n\r\n`);
  assert.equal((await tunnel.answer()).status, 400);
  tunnel.destroy();
  assert.equal(test.proxy.interactions, 0);
});

Deno.test("a website can't use a reverse proxy on this machine through its own host name", async () => {
  await using server = await startServer(echo);
  await using test = await startProxy({ reverse: `http://127.0.0.1:${server.port}` });
  await using open = await startProxy({
    reverse: `http://127.0.0.1:${server.port}`,
    host: "0.0.0.0",
  });
  const status = async (port: number, host: string): Promise<number> =>
    (await ask(port, `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).status;
  const { port } = test.proxy;
  for (
    const name of [
      ...["localhost", "127.0.0.1", "[::1]", "LOCALHOST", "api.localhost", "api", "shop.test"],
    ]
  ) {
    assert.equal(await status(port, `${name}:${port}`), 200, name);
  }
  const before = test.proxy.interactions;
  for (const name of ["evil.example.com", "localhost.evil.example.com", "127.0.0.1.nip.io"]) {
    assert.equal(await status(port, `${name}:${port}`), 421, name);
    assert.equal(await status(port, name), 421, name);
  }
  assert.equal(test.proxy.interactions, before);
  // With --host, other machines may use any name.
  assert.equal(await status(open.proxy.port, "build.corp.example.com"), 200);
});
