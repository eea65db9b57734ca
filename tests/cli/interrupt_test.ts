import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { startServer } from "../proxy/test_server.ts";
import { startCommand } from "./running_command.ts";
import { inShop } from "./shop_files.ts";

/** Blocks the program once a file is there, like the evaluation of an enormous body. */
const BLOCK = `
import { existsSync } from "node:fs";
import process from "node:process";
import { setInterval } from "node:timers";
setInterval(() => {
  if (!existsSync("block")) return;
  process.stderr.write("blocked\\n");
  for (;;);
}, 5).unref();
`;

Deno.test("a second Ctrl+C ends the proxy at once, even if it is busy", async () => {
  let ask = (): void => {};
  const asked = new Promise<void>((resolve) => ask = resolve);
  await using server = await startServer(() => ask()); // and never responds
  await inShop(async (folder) => {
    await Deno.writeTextFile(`${folder}/block.mjs`, BLOCK);
    const proxy = startCommand(
      folder,
      [
        ...["proxy", "openapi.yaml", "--reverse", `http://localhost:${server.port}`, "-p", "0"],
        ...["--export-ca", `${folder}/ca.pem`],
      ],
      {},
      ["--preload", `${folder}/block.mjs`],
    );
    const url = await proxy.said(/(http:\S+) forwards to/);
    const request = fetch(`${url}/books`).then(() => {}, () => {});
    await asked;
    proxy.child.kill("SIGINT");
    await proxy.said(/Press Ctrl\+C again/);
    await Deno.writeTextFile(`${folder}/block`, "");
    await proxy.said(/blocked/);
    proxy.child.kill("SIGINT");
    const timer = setTimeout(() => proxy.child.kill("SIGKILL"), 20_000);
    assert.equal(await proxy.exitCode(), 130);
    clearTimeout(timer);
    await request;
  });
});

Deno.test("Ctrl+C removes the incomplete file of convert", async () => {
  await inShop(async (folder) => {
    const before = readdirSync(folder).sort();
    const convert = startCommand(folder, ["convert", "-", "-o", "out.json"], {}, [], "piped");
    const input = convert.child.stdin.getWriter();
    const line = JSON.stringify({ request: { method: "GET", url: "http://localhost/books" } });
    await input.write(new TextEncoder().encode(`${line}\n`.repeat(10_000)));
    while (!readdirSync(folder).some((name) => name.endsWith(".tmp"))) await delay(10);
    convert.child.kill("SIGINT");
    assert.equal(await convert.exitCode(), 130);
    await input.close().catch(() => {});
    assert.deepEqual(readdirSync(folder).sort(), before);
  });
});
