import assert from "node:assert/strict";
import { ROOT } from "../../scripts/source_files.ts";
import { inFolder } from "../in_folder.ts";

/** Runs `.ci/run` with a fake `npx` and other commands that do nothing. Returns the exit code and the output. */
async function runWith(
  npx: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<{ code: number; lines: readonly string[] }> {
  return await inFolder({}, async (folder) => {
    const program = async (path: string, text: string) => {
      await Deno.writeTextFile(`${folder}/${path}`, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    };
    for (const path of ["bin", ".ci", ".cache/python/bin", ".cache/engines/bin"]) {
      await Deno.mkdir(`${folder}/${path}`, { recursive: true });
    }
    const names =
      "apt-get sudo chromium jq curl openssl python3 go javac mvn java ruby phpunit mcs mono k6 hurl";
    for (const name of names.split(" ")) await program(`bin/${name}`, "");
    await program(".cache/python/bin/python3", "");
    await program(".cache/engines/bin/python3", "");
    await program("bin/npx", npx);
    await Deno.copyFile(`${ROOT}/.ci/run`, `${folder}/.ci/run`);
    const { code, stdout } = await new Deno.Command("bash", {
      args: [`${folder}/.ci/run`],
      cwd: folder,
      env: {
        PATH: `${folder}/bin:${Deno.env.get("PATH")}`,
        CHROMIUM: `${folder}/bin/chromium`,
        ...variables,
      },
      stderr: "inherit",
      signal: AbortSignal.timeout(60_000),
    }).output();
    return { code, lines: new TextDecoder().decode(stdout).trimEnd().split("\n") };
  });
}

Deno.test({
  name: ".ci/run adds up the counts of its parts, some of which run in parallel",
  ignore: Deno.build.os === "windows",
  async fn() {
    // The test of the package only ends if the examples have begun.
    const { code, lines } = await runWith(`case "$*" in
      *"task test --no-skips "*--fast) echo "4 passed, 0 failed, 0 skipped" ;;
      *"task test --no-skips "*--slow) echo "1 passed, 0 failed, 0 skipped" ;;
      *check_examples*) touch begun; echo "2 passed, 0 failed" ;;
      *"task npm")
        for _ in $(seq 400); do [ -e begun ] && echo "3 passed, 0 failed" && exit; sleep 0.05; done
        exit 1 ;;
      *check_*|*"task docs") echo "2 passed, 0 failed" ;;
    esac`);
    // 10 tools, 2 runners, 2 for engines, the recorder, the descriptions, checks, programs, fuzzing, and counted tests.
    assert.equal(lines.at(-1), `${20 + 5 + 2 + 3 + 8} passed, 0 failed`);
    assert.equal(code, 0);
  },
});

Deno.test({
  name: ".ci/run continues after a failure, lists failures at the end, and fails",
  ignore: Deno.build.os === "windows",
  async fn() {
    const { code, lines } = await runWith(`case "$*" in
      *"task test --no-skips "*--fast) echo "4 passed, 1 failed, 0 skipped"; exit 1 ;;
      *"task test --no-skips "*--slow) echo "1 passed, 0 failed, 0 skipped" ;;
      *"task build") exit 1 ;;
      *check_examples*) echo "stopped"; exit 1 ;;
      *"task docs") echo "2 passed, 0 failed, 1 skipped"; exit 1 ;;
      *check_*|*"task npm") echo "2 passed, 0 failed" ;;
    esac`);
    assert.deepEqual(lines.slice(-5), [
      "failed: the program builds",
      "failed: the fast tests",
      "failed: the commands of the documentation",
      "failed: the examples, as their users run them",
      `${19 + 5 + 2 + 2 + 2 + 2 + 2} passed, 4 failed`,
    ]);
    assert.equal(code, 1);
  },
});

Deno.test({
  name:
    ".ci/run runs the tests as a newcomer's terminal would, but with what was downloaded before",
  ignore: Deno.build.os === "windows",
  async fn() {
    await inFolder(
      { "home/.npmrc": "", "home/.npm/file": "", "home/.cache/file": "" },
      async (folder) => {
        const said = '"colours: ${NO_COLOR-on} ${FORCE_COLOR-unforced}; CI: ${CI-no}; $TERM"';
        const { lines } = await runWith(
          `case "$*" in
          *"task test --no-skips "*--slow)
            echo ${said}
            (cd && echo .??* .[cn]*/*)
            printf '\\033[32mok\\033[0m\\n5 passed, 0 failed, 0 skipped\\n' ;;
        esac`,
          { HOME: `${folder}/home`, NO_COLOR: "1", FORCE_COLOR: "1", CI: "true", TERM: "dumb" },
        );
        const at = lines.indexOf("── slow tests");
        assert.deepEqual(lines.slice(at + 1, at + 5), [
          "colours: on unforced; CI: no; xterm",
          ".cache .npm .cache/file .npm/file",
          "\u001b[32mok\u001b[0m",
          "5 passed, 0 failed, 0 skipped",
        ]);
      },
    );
  },
});
