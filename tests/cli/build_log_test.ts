import assert from "node:assert/strict";
import { REPORT_FORMATS } from "../../src/report/reporters.ts";
import { echo, startServer } from "../proxy/test_server.ts";
import { fails } from "../command_end.ts";
import { runCovtool } from "./fake_host.ts";
import { startCommand } from "./running_command.ts";
import { inWorkingFolder, writeJson } from "../in_folder.ts";

const COMMANDS = [
  "::error file=a.ts::x",
  "##vso[task.setvariable variable=a]b",
  "##[error]x",
  "##teamcity[buildStatus status='FAILURE']",
  "section_start:1:a",
  // Inside a word that is too long for a line.
  "w".repeat(39) + "::warning::x",
  "w".repeat(59) + "::warning::x",
  "w".repeat(60) + "::warning::x",
];
// deno-lint-ignore no-control-regex -- colours may come before a command
const COMMAND = /^(?:\s|\u001b\[[\d;]*m)*(?:::|section_(?:start|end):)|##[\w.-]*\[/m;

const NAME = COMMANDS.join(" and then ");

function description(title: string): unknown {
  return {
    openapi: "3.1.0",
    info: { title, version: NAME },
    paths: Object.fromEntries(COMMANDS.map((command) => [`/${command.replace(/[?#].*/s, "")}`, {
      get: { operationId: command, tags: [command], parameters: [{ name: command, in: "query" }] },
      // A diagnostic quotes a reference that doesn't resolve.
      post: { requestBody: { $ref: `${command} ${NAME}` } },
    }])),
  };
}

async function withTraffic(run: (folder: string) => Promise<void>): Promise<void> {
  const interactions = COMMANDS.map((command) => ({
    request: { method: command, url: `http://localhost/no ${command}`, body: NAME },
    timestamp: NAME,
  }));
  await inWorkingFolder({ "in.json": { interactions } }, run);
}

Deno.test("nothing that covtool prints is a command for a build server", () =>
  withTraffic(async () => {
    for (const title of [...COMMANDS, NAME]) {
      await writeJson("openapi.json", description(title));
      for (const format of REPORT_FORMATS) {
        // Standard error wraps the same in every format, so other widths are tested with text and HTML only.
        for (const COLUMNS of /text|html/.test(format) ? ["60", "80", "1000"] : ["80"]) {
          const { out, err } = await fails(runCovtool([
            ...["report", "openapi.json", "in.json", "--title", title, "--fail-under", "100"],
            ...["--format", format === "html" ? "html=/dev/null" : format],
          ], { variables: { COLUMNS } }));
          for (const text of [out, err]) {
            assert.doesNotMatch(text, COMMAND, `${format} of ${title} in ${COLUMNS} columns`);
          }
        }
      }
    }
  }));

Deno.test("the page on standard output contains no command either", () =>
  withTraffic(async () => {
    await writeJson("openapi.json", description(NAME));
    const { out } = await runCovtool("report openapi.json in.json --format html=-");
    assert.match(out, /<title>/);
    assert.doesNotMatch(out, /##[\w.-]*\[/);
  }));

Deno.test("errors, warnings and converted traffic contain no command", () =>
  withTraffic(async () => {
    for (const command of COMMANDS) {
      const name = `a ${command.replaceAll("/", "")}`;
      await Deno.writeTextFile(name, "no recording");
      for (const columns of [40, 60, undefined]) {
        for (
          const args of [
            ["report", `${name} missing`, "in.json"],
            ["report", name, "in.json"],
            ["convert", name],
            ["convert", "in.json"],
            ["convert", "in.json", name, "-o", `out ${command.replaceAll("/", "")}`],
            [command],
            ["report", "--format", command],
            ["report", `--${command}`],
          ]
        ) {
          const { out, err } = await runCovtool(args, columns === undefined ? {} : { columns });
          const text = out + err.replaceAll("\r\u001b[K", "\n");
          assert.doesNotMatch(text, COMMAND, args.join(" "));
        }
      }
    }
  }));

Deno.test("converted traffic on standard output is read back unchanged", () =>
  withTraffic(async () => {
    const { out } = await runCovtool("convert in.json --no-redact");
    const { interactions } = JSON.parse(out);
    assert.deepEqual(
      interactions.map(({ request }: { request: { body: string } }) => request.body),
      COMMANDS.map(() => NAME),
    );
  }));

Deno.test("the proxy's output contains no command", async () => {
  await using server = await startServer(echo);
  await withTraffic(async (folder) => {
    await writeJson("openapi.json", description("Shop"));
    const proxy = startCommand(folder, [
      ...["proxy", "openapi.json", "-p", "0", "-v", "--export-ca", "ca.pem"],
      ...["--reverse", `http://127.0.0.1:${server.port}`],
    ]);
    const url = await proxy.said(/(http:\S+) forwards to/);
    const { hostname, port } = new URL(url);
    const client = await Deno.connect({ hostname, port: Number(port) });
    await client.write(
      new TextEncoder().encode(
        "GET /asked::error::x##vso[task.complete]x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
      ),
    );
    for await (const _ of client.readable);
    // Clients don't send fragments, so the proxy leaves them out.
    await proxy.said(/asked::error/);
    proxy.child.kill("SIGINT");
    await proxy.exitCode();
    assert.doesNotMatch(proxy.err(), COMMAND);
  });
});
