import assert from "node:assert/strict";
import { run } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { COVTOOL_MODULE } from "../covtool_module.ts";
import { inFolder } from "../in_folder.ts";
import { needsPython, PYTHON } from "../recorders/python_project.ts";
import { commandWorks, needing, type Requirement } from "../requirement.ts";

const PROGRAMS = `${ROOT}/tests/proxy/clients/heeding`;
const NAMES = ["localhost", "shop.localhost"] as const;

/** Words on the page about a client, with whether it uses the proxy for each of the two server names. */
const HEEDS = [
  [/^yes/, [true, true]],
  [/^not for `localhost`; yes/, [false, true]],
  [/^no/, [false, false]],
] as const;

/** The clients in a section of the page, by the last name in code in their row. */
function clientsIn(page: string, section: string): Map<string, readonly [boolean, boolean]> {
  const [, text = ""] = new RegExp(`^## ${section}\\n([\\s\\S]+?)^## `, "m").exec(page) ?? [];
  const rows = [...text.matchAll(/^\| (.+?) +\| .+? +\| (.+?) +\|$/gm)].slice(2);
  const clients = new Map<string, readonly [boolean, boolean]>();
  for (const [, name = "", heeds = ""] of rows) {
    const said = HEEDS.find(([pattern]) => pattern.test(heeds))?.[1];
    if (said === undefined) throw new TypeError(`${name}: ${heeds}`);
    const [, known] = [...name.matchAll(/`(.+?)`/g)].at(-1) ?? [];
    if (known !== undefined) clients.set(known, said);
  }
  return clients;
}

/** Runs a program under the proxy. Returns the clients that used the proxy. */
async function heeding(program: readonly string[], name: string): Promise<Set<string>> {
  const arrived = new Set<string>();
  const server = Deno.serve({ port: 0, onListen: () => {} }, ({ url, headers }) => {
    if (headers.has("via")) arrived.add(decodeURIComponent(new URL(url).pathname.slice(1)));
    return new Response("");
  });
  const description = '{"openapi":"3.1.0","info":{"title":"API","version":"1"},"paths":{}}';
  await inFolder({ "openapi.json": description }, async (cwd) => {
    const command = [...program, `http://${name}:${server.addr.port}`];
    const args = ["run", "-A", "--no-check", COVTOOL_MODULE, "proxy", "openapi.json", "-p", "0"];
    const { code, out, err } = await run(Deno.execPath(), [...args, "--", ...command], { cwd });
    assert.equal(code, 0, out + err);
  });
  await server.shutdown();
  return arrived;
}

const PROGRAM_OF: Readonly<Record<string, readonly [Requirement, readonly string[]]>> = {
  Python: [
    needsPython("aiohttp, httpx, httpx2, requests, urllib3"),
    [PYTHON, `${PROGRAMS}/clients.py`],
  ],
  Go: [
    { isMet: await commandWorks("go", ["version"]), reason: "no Go; install it from go.dev" },
    ["go", "run", `${PROGRAMS}/clients.go`],
  ],
  "Java and Kotlin": [
    { isMet: await commandWorks("javac", ["--version"]), reason: "no JDK; install one" },
    ["java", `${PROGRAMS}/Clients.java`],
  ],
  Ruby: [
    { isMet: await commandWorks("ruby", ["--version"]), reason: "no Ruby; install ruby" },
    ["ruby", `${PROGRAMS}/clients.rb`],
  ],
  PHP: [
    { isMet: await commandWorks("php", ["--version"]), reason: "no PHP; install php-cli" },
    ["php", `${PROGRAMS}/clients.php`],
  ],
  "The shell": [
    { isMet: await commandWorks("curl", ["--version"]), reason: "no curl; install curl" },
    ["sh", "-c", 'curl -s "$1/curl"; true', "sh"],
  ],
};

for (const [section, [requirement, program]] of Object.entries(PROGRAM_OF)) {
  Deno.test({
    ...needing(
      requirement,
      `clients heed the proxy's variables as docs/clients.md says: ${section}`,
    ),
    async fn() {
      const page = await Deno.readTextFile(`${ROOT}/docs/clients.md`);
      const source = await Deno.readTextFile(program.at(-1) ?? "").catch(() => program.join(" "));
      const sent = new Map([...clientsIn(page, section)].filter(([name]) => source.includes(name)));
      assert.ok(sent.size > 0);
      const seen = await Promise.all(NAMES.map((name) => heeding(program, name)));
      for (const [name, said] of sent) {
        assert.deepEqual(seen.map((arrived) => arrived.has(name)), said, name);
      }
    },
  });
}
