import assert from "node:assert/strict";
import { shellBlocks } from "../../scripts/docs/shell_blocks.ts";
import { run, runOrThrow } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { inFolder } from "../in_folder.ts";
import { commandWorks, needing, type Requirement } from "../requirement.ts";
import { checkFolder, COVTOOL_FUNCTION, withConformanceServer } from "./recorded_suite.ts";

/** A recorder that users copy, as docs/ruby.md and docs/php.md describe. */
interface CopiedRecorder {
  readonly requirement: Requirement;
  /** Cases that can't be sent, by client. */
  readonly ways: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** The quick start's page, with the project's code and description. */
  readonly page: string;
  readonly recorder: string;
  readonly test: string;
  readonly files: Readonly<Record<string, string>>;
}

const NOTES_IN_RUBY =
  'Notes = ->(_env) { [200, { "Content-Type" => "application/json" }, ["[]"]] }\n';
const NOTES_IN_PHP = `<?php
require_once 'Nyholm/Psr7/autoload.php';
final class Notes implements Psr\\Http\\Server\\RequestHandlerInterface {
  public function handle(Psr\\Http\\Message\\ServerRequestInterface $request): Psr\\Http\\Message\\ResponseInterface {
    return new Nyholm\\Psr7\\Response(200, ['Content-Type' => 'application/json'], '[]');
  }
}
`;

const RECORDERS: Readonly<Record<string, CopiedRecorder>> = {
  Ruby: {
    requirement: {
      isMet: await commandWorks("ruby", ["-e", 'require "rack/test"; require "minitest"']),
      reason: "no Ruby with rack-test; install ruby and ruby-rack-test",
    },
    ways: { "rack-test": "streams,upload-streams,repeated-request,redirect-post" },
    command: ["ruby", `${ROOT}/tests/recorders/ruby/conformance_test.rb`],
    page: "docs/ruby.md",
    recorder: "integrations/ruby/covtool_recorder.rb",
    test: "test/notes_test.rb",
    files: { "app.rb": NOTES_IN_RUBY },
  },
  PHP: {
    requirement: {
      isMet: await commandWorks("phpunit", ["--version"]) &&
        await commandWorks("php", [
          "-r",
          'exit((int) !(interface_exists("Psr\\Http\\Server\\MiddlewareInterface") && (include "Nyholm/Psr7/autoload.php") && (include "Symfony/Component/HttpFoundation/autoload.php")));',
        ]),
      reason:
        "no PHP with PSR-15; install phpunit, php-psr, php-nyholm-psr7 and php-symfony-http-foundation",
    },
    ways: {
      psr: "streams,upload-streams,redirects",
      // Symfony writes cookies in its own notation.
      laravel: "streams,upload-streams,redirects,repeated-answer",
    },
    command: [
      "phpunit",
      "--no-configuration",
      "--do-not-cache-result",
      `${ROOT}/tests/recorders/php/ConformanceTest.php`,
    ],
    page: "docs/php.md",
    recorder: "integrations/php/CovtoolRecorder.php",
    test: "tests/NotesTest.php",
    files: { "app.php": NOTES_IN_PHP },
  },
};

/** Runs the conformance set. Files may have a limited number of 512-byte blocks, as on a full disk. */
async function sendCases(
  { command, ways }: CopiedRecorder,
  way: string,
  env: Readonly<Record<string, string>>,
  blocks = "unlimited",
): Promise<string> {
  const shell = `trap "" XFSZ\nulimit -f ${blocks}\nexec "$@"`;
  const { code, out, err } = await run("sh", ["-c", shell, "sh", ...command], {
    env: { CONFORMANCE_CLIENT: way, CONFORMANCE_WITHOUT: ways[way] ?? "", ...env },
  });
  assert.equal(code, 0, out + err);
  return out + err;
}

for (const [language, recorder] of Object.entries(RECORDERS)) {
  const { requirement, ways } = recorder;
  for (const [way, without] of Object.entries(ways)) {
    Deno.test({
      ...needing(requirement, `the recorder for ${language} passes the conformance set: ${way}`),
      async fn() {
        await inFolder({}, async (folder) => {
          await sendCases(recorder, way, { COVTOOL_TRAFFIC: `${folder}/traffic` });
          await checkFolder(`${folder}/traffic`, without);
          for await (const { name } of Deno.readDir(`${folder}/traffic`)) {
            const { mode } = await Deno.stat(`${folder}/traffic/${name}`);
            assert.equal((mode ?? 0) & 0o777, 0o600);
          }
        });
      },
    });
  }

  Deno.test({
    ...needing(
      requirement,
      `the recorder for ${language} warns once if it can't write or the disk is full`,
    ),
    async fn() {
      const [way = ""] = Object.keys(ways);
      await inFolder({ file: "" }, async (folder) => {
        const said = await sendCases(recorder, way, { COVTOOL_TRAFFIC: `${folder}/file/traffic` });
        assert.equal(said.match(/^covtool: .+ stopped recording/gm)?.length, 1, said);
        assert.doesNotMatch(said, /warning/i);
        const full = { COVTOOL_TRAFFIC: `${folder}/traffic` };
        const saidOfDisk = await sendCases(recorder, way, full, "8");
        assert.equal(saidOfDisk.match(/^covtool: .+ stopped recording/gm)?.length, 1, saidOfDisk);
        const names = [...Deno.readDirSync(`${folder}/traffic`)].map(({ name }) => name).toSorted();
        assert.match(names.join(" "), /^(traffic-\S+)\.ndjson \1\.problems$/);
        const problems = await Deno.readTextFile(`${folder}/traffic/${names[1]}`);
        assert.match(JSON.parse(problems), /stopped recording/);
      });
    },
  });

  Deno.test({
    ...needing(requirement, `the quick start of ${recorder.page} measures a project`),
    async fn() {
      const page = await Deno.readTextFile(`${ROOT}/${recorder.page}`);
      const [, code] = /```(?:rb|php)\n([\s\S]+?)```/.exec(page) ?? [];
      const script = shellBlocks(page).blocks.find(({ runBy }) => runBy !== undefined)?.script;
      assert.ok(code !== undefined && script !== undefined);
      const copy = recorder.test.replace(/[^/]+$/, recorder.recorder.replace(/^.*\//, ""));
      const files = {
        [recorder.test]: code,
        [copy]: await Deno.readTextFile(`${ROOT}/${recorder.recorder}`),
        "openapi.yaml": await Deno.readTextFile(`${ROOT}/examples/go-httptest/openapi.yaml`),
        ...recorder.files,
      };
      await inFolder(files, async (cwd) => {
        const shell = `${COVTOOL_FUNCTION}\n${script}`;
        const options = { cwd, env: { NO_COLOR: "1" } };
        const { code, out, err } = await run("sh", ["-e", "-c", shell], options);
        assert.equal(code, 0, out + err);
        assert.match(out + err, /1 request: 1 matched[\s\S]*Operations +\S+ +25% +1 of 4/);
      });
    },
  });
}

const FROM_ELSEWHERE = `<?php
require $argv[1];
chdir('/');
CovtoolRecorder::record('GET', 'http://a/b', [], '', fn () => null, fn () => [200, [], 'x']);
`;

Deno.test({
  ...needing(
    RECORDERS["PHP"]?.requirement ?? assert.fail(),
    "the recorder for PHP writes where the process started, with a first line before any exchange",
  ),
  async fn() {
    await inFolder({ "a.php": FROM_ELSEWHERE }, async (folder) => {
      const recorder = `${ROOT}/integrations/php/CovtoolRecorder.php`;
      const options = { cwd: folder, env: { COVTOOL_TRAFFIC: "traffic" } };
      for (const [script, lines] of [["a.php", 2], [recorder, 1]] as const) {
        await runOrThrow("php", [script, recorder], options);
        const [file] = [...Deno.readDirSync(`${folder}/traffic`)];
        const text = await Deno.readTextFile(`${folder}/traffic/${file?.name}`);
        assert.equal(text.split("\n").length - 1, lines);
        await Deno.remove(`${folder}/traffic`, { recursive: true });
      }
    });
  },
});

Deno.test({
  ...needing(
    RECORDERS["PHP"]?.requirement ?? assert.fail(),
    "the recorder for PHP warns where the constant STDERR isn't defined, as in a server, too",
  ),
  async fn() {
    await inFolder({ "a.php": FROM_ELSEWHERE }, async (folder) => {
      const recorder = `${ROOT}/integrations/php/CovtoolRecorder.php`;
      const env = { COVTOOL_TRAFFIC: `${folder}/a.php/traffic` };
      const ended = await run("sh", ["-c", `php -- ${recorder} < ${folder}/a.php`], { env });
      assert.match(ended.err, /^covtool: The recorder for PHP stopped recording: .+\n$/);
      assert.deepEqual([ended.out, ended.code], ["", 0]);
    });
  },
});

Deno.test({
  ...needing(
    RECORDERS["PHP"]?.requirement ?? assert.fail(),
    "the recorder for PHP takes 0 for a limit of bodies, and what is no number for none",
  ),
  async fn() {
    await inFolder({ "a.php": FROM_ELSEWHERE }, async (folder) => {
      const recorder = `${ROOT}/integrations/php/CovtoolRecorder.php`;
      for (const [limit, isCut] of [["0", true], ["1", false], ["1k", false]] as const) {
        const COVTOOL_TRAFFIC = `${folder}/${limit}`;
        const env = { COVTOOL_TRAFFIC, COVTOOL_BODY_LIMIT: limit };
        // Without extensions, as PHP is installed by some systems.
        await runOrThrow("php", ["-n", `${folder}/a.php`, recorder], { env });
        const [file] = [...Deno.readDirSync(COVTOOL_TRAFFIC)];
        const text = await Deno.readTextFile(`${COVTOOL_TRAFFIC}/${file?.name}`);
        assert.equal(text.includes('"body_truncated":true'), isCut, limit);
      }
    });
  },
});

const MONO: Requirement = {
  isMet: await commandWorks("mcs", ["--version"]) && await commandWorks("mono", ["--version"]),
  reason:
    "no Mono; install mono-mcs, libmono-system-net-http4.0-cil and libmono-system-web-extensions4.0-cil",
};

Deno.test({
  ...needing(MONO, "the recorder for .NET passes the conformance set, and warns once"),
  async fn() {
    const cases = `${ROOT}/tests/recorders/conformance/cases.json`;
    const without = "streams,upload-streams,redirects,repeated-request,many";
    await inFolder({ file: "" }, async (folder) => {
      const program = `${folder}/conformance.exe`;
      const libraries = ["System.Net.Http", "System.Web.Extensions"].map((name) =>
        `-r:${name}.dll`
      );
      const sources = ["integrations/dotnet/CovtoolHandler", "tests/recorders/dotnet/Conformance"];
      await runOrThrow("mcs", [
        `-out:${program}`,
        ...libraries,
        ...sources.map((path) => `${ROOT}/${path}.cs`),
      ]);
      await withConformanceServer(async (address) => {
        const send = async (traffic: string): Promise<string> => {
          const args = [program, address, cases, without];
          const ended = await run("mono", args, { env: { COVTOOL_TRAFFIC: traffic } });
          assert.equal(ended.code, 0, ended.out + ended.err);
          return ended.out + ended.err;
        };
        assert.equal(await send(`${folder}/traffic`), "");
        await checkFolder(`${folder}/traffic`, without);
        assert.match(await send(`${folder}/file/traffic`), /^covtool: .+ stopped recording.+\n$/);
      });
    });
  },
});

const ODD_HEADERS = `require ARGV[0]
require "stringio"
app = CovtoolRecorder.new(->(_env) { [200, { "X-Empty" => "", "X-City" => "K\\xf6ln" }, ["[]"]] })
["a", "M\\xfcller", "Müller".b].each do |name|
  app.call({ "REQUEST_METHOD" => "GET", "PATH_INFO" => "/\\xe9".b, "QUERY_STRING" => "q=é", "rack.url_scheme" => "http",
    "HTTP_HOST" => "a", "HTTP_X_NAME" => name, "rack.input" => StringIO.new })
end
`;

const ODD_BODIES = `require ARGV[0]
require "stringio"
parts = ["b"].freeze
closed = Object.new
closed.define_singleton_method(:each) { |&block| @closed ? raise("closed") : parts.each(&block) }
closed.define_singleton_method(:to_ary) { close.then { parts } }
closed.define_singleton_method(:close) { print "closed "; @closed = true }
[->(stream) { stream << "a" }, ["é", "\\xff".b], closed].each do |given|
  _, _, body = CovtoolRecorder.new(->(_env) { [200, {}, given] }).call({ "rack.input" => StringIO.new })
  body.respond_to?(:each) ? body.each { |part| print part } : body.call($stdout)
  body.close if body.respond_to?(:close)
end
`;

Deno.test({
  ...needing(
    RECORDERS["Ruby"]?.requirement ?? assert.fail(),
    "the recorder for Ruby passes on bodies that write by themselves, mix encodings, or are closed once read",
  ),
  async fn() {
    await inFolder({ "odd.rb": ODD_BODIES }, async (folder) => {
      const { out, err } = await run("ruby", [
        ...[`${folder}/odd.rb`, `${ROOT}/integrations/ruby/covtool_recorder.rb`],
      ], { env: { COVTOOL_TRAFFIC: `${folder}/traffic` } });
      assert.equal(err, "");
      assert.match(out, /^aé.+closed bclosed $/);
      const [file] = [...Deno.readDirSync(`${folder}/traffic`)];
      const text = await Deno.readTextFile(`${folder}/traffic/${file?.name}`);
      const lines = text.trim().split("\n").slice(1).map((line) => JSON.parse(line).response);
      assert.equal(lines[0].body_truncated, true);
      assert.equal(lines[1].body_base64, "w6n/");
    });
  },
});

Deno.test({
  ...needing(
    RECORDERS["Ruby"]?.requirement ?? assert.fail(),
    "the recorder for Ruby records fields that aren't UTF-8 or are empty, also with an empty limit",
  ),
  async fn() {
    await inFolder({ "odd.rb": ODD_HEADERS }, async (folder) => {
      const { err } = await run("ruby", [
        ...[`${folder}/odd.rb`, `${ROOT}/integrations/ruby/covtool_recorder.rb`],
      ], { env: { COVTOOL_TRAFFIC: `${folder}/traffic`, COVTOOL_BODY_LIMIT: "" } });
      assert.equal(err, "");
      const [file] = [...Deno.readDirSync(`${folder}/traffic`)];
      const text = await Deno.readTextFile(`${folder}/traffic/${file?.name}`);
      const lines = text.trim().split("\n").slice(1).map((line) => JSON.parse(line));
      assert.deepEqual(lines.map(({ request }) => request.headers[1][1]), [
        "a",
        "Müller",
        "Müller",
      ]);
      assert.equal(lines[0].request.url, "http://a/é?q=é");
      assert.deepEqual(lines[0].response.headers, [["X-Empty", ""], ["X-City", "Köln"]]);
    });
  },
});
