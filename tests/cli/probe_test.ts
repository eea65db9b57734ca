import { runOrThrow } from "../../scripts/run.ts";
import assert from "node:assert/strict";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { LIBRARY, LibraryServer } from "../run/probe/library_server.ts";
import { fails, succeeds } from "../command_end.ts";
import { type Ended, runCovtool } from "./fake_host.ts";
import { inWorkingFolder } from "../in_folder.ts";

/** Runs `covtool probe` with a line of options. */
async function probe(options: string): Promise<Ended> {
  return await runCovtool(`probe openapi.json ${options}`);
}

async function inLibrary(action: (server: LibraryServer) => Promise<void>): Promise<void> {
  await using server = await new LibraryServer().start();
  await inWorkingFolder({ "openapi.json": LIBRARY }, () => action(server));
}

Deno.test("probe --gap sends requests only to the operations of these gaps", () =>
  inLibrary(async (server) => {
    const { out } = await runCovtool("gaps openapi.json --kinds operations --format json");
    const { gaps } = JSON.parse(out) as { gaps: { id: string; method: string }[] };
    const ids = (method: string) =>
      gaps.filter((gap) => gap.method === method).map(({ id }) => `--gap ${id}`).join(" ");
    const { err } = await succeeds(probe(`--server ${server.url} --format text ${ids("GET")}`));
    assert.doesNotMatch(err, /left out/);
    await fails(probe(`--server ${server.url} ${ids("POST")}`), /--unsafe sends those too/);
  }));

Deno.test("probe sends requests that close gaps, and prints a report", () =>
  inLibrary(async (server) => {
    server.add("Emma");
    const { out, err } = await succeeds(
      probe(`--server ${server.url} --format text --fail-under-operations 60 --max 50`),
    );
    assert.match(out, /Operations .* 60% .* 3 of 5/);
    assert.match(err, new RegExp(`^\\d+ requests sent to ${server.url}\\. Nothing is left`));
    assert.match(err, /2 operations left out, as their methods change data: --unsafe sends/);
    assert.match(
      err,
      /Warning: No value is known for \$COVTOOL_AUTH_SHOP_KEY: set the environment\s+variable/,
    );
  }));

Deno.test("probe without --save-traffic writes its report to a file that the shell opened", () =>
  inLibrary(async (server) => {
    await runOrThrow("sh", [
      ...["-c", `exec "$@" > "report.txt"`, "sh", Deno.execPath(), "run", "-A"],
      ...[COVTOOL_MODULE, "probe", "openapi.json", "--server", server.url],
      ...["--format", "text", "--max", "1"],
    ]);
    assert.match(Deno.readTextFileSync("report.txt"), /Operations/);
  }));

Deno.test("probe doesn't repeat requests for what recordings cover", () =>
  inLibrary(async (server) => {
    server.add("Emma");
    await probe(`--server ${server.url} --format text --save-traffic probe.jsonl`);
    const count = server.seen.length;
    assert.ok(count > 5);
    await probe(`probe.jsonl --server ${server.url} --format text`);
    assert.equal(server.seen.length, count);
    const report = await runCovtool("report openapi.json probe.jsonl --format text");
    assert.match(report.out, /3 of 5/);
  }));

Deno.test("probe lists what it created, with other values for another seed", () =>
  inLibrary(async (server) => {
    const all = `--server ${server.url} --format text --unsafe`;
    const titles = new Set<string>();
    for (const seed of ["1", "2"]) {
      const saved = `${seed}.jsonl`;
      const { err } = await probe(`${all} --seed ${seed} --save-traffic ${saved}`);
      assert.match(err, /^Created: POST \/books \(\d\)\.$/m);
      const [, title = ""] = /title\W+(text-\w+)/.exec(Deno.readTextFileSync(saved)) ?? [];
      titles.add(title);
    }
    assert.equal(titles.size, 2);
    assert.ok(!titles.has(""));
  }));

Deno.test("mistakes in the arguments of probe are explained", () =>
  inLibrary(async () => {
    const wrong: readonly [string, RegExp][] = [
      ["", /Say which server to send requests to: --server/m],
      ["--server localhost:3000", /http:\/\/ or https:\/\//],
      ["--server http://a:b@localhost", /--header/],
      ["--server http://localhost --rate fast", /"fast" is not a rate/],
      ["--server http://localhost --header s3cret", /"Name: value"/],
    ];
    for (const [args, said] of wrong) {
      const { err } = await fails(probe(args), said);
      assert.doesNotMatch(err, /a:b@|s3cret/);
    }
  }));
