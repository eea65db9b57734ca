import { findDenort } from "../build.ts";
import { runOrThrow } from "../run.ts";
import { ROOT } from "../source_files.ts";

/** The folder and environment in which the commands of the documentation run. */
export interface Workshop {
  /** Makes the folder of a page, with the files that its commands expect; returns its path. */
  folder(name: string, startsEmpty: boolean): Promise<string>;
  /** A copy of the repository, for commands that are run in a clone. */
  readonly clone: string;
  /** Variables of commands, in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables with which npm finds the package, and caches it in a temporary folder. */
  readonly npm: Readonly<Record<string, string>>;
}

const SHOP = "examples/bookshop";
const LIES = "examples/findings-fastify";
const RECORDINGS = "tests/fixtures/recordings";

/** Files in a page's folder: the names that pages use, and their sources in this repository. */
export const FIXTURES: Readonly<Record<string, string>> = {
  "openapi.yaml": `${SHOP}/openapi.yaml`,
  "traffic.json": `${SHOP}/traffic.json`,
  "access.log": `${SHOP}/access.log`,
  "logs/access.log": `${RECORDINGS}/access-logs/nginx_combined.log`,
  "logs/access.log.1": `${RECORDINGS}/access-logs/apache_combined.log`,
  "nginx.log": `${RECORDINGS}/access-logs/nginx_custom.log`,
  "apache.log": `${RECORDINGS}/access-logs/apache_custom.log`,
  "requests.gor": `${RECORDINGS}/access-logs/goreplay.gor`,
  "a.json": `${SHOP}/traffic.json`,
  "b.json": `${SHOP}/traffic.json`,
  "more.json": `${SHOP}/traffic.json`,
  "traffic/shop.json": `${SHOP}/traffic.json`,
  "session.har": `${RECORDINGS}/har-browser/chromium-embed.har`,
  "traffic.har": `${RECORDINGS}/har-mitmproxy/mitm.har`,
  "test-results/shop/trace.har": `${RECORDINGS}/har-browser/chromium-embed.har`,
  "collection.json": `${RECORDINGS}/postman/bookshop.v2.1.0.json`,
  "newman.json": `${RECORDINGS}/postman/bookshop.newman-run.json`,
  "nock.json": `${RECORDINGS}/nock/bookshop.recorder.json`,
  "recordings/shop.har": `${RECORDINGS}/har-browser/chromium-embed.har`,
  "cassettes/shop.yml": `${RECORDINGS}/ruby-vcr/bookshop.yml`,
  "spec/cassettes/shop.yml": `${RECORDINGS}/ruby-vcr/bookshop.yml`,
  "tests/cassettes/shop.yaml": `${RECORDINGS}/vcrpy/bookshop-requests.yaml`,
  "schemathesis-report/vcr.yaml": `${RECORDINGS}/schemathesis/bookshop.yaml`,
  "examples/findings-fastify/schemathesis-report/vcr.yaml":
    `${RECORDINGS}/findings/schemathesis.yaml`,
  ...Object.fromEntries(
    ["package.json", "openapi.yaml", "app.js", "tests/bookings.test.js", "tests/events.test.js"]
      .map((name) => [`${LIES}/${name}`, `${LIES}/${name}`]),
  ),
};

/** The project that pages refer to: its tests call their own server, through the proxy if there is one. */
const PROJECT: Readonly<Record<string, string>> = {
  "local.json": '{ "values": [{ "key": "word", "value": "lem", "enabled": true }] }\n',
  "package.json": '{ "private": true, "type": "module", "scripts": { "test": "node tests.js" } }\n',
  "tests.js": `
import assert from "node:assert/strict";
import { createServer, get } from "node:http";

const server = createServer((_request, response) => response.end("[]"));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = "http://127.0.0.1:" + server.address().port + "/api/v1/books";
// The fetch of older versions of Node.js ignores proxy variables.
const { hostname, port } = new URL(process.env.http_proxy ?? url);
const status = await new Promise((resolve, reject) =>
  get({ host: hostname, port, path: url, headers: { host: new URL(url).host } }, (response) =>
    response.resume().on("end", () => resolve(response.statusCode))).on("error", reject));
assert.equal(status, 200);
server.close();
`,
};

/** Scripts that stand in for third-party tools; the recordings that the tools would write are among the fixtures. */
const STAND_INS: Readonly<Record<string, string>> = {
  mitmdump: 'case "$*" in *hardump=-*) cat traffic.har ;; *"-p "*) exec sleep 3 ;; esac',
  newman: "exit 0",
  goreplay: "exit 0",
  pytest: "exit 0",
  st: "exit 0",
  playwright: "exit 0",
  genhtml: "exit 0",
};

/** Ends `covtool proxy` without a command once it has printed something, as Ctrl+C would; runs all else unchanged. */
const COVTOOL = (program: string) => `
log=$(mktemp)
case " $* " in
  *" -- "* | *" --help "* | *" --print-ca-help "*) exec "${program}" "$@" ;;
  " proxy "*)
    "${program}" "$@" 2> "$log" &
    until [ -s "$log" ]; do sleep 0.1; done
    kill -TERM $!
    wait $!
    code=$?
    cat "$log" >&2
    exit $code ;;
  *) exec "${program}" "$@" ;;
esac
`;

const COPIED = [
  ...["deno.json", "deno.lock", "src", "scripts", "examples", "README.md", "CHANGELOG.md"],
];

export async function prepareWorkshop(
  temporary: string,
  program: string,
  registry: string,
): Promise<Workshop> {
  const bin = `${temporary}/bin`;
  await Deno.mkdir(bin);
  for (const [name, script] of Object.entries({ ...STAND_INS, covtool: COVTOOL(program) })) {
    await Deno.writeTextFile(`${bin}/${name}`, `#!/usr/bin/env bash\n${script}\n`);
    await Deno.chmod(`${bin}/${name}`, 0o755);
  }
  const clone = `${temporary}/clone`;
  await Deno.mkdir(clone);
  const { exports } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  const top = Object.values(exports).filter((path) => !path.startsWith("./src/"));
  await runOrThrow("cp", ["-r", ...COPIED, ...top, clone], { cwd: ROOT });
  const denort = await findDenort();
  const demoReport = await runOrThrow(
    program,
    ["report", "openapi.yaml", "traffic.json", "--format", "json=-"],
    { cwd: `${ROOT}/${SHOP}` },
  );
  return {
    clone,
    env: {
      PATH: `${bin}:${Deno.env.get("PATH") ?? ""}`,
      COLUMNS: "80",
      NO_COLOR: "1",
      SOURCE_DATE_EPOCH: "1700000000",
      XDG_DATA_HOME: `${temporary}/data`,
      npm_config_loglevel: "error",
      npm_config_update_notifier: "false",
      ...(denort === undefined ? {} : { DENORT_BIN: denort }),
    },
    npm: { npm_config_registry: registry, npm_config_cache: `${temporary}/npm` },
    async folder(name, startsEmpty) {
      const folder = `${temporary}/pages/${name.replace(/\W+/g, "-")}`;
      await Deno.mkdir(folder, { recursive: true });
      if (startsEmpty) return folder;
      for (const [path, source] of Object.entries(FIXTURES)) {
        await Deno.mkdir(`${folder}/${path}`.replace(/\/[^/]+$/, ""), { recursive: true });
        await Deno.copyFile(`${ROOT}/${source}`, `${folder}/${path}`);
      }
      for (const [path, text] of Object.entries(PROJECT)) {
        await Deno.writeTextFile(`${folder}/${path}`, text);
      }
      // npx looks here first.
      await Deno.mkdir(`${folder}/node_modules/.bin`, { recursive: true });
      await Deno.symlink(`${bin}/playwright`, `${folder}/node_modules/.bin/playwright`);
      for (const report of ["main.json", "coverage.json"]) {
        await Deno.writeTextFile(`${folder}/${report}`, demoReport);
      }
      return folder;
    },
  };
}
