import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { COMMAND_GROUPS } from "../../src/cli/command_groups.ts";
import { readArguments } from "../../src/cli/read_arguments.ts";
import { type RoundResult, watchReport, watchRun } from "../../src/cli/watch.ts";
import { resolveOptions } from "../../src/run/options/resolve_options.ts";
import { inFolder, inWorkingFolder } from "../in_folder.ts";
import { type FakeHost, fakeHost } from "./fake_host.ts";
import { SHOP_DESCRIPTION, SHOP_TRAFFIC } from "./shop_files.ts";

/** A session that runs while a test changes its files. */
interface Session {
  readonly host: FakeHost;
  /** Waits for the next round; undefined if it failed. */
  next(): Promise<RoundResult | undefined>;
  /** Replaces a file atomically, as many programs do. */
  put(path: string, text: string): Promise<void>;
  /** Presses Ctrl+C. Returns the exit code. */
  end(): Promise<number>;
}

async function watching(
  args: readonly string[],
  files: Readonly<Record<string, string>>,
  test: (session: Session) => Promise<void>,
): Promise<void> {
  const all = { "openapi.yaml": SHOP_DESCRIPTION, "traffic.json": SHOP_TRAFFIC, ...files };
  await inWorkingFolder(all, async () => {
    const parsed = readArguments(COMMAND_GROUPS.report, ["--watch", ...args]);
    assert.ok(parsed);
    const host = fakeHost();
    const results: (RoundResult | undefined)[] = [];
    let isWaiting: (() => void) | undefined;
    let interrupt = (): void => {};
    const until = new Promise<void>((resolve) => {
      interrupt = resolve;
    });
    const code = watchReport(parsed, host, {
      until,
      onRound: (result) => {
        results.push(result);
        isWaiting?.();
      },
    });
    try {
      await test({
        host,
        next: async () => {
          if (results.length === 0) await new Promise<void>((resolve) => isWaiting = resolve);
          return results.shift();
        },
        put: async (path, text) => {
          await Deno.writeTextFile(`${path}.new`, text);
          await Deno.rename(`${path}.new`, path);
        },
        end: async () => {
          interrupt();
          return await code;
        },
      });
    } finally {
      interrupt();
      await code;
    }
  });
}

function traffic(...urls: readonly string[]): string {
  const interactions = urls.map((url) => ({
    request: { method: "GET", url: `http://localhost${url}` },
    response: { status_code: 200 },
  }));
  return JSON.stringify({ interactions });
}

/** What was printed since `before`. */
function newText(host: FakeHost, before: string): string {
  return host.err().slice(before.length);
}

Deno.test("report --watch prints what changed when a recording is replaced", () =>
  watching(["openapi.yaml", "traffic.json", "-o", "page.html"], {}, async (session) => {
    const first = await session.next();
    assert.equal(first?.reports[0]?.traffic.recorded, 3);
    const before = session.host.err();
    await session.put("traffic.json", traffic("/v1/books?limit=5&sort=title"));
    const second = await session.next();
    assert.equal(second?.reports[0]?.traffic.recorded, 1);
    const text = newText(session.host, before);
    assert.match(text, /\n2 requests fewer\n/);
    assert.match(text, /\nParameters 33\.3% → 66\.7% \(\+33\.3\) {2}2 of 3\n/);
    assert.match(text, /gaps? closed\n {4}GET \/books: query sort was never sent\n/);
    assert.match(text, /gaps? opened\n {4}GET \/books: maximum of query limit never failed/);
    assert.doesNotMatch(text, /Operations/);
    assert.match(await Deno.readTextFile("page.html"), /sort/);
  }));

Deno.test("report --watch prints what changed in each of several APIs", async () => {
  const files = {
    "covtool.yaml":
      "traffic: traffic.json\nformat: html\napis:\n  - { name: One, schema: openapi.yaml }\n  - { name: Two, schema: openapi.yaml, basePath: /v2 }\n",
  };
  await watching([], files, async (session) => {
    await session.next();
    const before = session.host.err();
    await session.put("traffic.json", traffic("/v1/books?limit=5&sort=title", "/v2/books"));
    const second = await session.next();
    assert.deepEqual(second?.reports.map(({ traffic }) => traffic.matched), [1, 1]);
    const text = newText(session.host, before);
    assert.match(text, /\nOne\n[^]*Parameters 33\.3% → 66\.7%[^]*\nTwo\n[^]*Operations 0% → 50%/);
  });
});

Deno.test("report --watch lists only new findings", () =>
  watching(["openapi.yaml", "traffic.json", "-o", "page.html"], {}, async (session) => {
    await session.next();
    const before = session.host.err();
    await session.put("traffic.json", traffic("/v1/books?limit=500", "/v1/books?sort=x"));
    await session.next();
    const text = newText(session.host, before);
    assert.match(
      text,
      /1 new finding\n {4}GET \/books: 1 request that only enum of query sort makes invalid/,
    );
    assert.doesNotMatch(text, /only maximum/);
  }));

Deno.test("report --watch measures again when the description, a file of it or the config file changes", async () => {
  const config = "schema: api/openapi.yaml\ntraffic: traffic.json\nformat: json=a.json\n";
  const files = {
    "covtool.yaml": config,
    "api/openapi.yaml": SHOP_DESCRIPTION.replace("{ type: object }", "{ $ref: book.yaml }"),
    "api/book.yaml": "type: object\n",
  };
  await watching([], files, async (session) => {
    const first = await session.next();
    await session.put("api/book.yaml", "type: object\nminProperties: 1\nmaxProperties: 2\n");
    const second = await session.next();
    assert.equal(
      second?.reports[0]?.summary.keywords.total,
      (first?.reports[0]?.summary.keywords.total ?? 0) + 2,
    );
    await session.put("covtool.yaml", `${config}title: Books\n`);
    assert.equal((await session.next())?.reports[0]?.title, "Books");
    await session.put("api/openapi.yaml", SHOP_DESCRIPTION.replace("/books:", "/things:"));
    assert.equal((await session.next())?.reports[0]?.traffic.matched, 0);
  });
});

Deno.test("report --watch measures again when a broken overlay is mended", async () => {
  const args = ["openapi.yaml", "traffic.json", "--overlay", "overlay.yaml", "-o", "a.html"];
  const files = { "overlay.yaml": "overlay: 1.0.0\nactions: [" };
  await watching(args, files, async (session) => {
    assert.equal(await session.next(), undefined);
    await session.put(
      "overlay.yaml",
      `overlay: 1.0.0
info: { title: Names, version: "1" }
actions: [{ target: $.info, update: { title: Books } }]
`,
    );
    assert.equal((await session.next())?.reports[0]?.title, "Books");
  });
});

Deno.test("report --watch notices added and removed recordings, and ignores its own output", async () => {
  const args = ["openapi.yaml", "recordings", "--format", "json=recordings/coverage.json"];
  const files = { "recordings/a.json": traffic("/v1/books") };
  await watching(args, files, async (session) => {
    assert.equal((await session.next())?.reports[0]?.traffic.recorded, 1);
    await session.put("recordings/b.json", traffic("/v1/books", "/v1/books"));
    assert.equal((await session.next())?.reports[0]?.traffic.recorded, 3);
    await Deno.remove("recordings/a.json");
    assert.equal((await session.next())?.reports[0]?.traffic.recorded, 2);
    const written = JSON.parse(await Deno.readTextFile("recordings/coverage.json"));
    assert.equal(written.traffic.recorded, 2);
  });
});

Deno.test("report --watch says that the description has no such gap", () =>
  watching(["openapi.yaml", "traffic.json", "--gap", "g-00000000"], {}, async (session) => {
    assert.equal(await session.next(), undefined);
    assert.match(session.host.err(), /No operation of the description has the gap g-00000000/);
  }));

Deno.test("report --watch repeats no warning that still applies", async () => {
  const args = ["openapi.yaml", "traffic.json", "-o", "a.html", "--show-missing", "all"];
  await watching(args, {}, async (session) => {
    await session.next();
    assert.match(session.host.err(), /--show-missing is ignored without --format text\./);
    const before = session.host.err();
    await session.put("traffic.json", traffic("/v1/books"));
    await session.next();
    assert.doesNotMatch(newText(session.host, before), /--show-missing/);
  });
});

Deno.test("report --watch ends on Ctrl+C with the exit code of the last measurement", async () => {
  const args = ["openapi.yaml", "traffic.json", "-o", "a.html", "--fail-under-parameters", "60"];
  await watching(args, {}, async (session) => {
    await session.next();
    await session.put("traffic.json", traffic("/v1/books?limit=5&sort=title"));
    await session.next();
    assert.equal(await session.end(), 0);
  });
  await watching(args, {}, async (session) => {
    await session.next();
    assert.equal(await session.end(), 1);
    assert.match(
      session.host.err(),
      /\ncovtool: exit 1: requirements not met \(.*parameters.*\)\n$/,
    );
  });
  await watching(args, {}, async (session) => {
    await session.next();
    await session.put("openapi.yaml", "openapi: 3.1.0\npaths: [");
    await session.next();
    assert.equal(await session.end(), 1);
    assert.match(session.host.err(), /\ncovtool: exit 1: error\n$/);
  });
});

Deno.test("the page of report --watch has the last report, and announces the next", () =>
  watching(["openapi.yaml", "traffic.json", "-o", "a.html"], {}, async (session) => {
    await session.next();
    while (!session.host.err().includes("Live report: ")) {
      await new Promise((resolve) => setTimeout(resolve));
    }
    const [url] = /http:\S+/.exec(session.host.err()) ?? [];
    assert.match(await (await fetch(`${url}report`)).text(), /Shop/);
    const news = await fetch(`${url}news`);
    const reader = news.body?.pipeThrough(new TextDecoderStream()).getReader();
    await session.put("traffic.json", traffic("/v1/books"));
    let told: string | undefined = "";
    while (told !== undefined && !told.includes("data: 2\n")) told = (await reader?.read())?.value;
    assert.equal(told, "data: 2\n\n");
    await reader?.cancel();
  }));

Deno.test("standard input can't be watched", async () => {
  const parsed = readArguments(COMMAND_GROUPS.report, ["--watch", "openapi.yaml", "-"]);
  assert.ok(parsed);
  await assert.rejects(() => watchReport(parsed, fakeHost()), {
    message: /^Standard input can only be read once, so it can't be watched\./,
  });
});

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

Deno.test("run --watch measures what comes while it measures, even if it ends then", async () => {
  const command = 'await Deno.writeTextFile(Deno.args[0], Deno.env.get("COVTOOL_TRAFFIC"));';
  await inFolder({ "openapi.yaml": SHOP_DESCRIPTION, "test.ts": command }, async (folder) => {
    const host = fakeHost();
    const options = {
      ...resolveOptions(COMMAND_GROUPS.run, { watch: true }),
      schema: `${folder}/openapi.yaml`,
      output: `${folder}/page.html`,
      command: [
        ...[Deno.execPath(), "run", "-A", "--no-config"],
        ...[`${folder}/test.ts`, `${folder}/where`],
      ],
    };
    let interrupt = (): void => {};
    const until = new Promise<void>((resolve) => interrupt = resolve);
    let isFirst = true;
    const stderr = {
      ...host.stderr,
      write: async (text: string) => {
        if (isFirst) {
          isFirst = false;
          while (!existsSync(`${folder}/where`)) await delay(20);
          await delay(200); // until the command has ended
          const where = await Deno.readTextFile(`${folder}/where`);
          const line = { request: { method: "GET", url: "/v1/books" } };
          await Deno.writeTextFile(`${where}/1-a.jsonl`, `${JSON.stringify(line)}\n`);
          interrupt();
          await delay(20);
        }
        await host.stderr.write(text);
      },
    };
    const matched: (number | undefined)[] = [];
    await watchRun(() => Promise.resolve(options), [], { ...host, stderr }, {
      until,
      onRound: (result) => matched.push(result?.reports[0]?.traffic.matched),
    });
    assert.deepEqual(matched, [0, 1]);
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
