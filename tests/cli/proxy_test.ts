import { run } from "../../scripts/run.ts";
import assert from "node:assert/strict";
import { echo, startServer } from "../proxy/test_server.ts";
import { fails, succeeds } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { type RunningCommand, startCommand } from "./running_command.ts";
import { inShop } from "./shop_files.ts";

function start(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): RunningCommand {
  return startCommand(folder, ["proxy", ...args, "--export-ca", `${folder}/ca.pem`], env);
}

const LISTENS = /The proxy listens on (http:\S+)/;

async function curl(args: readonly string[]): Promise<string> {
  const env = { no_proxy: "", NO_PROXY: "" };
  return (await run("curl", ["-s", "--max-time", "60", ...args], { env })).out;
}

Deno.test("covtool proxy records HTTP and HTTPS, and reports when it is stopped", async () => {
  await using server = await startServer(echo, true);
  await inShop(async (folder) => {
    const proxy = start(folder, ["openapi.yaml", "-p", "0", "--insecure", "-v"]);
    const url = await proxy.said(LISTENS);
    const books = `https://localhost:${server.port}/books?limit=7`;
    const answer = await curl(["-x", url, "--cacert", `${folder}/ca.pem`, books]);
    assert.equal(JSON.parse(answer).url, "/books?limit=7");
    await proxy.said(/GET https:\/\/localhost:\d+\/books\?limit=7 200 matched\n/);
    const page = await proxy.said(/Live report: (http:\S+)/);
    const live = await (await fetch(`${page}report`)).text();
    assert.match(live, /<title>Shop/);
    const strange = await fetch(page, { headers: { host: "evil.example" } });
    await strange.body?.cancel();
    await proxy.interrupt();
    assert.match(proxy.err(), /1 request: 1 matched/);
    assert.match(await Deno.readTextFile(`${folder}/coverage.html`), /<title>Shop/);
    assert.deepEqual([...Deno.readDirSync(`${folder}/data/covtool/sessions`)], []);
  });
});

Deno.test("the proxy assigns recorded requests to several APIs", async () => {
  await using server = await startServer(echo);
  await inShop(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/covtool.yaml`,
      `title: Platform
format: json=report.json
apis:
  - { name: First, schema: openapi.yaml, basePath: /first }
  - { name: Second, schema: openapi.yaml, hosts: "localhost:${server.port}", basePath: /second }
`,
    );
    const proxy = start(folder, ["-p", "0"]);
    const url = await proxy.said(LISTENS);
    for (const path of ["/first/books", "/second/books", "/second/books?limit=3"]) {
      await curl(["-x", url, `http://localhost:${server.port}${path}`]);
    }
    const page = await proxy.said(/Live report: (http:\S+)/);
    const live = await (await fetch(`${page}report`)).text();
    assert.match(live, /<title>Platform[^]*<th scope="row">Second</);
    await proxy.interrupt();
    const { apis } = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
    assert.deepEqual(
      apis.map(({ traffic }: { traffic: { matched: number } }) => traffic.matched),
      [1, 2],
    );
  });
});

Deno.test("a command after -- gets the variables, and its exit code takes precedence", async () => {
  await using server = await startServer(echo);
  await inShop(async (folder) => {
    const run = (script: string, ...options: string[]): RunningCommand =>
      start(folder, [
        ...["openapi.yaml", "-p", "0", "--format", "json=report.json"],
        ...[...options, "--", "sh", "-c", script],
      ]);
    // Options after the command belong to the command.
    const call = `curl -s "http://127.0.0.1:${server.port}/books?limit=1" > /dev/null`;
    assert.equal(await run(`${call}; exit 7`).exitCode(), 7);
    const { traffic } = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
    assert.equal(traffic.matched, 1);
    assert.equal(await run(call).exitCode(), 0);
    assert.equal(await run(call, "--fail-under", "99").exitCode(), 1);
    const missing = start(folder, ["openapi.yaml", "-p", "0", "--", "no-such-command"]);
    await fails(missing.outcome(), /Error: Command not found: no-such-command\./);
  });
});

Deno.test("with --reverse, a command gets only COVTOOL_URL, and other requests bypass the proxy", async () => {
  const asked: string[] = [];
  await using server = await startServer(echo);
  await using other = await startServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    echo(request, response);
  });
  await inShop(async (folder) => {
    const script = [
      "env > variables",
      `curl -s -X DELETE http://127.0.0.1:${other.port}/books/1 > /dev/null`,
      'curl -s "$COVTOOL_URL/books?limit=1" > /dev/null',
    ].join("; ");
    const proxy = start(folder, [
      ...["openapi.yaml", "-p", "0", "--reverse", `http://127.0.0.1:${server.port}`],
      ...["--format", "json=report.json", "--", "sh", "-c", script],
    ]);
    assert.equal(await proxy.exitCode(), 0, proxy.err());
    assert.deepEqual(asked, ["DELETE /books/1"]);
    const { traffic } = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
    assert.deepEqual([traffic.matched, traffic.unmatched], [1, 0]);
    const variables = await Deno.readTextFile(`${folder}/variables`);
    const added = (variables.match(/^\w+(?==)/gm) ?? []).filter((name) => !Deno.env.has(name));
    assert.ok(added.includes("COVTOOL_URL"), variables);
    assert.deepEqual(added.filter((name) => /proxy|_CERT|_CA|JAVA_/i.test(name)), []);
  });
});

Deno.test("the proxy accepts the report options of covtool report", async () => {
  await using server = await startServer(echo);
  await inShop(async (folder) => {
    const call = `curl -s "http://127.0.0.1:${server.port}/books?limit=1" > /dev/null`;
    const proxy = start(folder, [
      ...["openapi.yaml", "-p", "0", "--badge-dimensions", "responses"],
      ...["--format", "text=report.txt", "--skip-empty", "--show-missing", "parameters"],
      "--no-suggestions",
      ...["--", "sh", "-c", call],
    ]);
    const { err } = await succeeds(proxy.outcome());
    assert.match(err, /--badge-dimensions is ignored without --format badge/);
    const text = await Deno.readTextFile(`${folder}/report.txt`);
    assert.match(text, /sort/);
    assert.doesNotMatch(text, /POST/);
  });
});

Deno.test("the next start recovers and reports the recording of a killed proxy", async () => {
  await using server = await startServer(echo);
  await inShop(async (folder) => {
    const args = ["openapi.yaml", "--reverse", `http://127.0.0.1:${server.port}`, "-p", "0"];
    // On macOS, the folder for data has a space in its path.
    const env = { XDG_DATA_HOME: `${folder}/my data` };
    const killed = start(folder, args, env);
    const url = await killed.said(/(http:\S+) forwards to/);
    for (let index = 1; index <= 3; index++) {
      // Recorded before the client has the whole response. A response with only its head might not be.
      await (await fetch(`${url}/books?limit=${index}`)).text();
    }
    killed.child.kill("SIGKILL");
    await killed.exitCode();
    const next = start(folder, args, env);
    const path = await next.said(/covtool report openapi\.yaml '(.+)'/);
    assert.equal(((await Deno.stat(path)).mode ?? 0) & 0o777, 0o600);
    assert.equal((await Deno.readTextFile(path)).trimEnd().split("\n").length, 3);
    await next.said(/Ctrl\+C/);
    next.child.kill("SIGTERM");
    assert.equal(await next.exitCode(), 0);
    assert.match(next.err(), /No request reached the proxy\. Do the clients call/);
  });
});

Deno.test("a port in use is skipped unless it was requested", () =>
  inShop(async (folder) => {
    await using server = await startServer(echo);
    const refused = start(folder, ["openapi.yaml", "-p", String(server.port)]);
    assert.equal(await refused.exitCode(), 1);
    assert.match(refused.err(), new RegExp(`Error: Port ${server.port} is in use\\.`));
    const first = start(folder, ["openapi.yaml"]);
    const second = start(folder, ["openapi.yaml"]);
    const urls = await Promise.all([first.said(LISTENS), second.said(LISTENS)]);
    assert.notEqual(urls[0], urls[1]);
    for (const proxy of [first, second]) {
      await proxy.said(/Ctrl\+C/);
      await proxy.interrupt();
      assert.match(proxy.err(), /No request reached the proxy\. Is HTTP_PROXY set/);
    }
    assert.match(first.err() + second.err(), /Port 8080 is in use, so the proxy listens on \d+\./);
  }));

Deno.test("the only reason given for an empty recording is an unreachable server", () =>
  inShop(async (folder) => {
    const call = "curl -s http://127.0.0.1:1/books";
    const proxy = start(folder, ["openapi.yaml", "-p", "0", "--", "sh", "-c", call]);
    await proxy.exitCode();
    assert.match(proxy.err(), /cannot be reached/);
    assert.match(proxy.err(), /No request was recorded\. The messages above say why\./);
    assert.doesNotMatch(proxy.err(), /--intercept/);
  }));

Deno.test("if a command sent nothing, a hint for its language says why", () =>
  inShop(async (folder) => {
    await Deno.writeTextFile(`${folder}/go.mod`, "module shop\n");
    const proxy = start(folder, ["openapi.yaml", "-p", "0", "--", "true"]);
    assert.equal(await proxy.exitCode(), 0);
    assert.match(
      proxy.err(),
      /No request reached the proxy\. Go's clients use no proxy for localhost/,
    );
  }));

Deno.test("a proxy that other machines can reach warns about it", () =>
  inShop(async (folder) => {
    const proxy = start(folder, ["openapi.yaml", "-p", "0", "--host", "0.0.0.0", "--", "true"]);
    await proxy.exitCode();
    assert.match(proxy.err(), /listens on port \d+ of all network interfaces\. Anyone/);
  }));

Deno.test("the proxy doesn't take the port of a server that isn't running yet", () =>
  inShop(async (folder) => {
    const proxy = start(folder, ["openapi.yaml", "--reverse", "http://localhost:8080"]);
    const url = await proxy.said(/(http:\S+) forwards to/);
    assert.notEqual(new URL(url).port, "8080");
    await proxy.said(/Ctrl\+C/);
    await proxy.interrupt();
  }));

Deno.test("with a host in the base path, only requests to this host are recorded", async () => {
  await using server = await startServer(echo);
  await inShop(async (folder) => {
    const host = `127.0.0.1:${server.port}`;
    const proxy = start(folder, [
      ...["openapi.yaml", "-p", "0", "--base-path", `http://${host}/api`],
      ...["--save-traffic", "traffic.jsonl"],
    ]);
    const url = await proxy.said(LISTENS);
    await curl(["-x", url, `http://localhost:${server.port}/api/books`]);
    await curl(["-x", url, `http://${host}/api/books?api_key=s3cret`]);
    await proxy.said(/Ctrl\+C/);
    await proxy.interrupt();
    const lines = (await Deno.readTextFile(`${folder}/traffic.jsonl`)).trimEnd().split("\n");
    assert.deepEqual(lines.map((line) => JSON.parse(line).request.url), [
      `http://${host}/api/books?api_key=a1aaaa`,
    ]);
  });
});

Deno.test("errors of the proxy are one line that says what to do", () =>
  inShop(async (folder) => {
    const wrong: readonly [readonly string[], RegExp][] = [
      [[], /No description is given\. Name an OpenAPI file or URL/],
      [["openapi.yaml", "--save-traffic", "openapi.yaml"], /would overwrite openapi\.yaml/],
      [["openapi.yaml", "--save-traffic", "traffic.json"], /isn't a proxy recording/],
      [["openapi.yaml", "--reverse", "localhost:1"], /Use a URL/],
      [["openapi.yaml", "-p", "4567", "--reverse", "http://localhost:4567"], /is the proxy itself/],
      [["openapi.yaml", "--upstream-proxy", "socks5://x"], /upstream proxy cannot be used/],
      [["openapi.yaml", "--intercept", "http://x"], /is not a valid host/],
      [["openapi.yaml", "--body-limit", "ten"], /Expected a size/],
      [
        ["openapi.yaml", "--host", "no.invalid"],
        /Is no\.invalid an address of this machine\? Choose/,
      ],
      [["nope.yaml"], /Cannot load nope\.yaml/],
    ];
    const variables = { XDG_DATA_HOME: `${folder}/data` };
    for (const [args, expected] of wrong) {
      const { err } = await fails(runCovtool(["proxy", ...args], { variables }), expected);
      assert.deepEqual(err.split("\n").slice(1), ["covtool: exit 1: error", ""], err);
    }
  }));

Deno.test("--print-ca-help explains how clients trust the certificate, with its path", async () => {
  const { out } = await succeeds(runCovtool("proxy --print-ca-help --export-ca /x/ca.pem"));
  for (const client of ["curl", "Node.js", "Deno", "Python", "Java", "Chromium", "Firefox"]) {
    assert.ok(out.includes(client), client);
  }
  assert.ok(out.includes("NODE_EXTRA_CA_CERTS=/x/ca.pem"));
});
