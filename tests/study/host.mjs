/**
 * Runs one instrumented server for the study in Node.js: `node host.mjs ADAPTER FOLDER`. It reads commands and writes
 * responses as lines of JSON. Each unit (a request, or two) meets the server in the same state, at the same time, with
 * the same random numbers.
 */
import crypto from "node:crypto";
import { createServer } from "node:http";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { createInterface } from "node:readline";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

const [, , adapter, folder, port] = process.argv;
/**
 * A request has no response if the process idles for this many steps of this many milliseconds, or exceeds this
 * processor time. Waiting for a core is neither: the next check of the time finds what has arrived in the meantime.
 */
const [STEP, STEPS, MAX_USED] = [10, 80, 5000];
/** After this many requests in a row without a response, fewer steps are enough, as without a mutant. */
const [MAX_SILENT, FEW_STEPS] = [4, 10];
const SILENCE = "no answer";

const writeOut = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;
if (!process.env.STUDY_DEBUG) process.stderr.write = () => true;
const say = (message) => writeOut(`${JSON.stringify(message)}\n`);

const every = setInterval;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [NOW] : args));
  }
  static now() {
    return NOW;
  }
};
const NOW = RealDate.UTC(2030, 0, 1);

let state = 1;
const random = () => {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};
const fill = (target, offset = 0, size = target.byteLength - offset) => {
  const bytes = ArrayBuffer.isView(target)
    ? new Uint8Array(target.buffer, target.byteOffset, target.byteLength)
    : new Uint8Array(target);
  for (let index = offset; index < offset + size; index++) bytes[index] = random() * 256;
  return target;
};
const uuid = () => {
  const hex = fill(Buffer.alloc(16)).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${
    hex.slice(20)
  }`;
};
const answerTo = (make) => (...args) => {
  const done = args.at(-1);
  if (typeof done !== "function") return make(...args);
  const made = make(...args.slice(0, -1));
  setImmediate(() => done(null, made));
};
Math.random = random;
crypto.randomBytes = answerTo((size) => fill(Buffer.alloc(size)));
crypto.randomFillSync = fill;
crypto.randomFill = answerTo(fill);
crypto.randomUUID = uuid;
crypto.randomInt = answerTo((low, high) =>
  high === undefined ? Math.floor(random() * low) : low + Math.floor(random() * (high - low))
);
const own = { getRandomValues: { value: (view) => fill(view) }, randomUUID: { value: uuid } };
Object.defineProperties(crypto.webcrypto, own);
syncBuiltinESMExports();

const stryker = globalThis.__stryker__ = { mutantCoverage: { static: {}, perTest: {} } };

const exit = process.exit.bind(process);
let failed = (why) => {
  say({ problem: `The server doesn't start: ${why}` });
  exit(1);
};
for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (error) => failed?.(`crash: ${String(error?.stack ?? error).slice(0, 900)}`));
}
process.exit = process.abort = () => {
  failed?.("exit");
  throw new Error("The server wanted to exit.");
};

const require = createRequire(`${folder}/package.json`);
const { default: load } = await import(pathToFileURL(`${folder}/load.mjs`).href);
const { start } = await import(pathToFileURL(adapter).href);
const server = await start({ require, load, folder, port: Number(port), createServer });

let steps = STEPS;

/** Sends a request, and waits for the response for a limited time. */
async function send({ method, url, headers, body }) {
  let timer;
  const silence = new Promise((resolve) => {
    failed = (why) => resolve({ status: 0, type: "", body: why });
    const began = process.cpuUsage();
    let before = performance.eventLoopUtilization();
    let idle = 0;
    timer = every(() => {
      const now = performance.eventLoopUtilization();
      if (performance.eventLoopUtilization(now, before).utilization < 0.5) idle++;
      before = now;
      const { user, system } = process.cpuUsage(began);
      if (idle < steps && user + system < MAX_USED * 1000) return;
      resolve({ status: 0, type: "", body: SILENCE });
    }, STEP);
  });
  const answer = fetch(new URL(url, base), { method, headers, body, redirect: "manual" })
    .then(async (response) => ({
      status: response.status,
      type: response.headers.get("content-type") ?? "",
      location: response.headers.get("location") ?? undefined,
      cookies: response.headers.getSetCookie(),
      body: await response.text(),
    })).catch((error) => ({ status: 0, type: "", body: `${error.cause ?? error}` }));
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearInterval(timer);
    failed = undefined;
  }
}

const base = `http://127.0.0.1:${port}`;
const listener = server.listener ?? createServer(server.handler);
await new Promise((resolve) => listener.listen(Number(port), "127.0.0.1", resolve));

await server.restore?.();
const setUp = await server.setUp?.(send) ?? {};
const saved = await server.save?.();
const description = server.description ?? await (await fetch(base + server.descriptionUrl)).json();

/** The responses to a unit's requests. */
async function run(unit, mutant) {
  stryker.activeMutant = undefined;
  await server.restore?.(saved);
  stryker.activeMutant = mutant;
  stryker.hitCount = stryker.hitLimit === undefined ? undefined : 0;
  state = 1;
  const answers = [];
  for (const request of unit) answers.push(await send(request));
  return answers;
}

const isSilent = (answers) => answers.some(({ body, status }) => status === 0 && body === SILENCE);

const same = (left, right) =>
  left.length === right.length &&
  left.every(({ status, type, body }, index) =>
    status === right[index].status && type === right[index].type && body === right[index].body
  );

let units = [];
let expected = [];

const COMMANDS = {
  describe: () => ({ description, base, headers: setUp.headers ?? {} }),
  load({ units: given }) {
    units = given;
    return {};
  },
  expect({ answers }) {
    expected = answers;
    return {};
  },
  /**
   * Runs units twice without a mutant. Returns the mutants that each reaches both times (timers run code too), and
   * which responses change by themselves.
   */
  async base({ from, to }) {
    // Earlier units had the same numbers.
    stryker.mutantCoverage.perTest = {};
    for (let index = from; index < to; index++) {
      stryker.currentTestId = `${index}`;
      const answers = await run(units[index]);
      stryker.currentTestId = `${index} again`;
      steps = FEW_STEPS;
      const again = await run(units[index]);
      steps = STEPS;
      stryker.currentTestId = undefined;
      const { [index]: once = {}, [`${index} again`]: twice = {} } = stryker.mutantCoverage.perTest;
      const reached = Object.keys(once).filter((id) => id in twice);
      say({ unit: index, answers, steady: same(answers, again), reached });
    }
    return {};
  },
  /** Runs units with a mutant. Returns the changed responses, and whether the server is unchanged afterwards. */
  async try({ mutant, units: chosen, control }) {
    let silent = 0;
    stryker.hitLimit = 100_000;
    for (const index of chosen) {
      steps = silent < MAX_SILENT ? STEPS : FEW_STEPS;
      const answers = await run(units[index], mutant);
      silent = isSilent(answers) ? silent + 1 : 0;
      say(same(answers, expected[index]) ? { unit: index } : { unit: index, answers });
    }
    stryker.hitLimit = undefined;
    steps = STEPS;
    let intact = true;
    for (const index of control) intact &&= same(await run(units[index]), expected[index]);
    return { intact };
  },
};

failed = undefined;
say({ done: "start" });
for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  try {
    say({ done: command.do, ...await COMMANDS[command.do](command) });
  } catch (error) {
    say({ done: command.do, problem: `${error.stack ?? error}` });
  }
}
exit(0);
