import assert from "node:assert/strict";
import { copyExample } from "../../scripts/check_examples.ts";
import { shellBlocks } from "../../scripts/docs/shell_blocks.ts";
import { type Ended, run, runOrThrow } from "../../scripts/run.ts";
import { ROOT } from "../../scripts/source_files.ts";
import { inFolder } from "../in_folder.ts";
import { once } from "../once.ts";
import { commandWorks, needing } from "../requirement.ts";
import {
  checkEach,
  compareReports,
  COVTOOL_FUNCTION,
  type MeasuredReport,
  mutate,
  recordCases,
  recordChanges,
  runForReport,
  withConformanceServer,
} from "./recorded_suite.ts";

const NEEDS_MAVEN = {
  isMet: await commandWorks("mvn", ["--version"]) && await commandWorks("javac", ["--version"]),
  reason: "no Maven or no JDK; install maven and a JDK of version 17 or later",
};
const MODULE = `${ROOT}/integrations/jvm`;
// Such short programs are slower with optimized code and frequent collections, and Groovy links calls only after
// thousands.
const QUICK_JVM =
  "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmn64m -Dgroovy.indy.optimize.threshold=30";
const MAVEN = ["-q", "-B", `-Dmaven.repo.local=${ROOT}/.cache/m2`, `-DargLine=${QUICK_JVM}`];

const CLASS_PATH = ["dependency:build-classpath", "-Dmdep.outputFile=target/class-path"];

/** Builds the jar, installs it into the repository that the examples use, and returns where the libraries are. */
const install = once(async () => {
  return await runOrThrow("mvn", [...MAVEN, "install", ...CLASS_PATH], { cwd: MODULE });
});

/** Ways to send, with the cases that they can't send, and those whose bodies clients drop unseen. */
const WAYS: Readonly<Record<string, { cannotSend: string; drops?: string }>> = {
  jdk: { cannotSend: "", drops: "redirect" },
  okhttp: { cannotSend: "many", drops: "redirect" },
  restassured: { cannotSend: "many,streams,upload-streams,redirect-post" },
  mockmvc: { cannotSend: "many,redirects,streams,upload-streams" },
  webtestclient: { cannotSend: "many,redirects,streams,upload-streams,broken" },
  servlet: { cannotSend: "many,redirects,streams,encoded-slash,broken" },
  // A recorded client of a recorded server.
  both: { cannotSend: "many,redirects,streams,encoded-slash,broken" },
};

/** Finds the way in a test's name: `ConformanceTest.sends "jdk" query`. */
const WAY_OF_TEST = / "?(\w+)"? /;

/** Arguments for Java to run the tests of one class in a project whose class path Maven has written. */
async function classRun(project: string, tests: string): Promise<readonly string[]> {
  const libraries = await Deno.readTextFile(`${project}/target/class-path`);
  const own = ["target/test-classes", "target/classes", libraries.trim()];
  const classPath = [...own, `${MODULE}/target/test-classes`].join(":");
  return [...QUICK_JVM.split(" "), "-cp", classPath, "io.covtool.ClassRun", tests];
}

/** Runs the example's tests, in its JUnit's version. Maven's test plugin provides its own. */
const LAUNCHER =
  "<dependency><groupId>org.junit.platform</groupId><artifactId>junit-platform-launcher</artifactId>" +
  "<version>1.13.4</version><scope>test</scope></dependency>";

/** Sends the conformance set's cases by some ways in one Java process, with a given Java or the machine's. */
async function sendCases(
  ways: readonly string[],
  env: Readonly<Record<string, string>>,
  java = "java",
): Promise<Ended> {
  await install();
  const args = await classRun(MODULE, "io.covtool.ConformanceTest");
  const ended = await run(java, args, {
    cwd: MODULE,
    env: { ...env, CONFORMANCE_WAYS: ways.join("\n") },
  });
  assert.equal(ended.code, 0, ended.out + ended.err);
  return ended;
}

const sent = once(() =>
  recordCases(WAY_OF_TEST, (env) => {
    const ways = Object.entries(WAYS).map(([way, { cannotSend }]) => `${way} ${cannotSend}`);
    return sendCases(ways, env);
  })
);

const changed = once(() => recordChanges(WAY_OF_TEST, (env) => sendCases(Object.keys(WAYS), env)));

const leftOut = Object.entries(WAYS).map(([way, cases]) => [way, Object.values(cases).join()]);
const checkSent = checkEach(sent, Object.fromEntries(leftOut));
const nothing = Object.keys(WAYS).map((way) => [way, ""]);
const checkChanged = checkEach(changed, Object.fromEntries(nothing), "--changes");

for (const way of Object.keys(WAYS)) {
  Deno.test({
    ...needing(NEEDS_MAVEN, `the recorder for the JVM passes the conformance set: ${way}`),
    fn: () => checkSent(way),
  });

  Deno.test({
    ...needing(NEEDS_MAVEN, `covtool mutate changes the responses that JVM tests get: ${way}`),
    fn: () => checkChanged(way),
  });
}

Deno.test({
  ...needing(
    NEEDS_MAVEN,
    "the recorder for the JVM warns once if it can't write or the disk is full",
  ),
  async fn() {
    await install();
    const java = (await runOrThrow("sh", ["-c", 'readlink -f "$(command -v java)"'])).trim();
    // Starts Java with a limit of 512-byte blocks per file.
    const limited = `#!/bin/sh\ntrap "" XFSZ\nulimit -f 16\nexec ${java} "$@"\n`;
    await inFolder({ file: "", limited }, async (folder) => {
      await Deno.chmod(`${folder}/limited`, 0o755);
      const failing = [[`${folder}/file/traffic`, java], [
        `${folder}/traffic`,
        `${folder}/limited`,
      ]];
      await withConformanceServer(async (address) => {
        for (const [traffic = "", jvm] of failing) {
          const { out, err } = await sendCases(["jdk many"], {
            COVTOOL_TRAFFIC: traffic,
            CONFORMANCE_SERVER: address,
          }, jvm);
          const stops = (out + err).match(/covtool: .+ stopped recording in /g);
          assert.equal(stops?.length, 1, out + err);
        }
      });
      const names = [...Deno.readDirSync(`${folder}/traffic`)].map(({ name }) => name).toSorted();
      assert.match(names.join(" "), /^(traffic-\S+)\.ndjson \1\.problems$/);
    });
  },
});

Deno.test({
  ...needing(
    NEEDS_MAVEN,
    "the quick start of docs/java.md measures a Spring project without covtool",
  ),
  async fn() {
    await install();
    const page = await Deno.readTextFile(`${ROOT}/docs/java.md`);
    const [, dependency = ""] = /```xml\n([\s\S]+?)```/.exec(page) ?? [];
    const script = shellBlocks(page).blocks.find(({ runBy }) => runBy !== undefined)?.script;
    const files = {
      // The file can't contain spaces.
      ".mvn/maven.config": MAVEN.join("\n").replace(/ .+$/, ""),
      // In addition to what the quick start prints.
      "covtool.yaml": "format: [text, json=report.json]\n",
    };
    const report = await inFolder(files, async (cwd) => {
      await copyExample("spring-mockmvc", cwd);
      const pom = await Deno.readTextFile(`${cwd}/pom.xml`);
      const added = / {4}<dependency>\s+<groupId>io\.covtool<[\s\S]+?<\/dependency>\n/;
      assert.match(pom, added);
      await Deno.writeTextFile(`${cwd}/pom.xml`, pom.replace(added, dependency));
      const options = { cwd, env: { NO_COLOR: "1" } };
      const { code, out, err } = await run(
        "sh",
        ["-e", "-c", `${COVTOOL_FUNCTION}\n${script}`],
        options,
      );
      assert.equal(code, 0, out + err);
      assert.match(out, /Operations +\S+ +75% +3 of 4/);
      return JSON.parse(await Deno.readTextFile(`${cwd}/report.json`)) as MeasuredReport;
    });
    assert.deepEqual(report.traffic, { ...report.traffic, recorded: 9, matched: 9 });
    // Only a server records bodies of errors, and here they are neither counted nor missing.
    assert.deepEqual(report["findings"], []);
    const file = "src/test/java/example/BooksTest.java";
    assert.deepEqual((report["tests"] as readonly string[]).toSorted(), [
      `${file} > BooksTest.aBookIsKept`,
      `${file} > BooksTest.aBookNeedsATitle`,
      `${file} > BooksTest.aBookThatIsNotThere`,
      `${file} > BooksTest.aListHasALimit [1] limit=1, status=200`,
      `${file} > BooksTest.aListHasALimit [2] limit=100, status=200`,
      `${file} > BooksTest.aListHasALimit [3] limit=0, status=400`,
      `${file} > BooksTest.aListHasALimit [4] limit=many, status=400`,
    ]);
  },
});

Deno.test({
  ...needing(
    NEEDS_MAVEN,
    "recorder and proxy give the same coverage of examples/jdk-restassured, and covtool mutate finds what it notices",
  ),
  async fn() {
    await install();
    await inFolder({}, async (cwd) => {
      await copyExample("jdk-restassured", cwd);
      const pom = await Deno.readTextFile(`${cwd}/pom.xml`);
      await Deno.writeTextFile(`${cwd}/pom.xml`, pom.replace("<dependencies>", `$&${LAUNCHER}`));
      // As the example says: Maven starts the tests in another Java process and has to pass the proxy on.
      const maven = ["mvn", ...MAVEN, "test", ...CLASS_PATH];
      const measure = () => runForReport(cwd, ["proxy", "openapi.yaml"], maven);
      let proxied = await measure();
      // Maven may have downloaded dependencies through the proxy, too.
      if (proxied.traffic.recorded > 15) proxied = await measure();
      // They are compiled now, so they run without Maven.
      const tests = ["java", ...await classRun(cwd, "example.TodosTest")];
      const recorded = await runForReport(cwd, ["run", "openapi.yaml"], tests);
      assert.deepEqual(recorded.traffic, { ...recorded.traffic, recorded: 15, matched: 15 });
      compareReports(recorded, proxied);
      const noticed = (...names: readonly string[]) =>
        [
          "noticed",
          ...names.map((name) => `src/test/java/example/TodosTest.java > TodosTest.${name}`),
        ]
          .join(": ");
      // Every test asserts its statuses, and two also the text of a todo.
      const shown = noticed("aTodoIsKept", "theLatestIsShown");
      const one = ["--level", "bodies", "--operation", "GET /todos/{id}"];
      assert.deepEqual(await mutate(cwd, tests, one), {
        "GET /todos/{id} 200 status": shown,
        "GET /todos/{id} 200 body": shown,
        "GET /todos/{id} 404 status": noticed("aTodoThatIsNotThere"),
        "GET /todos/{id} 404 body": "unnoticed",
      });
    });
  },
});
