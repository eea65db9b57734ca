import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export interface TestSetup {
  readonly name: string;
  readonly testFormat?: string;
  /** The next step that `covtool init` prints: a sentence or a command. */
  readonly step: string;
  /** The hint of `covtool run` if nothing was recorded. */
  readonly unrecorded: string;
  /** The hint of `covtool proxy` if the command sent nothing through it. Undefined if no cause is likely. */
  readonly bypass?: string;
  /** True if its recorder can't change responses, so that `covtool mutate` needs connections. */
  readonly onlyRecords?: true;
}

interface KnownSetup extends TestSetup {
  readonly programs: RegExp;
  matches(project: Project): boolean;
}

interface Project {
  readonly names: readonly string[];
  /** The text of a file; empty if the file doesn't exist. */
  readText(name: string): string;
}

const IN_JAVASCRIPT =
  "Load covtool in the tests, with node --import covtool/node-test, deno test --preload=jsr:@covtool/covtool/deno, or the collector of covtool/collect.";
const BYPASS_IN_JAVASCRIPT =
  `Node.js before 24 and superagent ignore HTTP_PROXY, and handlers that tests call, as inject() and app.request() do, open no connection that a proxy could see. ${IN_JAVASCRIPT} Or have them call --reverse.`;
const IN_PYTHON =
  "Is covtool installed where the tests run (pip install covtool)? It records requests, httpx, aiohttp, and the test clients of FastAPI, Starlette, Django and Flask. pytest needs no more; other runners are started by python -m covtool: python -m covtool manage.py test, python -m covtool -m unittest.";
const BYPASS_IN_PYTHON =
  "The test clients of FastAPI, Starlette, Django and Flask open no connection that a proxy could see, and aiohttp ignores HTTP_PROXY unless it is told to trust the environment. Let the tests record themselves: pip install covtool, then";
const IN_JAVA =
  "Is covtool-junit among the test dependencies, and are the clients of the tests among those that it records?";
const BYPASS_IN_JAVA =
  "MockMvc and the mock environment of WebTestClient open no connection that a proxy could see, and WebClient ignores the proxy. Add covtool-junit to the test dependencies, and run the tests with covtool run.";

const JAVASCRIPT = { unrecorded: IN_JAVASCRIPT, bypass: BYPASS_IN_JAVASCRIPT };

function dependsOn(name: string): KnownSetup["matches"] {
  return ({ readText }) => readText("package.json").includes(`"${name}"`);
}

/** In the order in which they are tried. */
const SETUPS: readonly KnownSetup[] = [
  {
    ...JAVASCRIPT,
    name: "Vitest",
    testFormat: "vitest",
    step: "Add covtool() of covtool/vitest to the plugins of Vitest, and run the tests.",
    programs: /^vitest$/,
    matches: dependsOn("vitest"),
  },
  {
    ...JAVASCRIPT,
    name: "Jest",
    testFormat: "jest",
    step: 'Add "covtool/jest" to the reporters of Jest, and run the tests.',
    programs: /^jest$/,
    matches: dependsOn("jest"),
  },
  {
    ...JAVASCRIPT,
    name: "Playwright",
    testFormat: "playwright",
    step: 'Add ["covtool/playwright"] to the reporters of Playwright, and run the tests.',
    programs: /^playwright$/,
    matches: dependsOn("@playwright/test"),
  },
  {
    ...JAVASCRIPT,
    name: "node:test",
    testFormat: "node-test",
    step: "covtool run -- node --import covtool/node-test --test",
    programs: /^(?:node|npm|npx|pnpm|yarn|bun)$/,
    matches: ({ readText }) => /node\s[^"]*--test\b/.test(readText("package.json")),
  },
  {
    ...JAVASCRIPT,
    name: "Deno",
    testFormat: "deno-test",
    step: "covtool run -- deno test -A --preload=npm:covtool/deno",
    programs: /^deno$/,
    matches: ({ names }) => names.includes("deno.json") || names.includes("deno.jsonc"),
  },
  {
    name: "pytest",
    testFormat: "pytest",
    step: "pip install covtool && covtool run -- pytest",
    unrecorded: IN_PYTHON,
    bypass: `${BYPASS_IN_PYTHON} covtool run -- pytest.`,
    programs: /^(?:pytest|py\.test|python[\d.]*|tox|nox|uv|poetry|hatch)$/,
    matches: ({ names, readText }) =>
      names.some((name) => /^(?:pytest\.ini|(?:conftest|test_.*)\.py)$/.test(name)) ||
      ["pyproject.toml", "requirements.txt", "requirements-dev.txt", "setup.cfg", "tox.ini"]
        .some((name) => /\bpytest\b/.test(readText(name))),
  },
  {
    name: "Django",
    testFormat: "pytest",
    step: "pip install covtool && covtool run -- python -m covtool manage.py test",
    unrecorded: IN_PYTHON,
    bypass: `${BYPASS_IN_PYTHON} covtool run -- python -m covtool manage.py test.`,
    programs: /^manage\.py$/,
    matches: ({ names }) => names.includes("manage.py"),
  },
  {
    name: "Maven",
    testFormat: "junit",
    step: "Add covtool-junit to the test dependencies, then: covtool run -- mvn test",
    unrecorded: IN_JAVA,
    bypass: BYPASS_IN_JAVA,
    programs: /^mvnw?$/,
    matches: ({ names }) => names.includes("pom.xml"),
  },
  {
    name: "Gradle",
    testFormat: "junit",
    step: "Add covtool-junit to the test dependencies, then: covtool run -- ./gradlew test --rerun",
    unrecorded:
      `${IN_JAVA} Gradle leaves out tests that have passed before: ./gradlew test --rerun runs them.`,
    bypass:
      `${BYPASS_IN_JAVA} Gradle leaves out tests that have passed before: ./gradlew test --rerun runs them.`,
    programs: /^gradlew?$/,
    matches: ({ names }) => names.includes("build.gradle") || names.includes("build.gradle.kts"),
  },
  {
    name: "go test",
    testFormat: "go-test",
    step: "Add covtool.Record(t, handler) to the tests, then: covtool run -- go test ./...",
    unrecorded:
      "Does a test wrap its handler or client with the Go module of covtool, or import its package auto?",
    bypass:
      "Go's clients use no proxy for localhost, and calls of a handler with httptest.NewRecorder open no connection. Wrap the handler or the client with the Go module of covtool, and run the tests with covtool run. Packages that go test calls (cached) were not run: -count=1 runs them.",
    programs: /^(?:go|gotestsum|richgo)$/,
    matches: ({ names }) => names.includes("go.mod"),
  },
  {
    name: "dotnet test",
    step: "Give the clients of the tests a CovtoolHandler, then: covtool run -- dotnet test",
    unrecorded:
      "Do the clients of the tests pass a CovtoolHandler, which is in the manual of covtool to copy (Tests in C#)?",
    bypass:
      "Clients of WebApplicationFactory open no connection that a proxy could see. Let them pass the CovtoolHandler that is in the manual of covtool to copy (Tests in C#), and run the tests with covtool run.",
    onlyRecords: true,
    programs: /^dotnet$/,
    matches: ({ names }) => names.some((name) => /\.(?:csproj|fsproj|vbproj|slnx?)$/.test(name)),
  },
  {
    name: "Ruby",
    step: "Wrap the application in a CovtoolRecorder, then: covtool run -- bundle exec rake test",
    unrecorded:
      "Is the application of the tests wrapped in a CovtoolRecorder, which is in the manual of covtool to copy (Tests in Ruby)?",
    bypass:
      "rack-test and the integration tests of Rails open no connection that a proxy could see. Wrap the application in the CovtoolRecorder that is in the manual of covtool to copy (Tests in Ruby), and run the tests with covtool run.",
    onlyRecords: true,
    programs: /^(?:ruby|bundle|rake|rails|rspec|minitest)$/,
    matches: ({ names }) => names.includes("Gemfile"),
  },
  {
    name: "PHP",
    step: "Wrap the application in a CovtoolRecorder, then: covtool run -- vendor/bin/phpunit",
    unrecorded:
      "Do the requests of the tests pass the middleware that is in the manual of covtool to copy (Tests in PHP)?",
    bypass:
      "The test clients of Laravel, Symfony and Slim open no connection that a proxy could see. Put the middleware that is in the manual of covtool to copy (Tests in PHP) around the application, and run the tests with covtool run.",
    onlyRecords: true,
    programs: /^(?:php|phpunit|pest|composer|artisan)$/,
    matches: ({ names }) => names.includes("composer.json"),
  },
];

export function findTestSetup(folder: string): TestSetup | undefined {
  const project: Project = {
    names: readdirSync(folder),
    readText: (name) => readProjectFile(folder, name),
  };
  return SETUPS.find((setup) => setup.matches(project));
}

export function readProjectFile(folder: string, name: string): string {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function setupFor(command: readonly string[], folder: string): TestSetup | undefined {
  const name = basename(command[0] ?? "").replace(/\.(?:exe|cmd|bat)$/i, "");
  const shown = SETUPS.find(({ programs }) => programs.test(name));
  // make, shells and npm start scripts of all kinds of projects, so the folder is looked at first.
  if (shown !== undefined && shown.unrecorded !== IN_JAVASCRIPT) return shown;
  try {
    return findTestSetup(folder) ?? shown;
  } catch {
    return shown; // the folder can't be read
  }
}

export function unrecordedSentence(command: readonly string[], folder: string): string {
  const setup = setupFor(command, folder);
  return `No traffic was recorded. ${setup?.unrecorded ?? IN_JAVASCRIPT}`;
}

/** A hint why a command sent nothing through the proxy. Undefined if no cause is known. */
export function bypassSentence(
  command: readonly string[],
  folder: string,
  isMutating = false,
): string | undefined {
  const { bypass, onlyRecords } = setupFor(command, folder) ?? {};
  if (!isMutating) return bypass;
  if (onlyRecords !== true) return bypass?.replace("covtool run", "covtool mutate");
  const [reason] = bypass?.split(". ") ?? [];
  return `${reason}. Run them against a server: covtool mutate changes responses on a connection, with its proxy or --reverse.`;
}
