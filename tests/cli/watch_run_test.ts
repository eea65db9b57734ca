import assert from "node:assert/strict";
import type { RoundResult } from "../../src/cli/watch.ts";
import { watchRun } from "../../src/cli/watch_run.ts";
import { COMMAND_GROUPS } from "../../src/cli/command_groups.ts";
import { resolveOptions } from "../../src/run/options/resolve_options.ts";
import { inFolder } from "../in_folder.ts";
import { fakeHost } from "./fake_host.ts";
import { SHOP_DESCRIPTION } from "./shop_files.ts";

/** A program that sends a request when its file `go1` appears, another for `go2`, and then fails. */
const COMMAND = `
const send = async (url) => {
  const line = { request: { method: "GET", url }, response: { status_code: 200 } };
  await Deno.writeTextFile(Deno.env.get("COVTOOL_TRAFFIC") + "/1-a.jsonl", JSON.stringify(line) + "\\n", { append: true });
};
await send("http://localhost/v1/books");
for await (const event of Deno.watchFs(Deno.args[0])) {
  if (event.paths.some((path) => path.endsWith("go"))) break;
}
await send("http://localhost/v1/books?limit=5");
Deno.exit(3);
`;

Deno.test("run --watch measures while the command runs, and after it when the description changes", async () => {
  const files = { "openapi.yaml": SHOP_DESCRIPTION, "test.ts": COMMAND };
  await inFolder(files, async (folder) => {
    const host = fakeHost();
    const value = resolveOptions(COMMAND_GROUPS.run, { watch: true });
    const options = {
      ...value,
      schema: `${folder}/openapi.yaml`,
      output: `${folder}/page.html`,
      command: [Deno.execPath(), "run", "-A", "--no-config", `${folder}/test.ts`, folder],
    };
    const results: (RoundResult | undefined)[] = [];
    let wake = (): void => {};
    let interrupt = (): void => {};
    const code = watchRun(() => Promise.resolve(options), [], host, {
      until: new Promise<void>((resolve) => interrupt = resolve),
      onRound: (result) => {
        results.push(result);
        wake();
      },
    });
    const reached = async (count: number): Promise<void> => {
      while (results.at(-1)?.reports[0]?.traffic.matched !== count) {
        await new Promise<void>((resolve) => wake = resolve);
      }
    };
    try {
      await reached(1);
      await Deno.writeTextFile(`${folder}/go`, "");
      await reached(2);
      await Deno.writeTextFile(
        `${folder}/openapi.yaml`,
        SHOP_DESCRIPTION.replace("/books:", "/things:"),
      );
      await reached(0);
    } finally {
      interrupt();
    }
    assert.equal(await code, 3);
    assert.match(host.err(), /\ncovtool: exit 3: the command failed with this code\n$/);
  });
});

Deno.test("run --watch reports a command that isn't found", () =>
  inFolder({ "openapi.yaml": SHOP_DESCRIPTION }, async (folder) => {
    const options = {
      ...resolveOptions(COMMAND_GROUPS.run, { watch: true }),
      schema: `${folder}/openapi.yaml`,
      output: `${folder}/page.html`,
      command: ["no-such-command-anywhere"],
    };
    await assert.rejects(() => watchRun(() => Promise.resolve(options), [], fakeHost()), {
      message: /^Command not found: no-such-command-anywhere\./,
    });
  }));

Deno.test("run --watch inside another run leaves the traffic and the reports to that", async () => {
  const command = 'Deno.exit(Deno.env.get("COVTOOL_TRAFFIC")?.endsWith("-other-a") ? 7 : 1);';
  await inFolder(
    { "openapi.yaml": SHOP_DESCRIPTION, "test.ts": command, "covtool-run-1-2-other-a/x": "" },
    async (folder) => {
      const host = fakeHost();
      const options = {
        ...resolveOptions(COMMAND_GROUPS.run, { watch: true }),
        schema: `${folder}/openapi.yaml`,
        command: [Deno.execPath(), "run", "-A", "--no-config", `${folder}/test.ts`],
      };
      Deno.env.set("COVTOOL_TRAFFIC", `${folder}/covtool-run-1-2-other-a`);
      try {
        const until = Promise.resolve();
        assert.equal(await watchRun(() => Promise.resolve(options), [], host, { until }), 7);
      } finally {
        Deno.env.delete("COVTOOL_TRAFFIC");
      }
      assert.deepEqual([host.out(), host.err()], ["", ""]);
    },
  );
});
