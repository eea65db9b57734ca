import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { dirname } from "node:path";
import { type Ended, runOrThrow } from "../../scripts/run.ts";
import { shellBlocks } from "../../scripts/docs/shell_blocks.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { bundledProgram } from "../covtool_module.ts";
import { writeJson } from "../in_folder.ts";
import { once } from "../once.ts";

const OWN_PATH = "tests/docs/permissions_test.ts";
const COMMANDS = /^deno run --no-prompt .*jsr:@covtool\/covtool\/cli /;
const LIBRARY = /^deno run --no-prompt main\.ts$/;
const NODE = /^node --permission /;
const STARTS = [COMMANDS, LIBRARY, NODE];
const SHOP = `${ROOT}/examples/bookshop`;
/** Output of documented lines that shows that they work; the others need only succeed. */
const SAID: Readonly<Record<string, RegExp>> = {
  "--watch": /Report: coverage\.html/,
  "proxy openapi.yaml --reverse": /1 request/,
  "-- npm test": /1 request/,
  "-- deno test": /1 request/,
};

/** Documented lines with this beginning, which this test runs. */
async function documentedLines(start: RegExp): Promise<readonly string[]> {
  const page = await Deno.readTextFile(`${ROOT}/docs/install.md`);
  const lines = shellBlocks(page).blocks.filter(({ runBy }) => runBy === OWN_PATH)
    .flatMap(({ script }) => script.split("\n")).filter((line) => line !== "");
  assert.ok(
    lines.every((line) => STARTS.some((one) => one.test(line))),
    "a line is run by no test",
  );
  return lines.filter((line) => start.test(line));
}

const cacheOfDeno = once(async () => {
  const info = await runOrThrow(Deno.execPath(), ["info", "--json"]);
  return (JSON.parse(info) as { readonly denoDir: string }).denoDir;
});

/** Lets Deno fetch what the lines need, with the variables of this process, which may configure the network. */
const fetchPackages = once(async () => {
  const folder = await Deno.makeTempDir({ prefix: "covtool-packages-" });
  await writeJson(`${folder}/deno.json`, { links: [ROOT] });
  const modules = ["", "/cli", "/deno", "/proxy"].map((name) => `jsr:@covtool/covtool${name}`);
  const imports = modules.map((module) => `import "${module}";\n`).join("");
  await Deno.writeTextFile(`${folder}/packages.ts`, imports);
  await runOrThrow(Deno.execPath(), ["cache", "--quiet", "packages.ts"], { cwd: folder });
  const lock = await Deno.readTextFile(`${folder}/deno.lock`);
  await Deno.remove(folder, { recursive: true });
  return lock;
});

/** A folder with everything that the lines need, where the JSR package is replaced by the sources. */
class Project {
  readonly folder: string;
  readonly #port: number;
  readonly #cache: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  private constructor(folder: string, cache: string) {
    this.folder = folder;
    this.#cache = cache;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) =>
        new URL(request.url).pathname === "/openapi.yaml"
          ? new Response(Deno.readTextFileSync(`${SHOP}/openapi.yaml`))
          : Response.json({}),
    );
    this.#port = this.#server.addr.port;
  }

  static async open(): Promise<Project> {
    const folder = await Deno.makeTempDir({ prefix: "covtool-permissions-" });
    const project = new Project(folder, await cacheOfDeno());
    for (const name of ["openapi.yaml", "traffic.json", "access.log"]) {
      await Deno.copyFile(`${SHOP}/${name}`, `${folder}/${name}`);
    }
    await writeJson(`${folder}/deno.json`, { links: [ROOT] });
    await Deno.writeTextFile(
      `${folder}/shop_test.ts`,
      `import { collector } from "jsr:@covtool/covtool/deno";
const shop = collector.handler.trackClient((_request: Request) => Promise.resolve(Response.json([])));
Deno.test("sends", async () => void await shop(new Request("http://localhost/api/v1/books")));
`,
    );
    await Deno.writeTextFile(`${folder}/deno.lock`, await fetchPackages());
    await Deno.mkdir(`${folder}/bin`);
    // Checking types needs no permission, but takes longer than everything else.
    const deno = `#!/bin/sh\n[ $1 = test ] && shift && set -- test --no-check "$@"\n`;
    const starts = `${deno}exec "${Deno.execPath()}" "$@"\n`;
    await Deno.writeTextFile(`${folder}/bin/deno`, starts, { mode: 0o755 });
    // For any kind of test: sends a request through the proxy, or records one like a test runner.
    const seen = JSON.stringify({
      request: { method: "GET", url: "http://localhost/api/v1/books" },
      response: { status_code: 200 },
    });
    await Deno.writeTextFile(
      `${folder}/bin/npm`,
      `#!/bin/sh
if [ -n "$COVTOOL_TRAFFIC" ]; then echo '${seen}' > "$COVTOOL_TRAFFIC/1-0-a.jsonl"
else node -e '
  const { hostname, port } = new URL(process.env.HTTP_PROXY);
  const path = "http://localhost:${project.#port}/api/v1/books";
  require("node:http").get({ hostname, port, path }, (response) => response.resume());
'; fi
`,
      { mode: 0o755 },
    );
    return project;
  }

  async close(): Promise<void> {
    await this.#server.shutdown();
    await Deno.remove(this.folder, { recursive: true });
  }

  /** Runs a line in a shell with only the usual variables, and interrupts commands that don't end. */
  async run(line: string): Promise<Ended> {
    const child = new Deno.Command("bash", {
      args: ["-c", `exec ${line.replaceAll("localhost:3000", `localhost:${this.#port}`)}`],
      cwd: this.folder,
      clearEnv: true,
      env: {
        HOME: `${this.folder}/home`,
        PATH: `${this.folder}/bin:${Deno.env.get("PATH")}`,
        DENO_DIR: this.#cache,
        NO_COLOR: "1",
      },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const [out, err, { code }] = await Promise.all([
      new Response(child.stdout).text(),
      this.#watched(child, line),
      child.status,
    ]);
    return { code, out, err };
  }

  /** The standard error of a command. */
  async #watched(child: Deno.ChildProcess, line: string): Promise<string> {
    let err = "";
    let isEnded = !isEndless(line);
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      err += text;
      // Both serve a page, and print its address when they are ready.
      if (isEnded || !/http:\/\/127\.0\.0\.1:\d+\/\w{32}\/\s/.test(err)) continue;
      isEnded = true;
      const proxy = /(http:\S+) forwards to/.exec(err)?.[1];
      if (proxy !== undefined) await (await fetch(`${proxy}/api/v1/books`)).text();
      child.kill("SIGINT");
    }
    return err;
  }
}

function isEndless(line: string): boolean {
  return / --watch\b/.test(line) || / proxy .* --reverse \S+$/.test(line);
}

async function inProject(test: (project: Project) => Promise<void>): Promise<void> {
  const project = await Project.open();
  try {
    await test(project);
  } finally {
    await project.close();
  }
}

const linux = Deno.build.os === "linux";

Deno.test(
  "every documented line works with the permissions in it",
  { ignore: !linux },
  async () => {
    const lines = await documentedLines(COMMANDS);
    assert.ok(lines.length >= 16, String(lines.length));
    await inProject(async (project) => {
      await Deno.mkdir(`${project.folder}/hits`);
      await project.run(
        "deno run --no-prompt --allow-read=. --allow-write=. jsr:@covtool/covtool/cli report openapi.yaml traffic.json --format hits=hits/a.hits --format json=main.json",
      );
      for (const line of lines) {
        const { code, out, err } = await project.run(line);
        // The exit code of a run that ends by Ctrl+C doesn't matter.
        assert.ok(code === 0 || isEndless(line), `${line}\n${code}\n${err}${out}`);
        assert.doesNotMatch(
          err,
          /Error|doesn't permit|not permitted|NotCapable|cannot be used/,
          line,
        );
        const said = Object.entries(SAID).find(([words]) => line.includes(words))?.[1];
        if (said !== undefined) assert.match(out + err, said, line);
      }
    });
  },
);

/** The documented line that contains these words. */
async function lineWith(words: string): Promise<string> {
  const found = (await documentedLines(COMMANDS)).find((line) => line.includes(words));
  if (found === undefined) throw new TypeError(`No documented line has ${words}.`);
  return found;
}

/** The message about a denied access, with the option to add. */
function needs(access: string, target?: string): RegExp {
  if (target === undefined) return new RegExp(`${access} access: add --allow-${access} `);
  return new RegExp(`${access} access to (${target}): add --allow-${access}=\\1 `);
}

/** Words of a documented line, an option to remove or replace, and covtool's message without it. */
const LESS: readonly (readonly [words: string, option: RegExp, said: RegExp, instead?: string])[] =
  [
    ["--format text", /--allow-read=\S+ /, needs("read", "openapi.yaml")],
    ["report openapi.yaml traffic.json\n", /--allow-write=\S+ /, needs("write", "coverage.html")],
    ["report http:", /--allow-net=\S+ /, needs("net", "localhost:\\d+")],
    ["--watch", /--allow-net=\S+ /, needs("net", "127.0.0.1:0")],
    ["cli probe", /--allow-net=\S+ /, needs("net", "localhost:\\d+")],
    ["-- npm test", /--allow-env /, needs("env")],
    ["-- npm test", /--allow-run=\S+ /, needs("run", "npm")],
    ["-- npm test", /--allow-read=\S+ /, needs("read", "/tmp\\S*"), "--allow-read=. "],
    [
      "--reverse",
      /--allow-net=\S+ /,
      needs("net", "127.0.0.1:8080"),
      "--allow-net=localhost:3000 ",
    ],
    ["--reverse", /--allow-net=\S+ /, needs("net", "localhost:\\d+"), "--allow-net=127.0.0.1 "],
    ["--reverse", /--allow-sys=\S+ /, needs("sys", "homedir")],
    ["--reverse", /,\/etc\/ssl/, /add --allow-read=\/etc\/ssl,\/etc\/pki or --allow-sys /],
    [
      "cli init",
      /--allow-write=\S+ /,
      /write access to \S*covtool\.yaml: add --allow-write=covtool\.yaml /,
    ],
  ];

Deno.test("the error about a missing permission names the option to add", {
  ignore: !linux,
}, async () => {
  await inProject(async (project) => {
    for (const [words, option, said, instead = ""] of LESS) {
      const line = await lineWith(words.trimEnd());
      const less = line.replace(option, instead);
      assert.notEqual(less, line, words);
      const { err, out } = await project.run(less);
      assert.match(err, said, `${less}\n${out}`);
      assert.doesNotMatch(err, /^\s+at |Uncaught|Internal error|NotCapable/m, less);
    }
  });
});

Deno.test("the library needs no permission for values, and one for files", async () => {
  const [line = ""] = await documentedLines(LIBRARY);
  assert.notEqual(line, "");
  await inProject(async (project) => {
    const main = (made: string) =>
      Deno.writeTextFile(
        `${project.folder}/main.ts`,
        `import { CoverageMap } from "jsr:@covtool/covtool";
const map = ${made};
map.record({ method: "GET", url: "http://localhost/api/v1/books" }, { status_code: 200 });
const html = map.generateReport();
console.log(map.generateTextReport(), html.length, map.exportHits().length, map.suggestRequests({ server: "http://localhost" }).requests.length);
`,
      );
    await main(`CoverageMap.fromDict({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: { "/api/v1/books": { get: { responses: { 200: { description: "" } } } } },
})`);
    const values = await project.run(line);
    assert.equal(values.code, 0, values.err);
    assert.match(values.out, /Operations .* 1 of 1/);
    await main('await CoverageMap.fromPath("openapi.yaml")');
    const denied = await project.run(line);
    assert.match(denied.err, /read access to openapi\.yaml: add --allow-read=openapi\.yaml /);
    const file = await project.run(line.replace("main.ts", "--allow-read=openapi.yaml main.ts"));
    assert.equal(file.code, 0, file.err);
  });
});

Deno.test("the line for Node.js works with its permissions, and not with fewer", async () => {
  const [line = ""] = await documentedLines(NODE);
  await inProject(async (project) => {
    const bin = `${project.folder}/node_modules/covtool/bin`;
    cpSync(dirname(await bundledProgram()), bin, { recursive: true });
    await Deno.rename(`${bin}/cli.js`, `${bin}/covtool.js`);
    await Deno.writeTextFile(`${bin}/package.json`, '{"type":"module"}');
    const { out } = await project.run(
      "node -p process.allowedNodeEnvironmentFlags.has('--permission')",
    );
    const run = (text: string) =>
      project.run(
        out.startsWith("true") ? text : text.replace(" --permission", " --experimental-permission"),
      );
    const { code, err } = await run(line);
    assert.equal(code, 0, err);
    assert.match(err, /Report: coverage\.html/);
    assert.ok((await Deno.stat(`${project.folder}/coverage.html`)).size > 0);
    const { err: denied } = await run(line.replace(/--allow-fs-write=\S+ /, ""));
    assert.match(
      denied,
      /Node\.js doesn't permit write access to coverage\.html: add --allow-fs-write=coverage\.html /,
    );
    assert.doesNotMatch(denied, /^\s+at /m);
  });
});
