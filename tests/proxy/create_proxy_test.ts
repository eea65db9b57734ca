import assert from "node:assert/strict";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { shiftClock } from "../shift_clock.ts";
import { eventually, pause, RawClient } from "./raw_client.ts";
import {
  echo,
  startProxy,
  startRawServer,
  startRequestServer,
  startServer,
} from "./test_server.ts";

const text = new TextDecoder();

Deno.test("a plain request and its response are forwarded byte for byte", async () => {
  await using server = await startServer(echo);
  await using test = await startProxy();
  const { head, body } = await RawClient.ask(
    test.proxy.port,
    `GET http://localhost:${server.port}/a%2Fb/../c?q=%41&q=+ HTTP/1.1\r\nHost: localhost\r\nX-Case: 1\r\nx-case: 2\r\n` +
      "Proxy-Connection: keep-alive\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n",
  );
  assert.match(head, /^HTTP\/1\.1 200 Fine\r\n/);
  assert.match(head, /\r\nX-Twice: 1\r\nx-twice: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n/);
  const seen = JSON.parse(text.decode(body));
  assert.equal(seen.url, "/a%2Fb/../c?q=%41&q=+");
  // Host follows the target (RFC 9112, section 3.2.2).
  const host = `localhost:${server.port}`;
  assert.deepEqual(seen.fields.slice(0, 6), ["Host", host, "X-Case", "1", "x-case", "2"]);
  assert.ok(!seen.fields.some((field: string) => /^(?:proxy-connection|x-hop)$/i.test(field)));
  const [interaction] = test.interactions;
  assert.equal(interaction?.request.url, `http://localhost:${server.port}/a%2Fb/../c?q=%41&q=+`);
  assert.equal(interaction?.response?.status_code, 200);
  assert.ok((interaction?.response?.elapsed ?? -1) >= 0);
});

Deno.test("non-ASCII bytes in header fields are kept, with or without a body", async () => {
  for (const isSecure of [false, true]) {
    const answer = (head: string): string =>
      "HTTP/1.1 200 OK\r\nX-Odd: \xe9 \xc3\xa9\r\n" +
      (head.startsWith("POST") ? "Content-Length: 3\r\n\r\nabc" : "Content-Length: 0\r\n\r\n");
    await using server = await startRequestServer(answer, isSecure);
    await using test = await startProxy();
    const client = await RawClient.reach(test.proxy, `localhost:${server.port}`, isSecure);
    // The first request opens the connection to the server, and the others reuse it.
    for (const method of ["POST", "POST", "GET", "GET", "WAITS"]) {
      const waits = method === "WAITS";
      client.write(
        `${waits ? "POST" : method} / HTTP/1.1\r\nHost: x\r\nX-In: \xe9 \xc3\xa9\r\n` +
          (method === "GET" ? "\r\n" : "Content-Length: 3\r\n\r\n"),
      );
      if (waits) await pause(20);
      if (method !== "GET") client.write("abc");
      const { head } = await client.answer();
      assert.match(head, /\r\nX-Odd: \xe9 \xc3\xa9\r\n/, `${method} ${isSecure}`);
      assert.match(
        server.heads.at(-1) ?? "",
        /\r\nX-In: \xe9 \xc3\xa9(?:\r\n|$)/,
        `${method} ${isSecure}`,
      );
    }
    client.destroy();
  }
});

Deno.test("HTTPS is intercepted with a certificate of the proxy's authority, for names and addresses", async () => {
  await using server = await startServer(echo, true);
  await using test = await startProxy();
  for (const host of ["localhost", "127.0.0.1"]) {
    const tunnel = await RawClient.tunnel(test.proxy.port, `${host}:${server.port}`);
    const client = await tunnel.secure(test.proxy.caCertificate, host);
    client.write(`GET /x HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    assert.equal((await client.answer()).status, 200);
    client.destroy();
    assert.equal(test.interactions.at(-1)?.request.url, `https://${host}:${server.port}/x`);
  }
});

Deno.test("a client that doesn't read slows the server down, and the other way round", async () => {
  const piece = new Uint8Array(100_000);
  const enough = 100_000_000;
  for (const isSecure of [false, true]) {
    let answered = 0;
    await using server = await startServer((_request, response) => {
      response.writeHead(200, { "content-length": enough });
      const more = (): void => {
        while (answered < enough) {
          answered += piece.length;
          if (!response.write(piece)) return void response.once("drain", more);
        }
      };
      more();
    }, isSecure);
    await using test = await startProxy();
    const tunnel = await RawClient.tunnel(test.proxy.port, `localhost:${server.port}`);
    const client = isSecure ? await tunnel.secure(test.proxy.caCertificate) : tunnel;
    client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    await client.until("\r\n\r\n");
    tunnel.socket.pause();
    client.socket.pause();
    await pause(1000);
    assert.ok(answered < enough / 2, `${answered} bytes went into memory`);
    client.destroy();

    let sent = 0;
    // Deno's own server reads TLS without a limit.
    await using deaf = await startServer((request) => void request.pause());
    await using reverse = await startProxy({ reverse: `http://localhost:${deaf.port}` });
    const inward = await RawClient.open(reverse.proxy.port);
    const sender = isSecure ? await inward.secure(reverse.proxy.caCertificate) : inward;
    sender.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${enough}\r\n\r\n`);
    const until = performance.now() + 1000;
    while (sent < enough && performance.now() < until) {
      sent += piece.length;
      if (sender.socket.write(piece)) continue;
      await Promise.race([
        new Promise((resolve) => sender.socket.once("drain", resolve)),
        new Promise((resolve) => setTimeout(resolve, 300)),
      ]);
      if (sender.socket.writableLength > 0) break;
    }
    assert.ok(sent < enough / 2, `${sent} bytes went into memory`);
    sender.destroy();
  }
});

Deno.test("100 Continue comes from the server, and a refusal closes the connection", async () => {
  await using server = await startServer(echo);
  server.server.on("checkContinue", (request, response) => {
    if (request.url === "/no") {
      response.writeHead(417, { "content-length": 0 });
      response.end();
      return;
    }
    response.writeContinue();
    echo(request, response);
  });
  await using test = await startProxy();
  const head = (path: string): string =>
    `POST http://localhost:${server.port}${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`;
  const client = await RawClient.open(test.proxy.port);
  client.write(head("/yes"));
  assert.equal((await client.answer()).status, 100);
  client.write("abc");
  assert.equal((await client.answer()).status, 200);
  client.write(head("/no"));
  const refused = await client.answer();
  assert.equal(refused.status, 417);
  assert.match(refused.head, /connection: close/i);
  assert.ok(await client.ends(2000));
  client.destroy();
});

Deno.test("after an upgrade such as WebSocket, data flows both ways", async () => {
  for (const isSecure of [false, true]) {
    await using server = await startServer(echo, isSecure);
    server.server.on("upgrade", (_request, socket) => {
      socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      );
      socket.on("data", (chunk) => void socket.write(chunk));
      socket.on("error", () => {});
    });
    await using test = await startProxy();
    const client = await RawClient.reach(test.proxy, `localhost:${server.port}`, isSecure);
    client.write(
      "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
    assert.match(await client.until("\r\n\r\n"), /^HTTP\/1\.1 101 /);
    client.write("ping");
    assert.equal(text.decode(await client.take(4)), "ping");
    assert.equal(test.interactions[0]?.response?.status_code, 101);
    client.destroy();
  }
});

Deno.test("an unreachable server causes a 502 that says why, and nothing is recorded", async () => {
  await using plain = await startServer(echo);
  await using secure = await startServer(echo, true);
  await using test = await startProxy({ insecure: false });
  for (
    const [port, isSecure, said] of [
      [
        1,
        false,
        /^covtool proxy: localhost:1 cannot be reached: nothing is listening there\. Is the server running on this port\?\n$/,
      ],
      [plain.port, true, /Does it speak HTTPS\?/],
      [secure.port, true, /The certificate of localhost:\d+ was rejected: .*--insecure/],
    ] as const
  ) {
    const client = await RawClient.reach(test.proxy, `localhost:${port}`, isSecure);
    client.write("GET /books HTTP/1.1\r\nHost: x\r\n\r\n");
    const { status, body } = await client.answer();
    assert.equal(status, 502);
    assert.match(text.decode(body), said);
    client.destroy();
  }
  assert.deepEqual(
    test.notices.map(({ kind }) => kind),
    ["upstream_unreachable", "upstream_unreachable", "upstream_certificate"],
  );
  assert.equal(test.interactions.length, 0);
});

Deno.test("a notice about a client that refuses the certificate says what to do", async () => {
  await using server = await startServer(echo, true);
  await using test = await startProxy();
  const tunnel = await RawClient.tunnel(test.proxy.port, `localhost:${server.port}`);
  await assert.rejects(tunnel.secure(server.authority));
  await eventually(() => test.notices.length > 0);
  assert.match(test.notices[0]?.message ?? "", /for localhost.*--print-ca-help/s);
  tunnel.destroy();
});

Deno.test("hosts that are passed through keep their own certificate and are not recorded", async () => {
  await using server = await startServer(echo, true);
  await using test = await startProxy({ passThrough: ["localhost"] });
  const tunnel = await RawClient.tunnel(test.proxy.port, `localhost:${server.port}`);
  const client = await tunnel.secure(server.authority);
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  assert.equal((await client.answer()).status, 200);
  client.destroy();
  assert.equal(test.interactions.length, 0);
});

Deno.test("only intercepted hosts are recorded, but all are served", async () => {
  await using server = await startServer(echo);
  await using test = await startProxy({ intercept: [`127.0.0.1:${server.port}`] });
  const client = await RawClient.open(test.proxy.port);
  for (const host of ["127.0.0.1", "localhost"]) {
    client.write(`GET http://${host}:${server.port}/${host} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.equal((await client.answer()).status, 200);
  }
  client.destroy();
  assert.deepEqual(
    test.interactions.map(({ request }) => new URL(request.url).pathname),
    ["/127.0.0.1"],
  );
});

Deno.test("requests can go through an upstream proxy, with credentials", async () => {
  await using server = await startServer(echo);
  await using secure = await startServer(echo, true);
  const asked: string[] = [];
  await using outer = await startRawServer((socket) => {
    socket.once("data", (chunk) => {
      const head = new TextDecoder("latin1").decode(chunk);
      asked.push(
        `${head.split(" ", 2).join(" ")} ${/proxy-authorization: (\S+ \S+)/i.exec(head)?.[1]}`,
      );
      const isTunnel = head.startsWith("CONNECT");
      const to = connect(isTunnel ? secure.port : server.port, "127.0.0.1", () => {
        if (isTunnel) socket.write("HTTP/1.1 200 OK\r\n\r\n");
        else to.write(chunk);
        socket.pipe(to);
        to.pipe(socket);
      });
      to.on("error", () => {});
      socket.on("close", () => to.destroy());
    });
  });
  await using test = await startProxy({ upstreamProxy: `http://ada:pw@127.0.0.1:${outer.port}` });
  const client = await RawClient.open(test.proxy.port);
  client.write(`GET http://some.example/x HTTP/1.1\r\nHost: some.example\r\n\r\n`);
  assert.equal((await client.answer()).status, 200);
  client.destroy();
  const tunnel = await RawClient.tunnel(test.proxy.port, "other.example:443");
  const inner = await tunnel.secure(test.proxy.caCertificate, "other.example");
  for (let index = 0; index < 2; index++) {
    inner.write("GET /y HTTP/1.1\r\nHost: other.example\r\n\r\n");
    assert.equal((await inner.answer()).status, 200);
  }
  inner.destroy();
  assert.equal(test.interactions.at(-1)?.request.url, "https://other.example/y");
  assert.equal(asked[0], "GET http://some.example/x Basic YWRhOnB3");
  assert.equal(asked[1], "CONNECT other.example:443 Basic YWRhOnB3");
});

Deno.test("the error about an unreachable upstream proxy names that proxy", async () => {
  await using test = await startProxy({ upstreamProxy: "http://127.0.0.1:1" });
  const upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
  for (const [isSecure, fields] of [[false, ""], [true, ""], [false, upgrade]] as const) {
    const client = await RawClient.reach(test.proxy, "localhost:443", isSecure);
    client.write(`GET /x HTTP/1.1\r\nHost: some.example\r\n${fields}\r\n`);
    const { status, body } = await client.answer();
    assert.equal(status, 502);
    assert.match(
      text.decode(body),
      /: The upstream proxy 127\.0\.0\.1:1 cannot be reached: nothing /,
    );
    client.destroy();
  }
});

Deno.test("close() lets a response in progress finish, within a time limit", async () => {
  let finish: () => void = () => {};
  await using server = await startServer((_request, response) => {
    response.writeHead(200, { "content-length": 4 });
    response.write("ab");
    finish = () => void response.end("cd");
  });
  const ask = async (port: number): Promise<RawClient> => {
    const client = await RawClient.open(port);
    client.write(`GET http://localhost:${server.port}/slow HTTP/1.1\r\nHost: x\r\n\r\n`);
    await client.until("ab");
    return client;
  };
  {
    await using test = await startProxy();
    const client = await ask(test.proxy.port);
    const closed = test.proxy.close(5000);
    setTimeout(finish, 50);
    assert.equal(text.decode(await client.take(2)), "cd");
    await closed;
    assert.equal(test.interactions.length, 1);
    client.destroy();
  }
  await using test = await startProxy();
  const client = await ask(test.proxy.port);
  await test.proxy.close(100);
  assert.ok(await client.ends(1000));
  client.destroy();
});

Deno.test("the proxy listens only on the loopback interface, and explains itself to direct requests", async () => {
  await using test = await startProxy();
  const { url } = test.proxy;
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
  const response = await fetch(url);
  assert.equal(response.status, 400);
  assert.match(await response.text(), /This is covtool's proxy/);
  const loops = await RawClient.open(test.proxy.port);
  loops.write(`GET ${url}/ HTTP/1.1\r\nHost: x\r\n\r\n`);
  assert.equal((await loops.answer()).status, 400);
  loops.destroy();
});

Deno.test("if the clock is changed while the proxy runs, its certificates are valid at the new time", async () => {
  const DAY = 24 * 60 * 60 * 1000;
  await using test = await startProxy();
  const validity = async (): Promise<readonly [from: number, to: number]> => {
    const client = await RawClient.tunnel(test.proxy.port, "api.example:443");
    const socket = connectTls({ socket: client.socket, rejectUnauthorized: false });
    await new Promise((resolve) => socket.once("secureConnect", resolve));
    const { valid_from, valid_to } = socket.getPeerCertificate();
    socket.destroy();
    return [Date.parse(valid_from), Date.parse(valid_to)];
  };
  const first = await validity();
  assert.deepEqual(await validity(), first);
  for (const days of [400, 800, -2]) {
    const restore = shiftClock(days * DAY);
    try {
      const now = Date.now();
      const [from, to] = await validity();
      assert.ok(from <= now && now < to, `${days} days`);
    } finally {
      restore();
    }
  }
});
