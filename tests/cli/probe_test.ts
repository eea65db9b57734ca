import assert from "node:assert/strict";
import { main } from "../../src/cli/main.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { LIBRARY, LibraryServer } from "../run/probe/library_server.ts";
import { ERROR_EXIT, fakeHost } from "./fake_host.ts";

interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const VARIABLES = { NO_COLOR: "1", SOURCE_DATE_EPOCH: "1700000000" };

async function covtool(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const host = fakeHost({ variables: { ...VARIABLES, ...variables } });
  const code = await main(args, host);
  return { code, out: host.out(), err: host.err() };
}

async function inLibrary(
  action: (description: string, server: LibraryServer, folder: string) => Promise<void>,
): Promise<void> {
  await using server = await new LibraryServer().start();
  const folder = Deno.makeTempDirSync();
  try {
    const path = `${folder}/openapi.json`;
    Deno.writeTextFileSync(path, JSON.stringify(LIBRARY));
    await action(path, server, folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("probe sends what closes gaps, and reports like report", async () => {
  await inLibrary(async (description, server) => {
    server.add("Emma");
    const { code, out, err } = await covtool([
      ...["probe", description, "--server", server.url, "--format", "text"],
      ...["--fail-under-operations", "60", "--max", "50"],
    ]);
    assert.equal(code, 0, err);
    assert.match(out, /Operations .* 60% .* 3 of 5/);
    assert.match(err, new RegExp(`^\\d+ requests sent to ${server.url}\\. Nothing is left`));
    assert.match(err, /2 operations left out, as their methods change data: --unsafe sends/);
    assert.match(err, /Warning: No value is known for \$SHOP_KEY: set the environment variable/);
  });
});

Deno.test("probe without --save-traffic writes its report to a file that the shell opened", async () => {
  await inLibrary(async (description, server, folder) => {
    const { code, stderr } = await new Deno.Command("sh", {
      args: ["-c", `exec "$@" > "${folder}/report.txt"`, "sh", Deno.execPath(), "run", "-A"].concat(
        [
          COVTOOL_MODULE,
          "probe",
          description,
          "--server",
          server.url,
          "--format",
          "text",
          "--max",
          "1",
        ],
      ),
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    assert.match(Deno.readTextFileSync(`${folder}/report.txt`), /Operations/);
  });
});

Deno.test("what recordings cover is not sent again", async () => {
  await inLibrary(async (description, server, folder) => {
    server.add("Emma");
    const saved = `${folder}/probe.jsonl`;
    const probe = ["probe", description, "--server", server.url, "--format", "text"];
    await covtool([...probe, "--save-traffic", saved]);
    const count = server.seen.length;
    assert.ok(count > 5);
    await covtool([...probe, saved]);
    assert.equal(server.seen.length, count);
    const report = await covtool(["report", description, saved, "--format", "text"]);
    assert.match(report.out, /3 of 5/);
  });
});

Deno.test("credentials are in no file that probe writes, and in nothing that it says", async () => {
  await inLibrary(async (description, server, folder) => {
    const saved = `${folder}/probe.jsonl`;
    const formats = ["--format", "text", "--format", `json=${folder}/a.json`];
    const { err, out } = await covtool([
      ...["probe", description, "--server", server.url, "--save-traffic", saved, ...formats],
      ...["--header", "X-Odd: hush-hush-77", "--unsafe"],
    ], { SHOP_KEY: "k-17" });
    assert.ok(server.seen.some(({ line, status }) => line === "GET /me" && status === 200));
    const files = Deno.readTextFileSync(saved) + Deno.readTextFileSync(`${folder}/a.json`);
    for (const text of [err, out, files]) {
      assert.doesNotMatch(text, /hush-hush|k-17/);
    }
  });
});

Deno.test("a server that is down is a sentence and exit code 1", async () => {
  const server = await new LibraryServer().start();
  const { url } = server;
  await server[Symbol.asyncDispose]();
  await inLibrary(async (description) => {
    const { code, err } = await covtool(["probe", description, "--server", url]);
    assert.equal(code, 1);
    assert.match(err, /Cannot reach http:.*refused.*Start the API, or correct --server\./im);
    assert.ok(err.endsWith(ERROR_EXIT));
  });
});

for (
  const [mistake, args, said] of [
    ["no server", [], /Say which server to send requests to: --server/m],
    ["no URL", ["--server", "localhost:3000"], /http:\/\/ or https:\/\//],
    ["credentials in the URL", ["--server", "http://a:b@localhost"], /--header/],
    ["no rate", ["--server", "http://localhost", "--rate", "fast"], /"fast" is not a rate/],
    ["no header", ["--server", "http://localhost", "--header", "s3cret"], /"Name: value"/],
  ] as const
) {
  Deno.test(`a mistake in the arguments of probe is explained: ${mistake}`, async () => {
    await inLibrary(async (description) => {
      const { code, err } = await covtool(["probe", description, ...args]);
      assert.equal(code, 1);
      assert.match(err, said);
      assert.doesNotMatch(err, /a:b@|s3cret/);
    });
  });
}
