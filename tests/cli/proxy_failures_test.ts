import assert from "node:assert/strict";
import { echo, startServer } from "../proxy/test_server.ts";
import { startCommand } from "./running_command.ts";
import { inShop } from "./shop_files.ts";

/** Causes two uncaught errors once the proxy handles them. */
const TROUBLE = `
import process from "node:process";
import { setInterval } from "node:timers";
const timer = setInterval(() => {
  if (process.listenerCount("uncaughtException") === 0) return;
  clearInterval(timer);
  setTimeout(() => { throw new Error("thrown from nowhere"); }, 1);
  setTimeout(() => void Promise.reject(new Error("rejected from nowhere")), 2);
}, 5);
// The proxy's modules only load after this module's work is done.
timer.unref();
`;

/** Keeps the process alive once the proxy is ready. */
const HELD = `
import process from "node:process";
import { setInterval } from "node:timers";
const timer = setInterval(() => {
  if (process.listenerCount("uncaughtException") > 0) timer.ref();
}, 5);
timer.unref();
`;

Deno.test("an uncaught error ends neither the proxy nor its report, which mentions the error", async () => {
  await using server = await startServer(echo);
  await inShop(async (folder) => {
    const preload = `${folder}/trouble.mjs`;
    await Deno.writeTextFile(preload, TROUBLE);
    const proxy = startCommand(
      folder,
      [
        ...["proxy", "openapi.yaml", "--reverse", `http://localhost:${server.port}`, "-p", "0"],
        ...["--export-ca", `${folder}/ca.pem`],
      ],
      {},
      ["--preload", preload],
    );
    const url = await proxy.said(/(http:\S+) forwards to/);
    await proxy.said(/covtool itself failed on a request \(thrown from nowhere\)/);
    await proxy.said(/covtool itself failed on a request \(rejected from nowhere\)/);
    const response = await fetch(`${url}/books?limit=7`);
    assert.equal((await response.json()).url, "/books?limit=7");
    await proxy.interrupt();
    assert.match(proxy.err(), /1 request: 1 matched/);
    assert.match(proxy.err(), /covtool itself failed on 2 requests and went on\./);
  });
});

Deno.test("the proxy ends even if something keeps the process alive", async () => {
  await using server = await startServer(echo);
  await inShop(async (folder) => {
    const preload = `${folder}/held.mjs`;
    await Deno.writeTextFile(preload, HELD);
    const proxy = startCommand(
      folder,
      [
        ...["proxy", "openapi.yaml", "--reverse", `http://localhost:${server.port}`, "-p", "0"],
        ...["--export-ca", `${folder}/ca.pem`, "--fail-under", "99"],
      ],
      {},
      ["--preload", preload],
    );
    const url = await proxy.said(/(http:\S+) forwards to/);
    await (await fetch(`${url}/books?limit=7`)).text();
    proxy.child.kill("SIGINT");
    const timer = setTimeout(() => proxy.child.kill("SIGKILL"), 30_000);
    assert.equal(await proxy.exitCode(), 1, proxy.err());
    clearTimeout(timer);
    assert.match(proxy.err(), /1 request: 1 matched/);
  });
});
