import assert from "node:assert/strict";
import { ApiMaps } from "../../src/coverage_map/api_maps.ts";
import { MeasuredApi } from "../../src/coverage_map/measured_api.ts";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import type { Report } from "../../mod.ts";
import { connectMiddleware } from "../../src/entries/server.ts";
import { main } from "../../src/cli/main.ts";
import { recordFolder } from "../../src/run/record_folder.ts";
import { TrafficCollector } from "../../src/runners/traffic_collector.ts";
import { TRAFFIC_VARIABLE, TrafficFolder } from "../../src/run/traffic_folder.ts";
import { fakeHost } from "../cli/fake_host.ts";
import { SHOP, shopMap } from "../plugins/shop.ts";

const respond = (_request: Request): Response => Response.json([]);

async function inFolder(test: (folder: TrafficFolder) => Promise<void> | void): Promise<void> {
  const folder = TrafficFolder.create();
  try {
    await test(folder);
  } finally {
    folder.remove();
  }
}

/** Clients that throw on every access. */
const CLIENTS = {
  axios: {
    interceptors: { request: { use: assert.fail }, response: { use: assert.fail } },
    getUri: () => "",
  },
  got: { extend: assert.fail },
  ky: { extend: assert.fail },
  ofetch: { native: assert.fail, create: assert.fail },
};

Deno.test("a collector outside of a run returns clients unchanged, and writes nothing", async () => {
  assert.equal(process.env[TRAFFIC_VARIABLE], undefined);
  const collector = new TrafficCollector();
  assert.equal(collector.isActive, false);
  assert.equal(collector.fetch.trackClient(fetch), fetch);
  assert.equal(collector.handler.trackClient(respond), respond);
  assert.equal(collector.axios.trackClient(CLIENTS.axios as never), CLIENTS.axios);
  assert.equal(collector.got.trackClient(CLIENTS.got as never), CLIENTS.got);
  assert.equal(collector.ky.trackClient(CLIENTS.ky as never), CLIENTS.ky);
  assert.equal(collector.ofetch.trackClient(CLIENTS.ofetch as never), CLIENTS.ofetch);
  const dispatch = (): boolean => true;
  assert.equal(collector.undici.interceptor()(dispatch), dispatch);
  const before = globalThis.fetch;
  collector.fetch.trackGlobal().restore();
  assert.equal(globalThis.fetch, before);
  collector.record({ method: "GET", url: "/books" });
  collector.open();
  await collector.handler.record(new Request("http://localhost/books"), new Response());
  await collector.flush();
});

Deno.test("each completed interaction is written at once, to a file that only its owner can read", () =>
  inFolder(async (folder) => {
    const collector = new TrafficCollector(folder.path);
    const handler = collector.handler.trackClient(respond);
    const response = await collector.tests.run(
      "lists",
      () => handler(new Request("http://localhost/books?limit=1")),
    );
    await response.text();
    const [open = "", path = "", ...others] = folder.recordings();
    assert.match(open, /-open\.jsonl$/);
    assert.deepEqual(others, []);
    const [head = "", exchange = ""] = readFileSync(path, "utf8").split("\n");
    assert.equal(JSON.parse(head).covtool, 1);
    const line = JSON.parse(exchange);
    assert.equal(line.request.url, "http://localhost/books?limit=1");
    assert.equal(line.response.status_code, 200);
    assert.equal(line.test, "lists");
    if (process.platform !== "win32") {
      assert.equal(statSync(path).mode & 0o777, 0o600);
      assert.equal(statSync(folder.path).mode & 0o777, 0o700);
    }
    collector.close();
  }));

Deno.test("an unread response counts even if the process is killed, and only once if it is read", () =>
  inFolder(async (folder) => {
    const collector = new TrafficCollector(folder.path);
    const shop = collector.handler.trackClient(respond);
    const send = (limit: number) => shop(new Request(`http://localhost/books?limit=${limit}`));
    const count = async (): Promise<number> => {
      const map = MeasuredApi.fromDict(SHOP);
      assert.deepEqual((await recordFolder(folder, ApiMaps.single(map))).warnings, []);
      return map.traffic().recorded;
    };
    const [first, second] = [await send(1), await send(2)];
    assert.equal(await count(), 2);
    await second.text();
    assert.equal(await count(), 2);
    folder.clear();
    await first.text();
    assert.equal(await count(), 1, "what ends after it was cleared is of the next run");
    const [third] = [await send(3), await send(4)];
    collector.close();
    assert.equal(await count(), 3);
    await third.text();
    assert.equal(await count(), 3, "what opens the files again leaves the fourth");
    collector.close();
  }));

Deno.test("a given folder is created by the first request, even if the working directory changes", () => {
  const parent = mkdtempSync(join(tmpdir(), "covtool-named-"));
  const before = process.cwd();
  process.chdir(parent);
  process.env[TRAFFIC_VARIABLE] = "deep/traffic";
  try {
    const collector = new TrafficCollector();
    assert.deepEqual(readdirSync(parent), []);
    mkdirSync("elsewhere");
    process.chdir("elsewhere");
    collector.record({ method: "GET", url: "/books" });
    collector.close();
    const folder = new TrafficFolder(join(parent, "deep/traffic"));
    assert.equal(folder.recordings().length, 2);
    if (process.platform !== "win32") assert.equal(statSync(folder.path).mode & 0o777, 0o700);
  } finally {
    delete process.env[TRAFFIC_VARIABLE];
    process.chdir(before);
    rmSync(parent, { recursive: true });
  }
});

Deno.test("a run's folder isn't created again after it was removed", () => {
  const folder = TrafficFolder.create();
  const collector = new TrafficCollector(folder.path);
  folder.remove();
  assert.throws(() => collector.record({ method: "GET", url: "/books" }));
  assert.equal(existsSync(folder.path), false);
});

Deno.test("middleware records a server with the collector, and covtool report reads the folder", async () => {
  const parent = mkdtempSync(join(tmpdir(), "covtool-named-"));
  try {
    const collector = new TrafficCollector(join(parent, "traffic"));
    const middleware = connectMiddleware(collector);
    const server = createServer((request, response) =>
      middleware(request, response, () => void request.resume().on("end", () => response.end("[]")))
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await (await fetch(`http://127.0.0.1:${port}/api/v1/books?page=2`)).text();
    await new Promise((resolve) => server.close(resolve));
    await collector.flush();
    collector.close();
    writeFileSync(join(parent, "traffic/1-0-a.problems"), '"A client failed."\n"cut');
    const host = fakeHost();
    const args = ["report", "examples/bookshop/openapi.yaml", join(parent, "traffic")];
    assert.equal(await main([...args, "--format", "json"], host), 0);
    const { traffic } = JSON.parse(host.out()) as Report;
    assert.deepEqual([traffic.recorded, traffic.matched], [1, 1]);
    assert.equal(host.err(), "Warning: A client failed.\n");
  } finally {
    rmSync(parent, { recursive: true });
  }
});

Deno.test("a request belongs to the test that sent it, even if another test runs when the response comes", () =>
  inFolder(async (folder) => {
    const collector = new TrafficCollector(folder.path);
    const { promise, resolve } = Promise.withResolvers<Response>();
    const handler = collector.handler.trackClient((_request: Request) => promise);
    const end = collector.tests.start("first");
    const answered = handler(new Request("http://localhost/books"));
    end();
    const endNext = collector.tests.start("second");
    resolve(Response.json([]));
    await (await answered).json();
    endNext();
    const map = MeasuredApi.fromDict(SHOP);
    await recordFolder(folder, ApiMaps.single(map));
    assert.deepEqual(map.report().tests, ["first"]);
    collector.close();
  }));

Deno.test("a map gets the test names of its plugins' interactions from a name or a function", () => {
  const map = shopMap();
  const handler = map.handler.trackClient(respond);
  const url = "http://localhost/books";
  map.setTest("named");
  handler(new Request(url));
  map.setTest(() => "asked");
  handler(new Request(url));
  map.setTest(() => {
    throw new Error("nobody knows");
  });
  handler(new Request(url));
  map.setTest(undefined);
  handler(new Request(url));
  assert.deepEqual(map.report().tests, ["asked", "named"]);
  assert.equal(map.traffic().recorded, 4);
});

Deno.test("the requests of a test file can be discarded, and later ones count", () =>
  inFolder(async (folder) => {
    const collector = new TrafficCollector(folder.path);
    const send = (testFile: string, limit: number): void => {
      collector.startFile(testFile);
      collector.record({ method: "GET", url: `http://localhost/books?limit=${limit}` });
    };
    send("/tests/a.test.ts", 1);
    send("/tests/b.test.ts", 2);
    send("/tests/a.test.ts", 3);
    folder.forget("/tests/a.test.ts");
    const first = MeasuredApi.fromDict(SHOP);
    await recordFolder(folder, ApiMaps.single(first));
    assert.equal(first.traffic().recorded, 1);
    send("/tests/a.test.ts", 4);
    const second = MeasuredApi.fromDict(SHOP);
    assert.deepEqual((await recordFolder(folder, ApiMaps.single(second))).warnings, []);
    assert.equal(second.traffic().recorded, 2);
    folder.clear();
    assert.deepEqual(folder.recordings(), []);
    collector.close();
  }));

Deno.test("requests that can't be recorded or are cut off are reported, and don't affect others", () =>
  inFolder(async (folder) => {
    const collector = new TrafficCollector(folder.path);
    const broken = {
      method: "GET",
      get url(): string {
        throw new Error("no address");
      },
      headers: [],
    };
    await collector.handler.record(broken as never);
    await collector.handler.record(broken as never);
    collector.record({ method: "GET", url: "http://localhost/books" });
    Deno.writeTextFileSync(join(folder.path, "7-0-x.jsonl"), '{"request":{"method":"GET"');
    const map = MeasuredApi.fromDict(SHOP);
    const { warnings } = await recordFolder(folder, ApiMaps.single(map));
    assert.equal(map.traffic().recorded, 1);
    assert.equal(warnings.length, 2, warnings.join("\n"));
    assert.match(warnings.join("\n"), /no address/);
    assert.match(warnings.join("\n"), /Process 7\b/);
    collector.close();
  }));

Deno.test("the next run removes the folders of killed runs only", async () => {
  const gone = new Deno.Command(Deno.execPath(), { args: ["--version"], stdout: "null" }).spawn();
  await gone.status;
  await inFolder(async (folder) => {
    const parent = join(folder.path, "..");
    const left = basename(folder.path).replace(/^covtool-run-\d+-\d+/, `covtool-run-${gone.pid}-1`);
    Deno.mkdirSync(join(parent, left));
    await inFolder((next) => {
      const names = readdirSync(parent);
      assert.ok(!names.includes(left));
      for (const { path } of [folder, next]) assert.ok(names.some((name) => path.endsWith(name)));
    });
  });
});
