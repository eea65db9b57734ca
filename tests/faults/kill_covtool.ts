import assert from "node:assert/strict";
import { copyFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Random, randomFrom } from "../corpus/random.ts";
import { type Ended, type Kill, type Program, type Run, runCovtool } from "./covtool_process.ts";
import { type FaultFolder, leftovers, makeFaultFolder } from "./fault_folder.ts";
import { assertFiles, readFiles, type Scenario, SCENARIOS, type Stage } from "./scenarios.ts";

const BOOKSHOP = new URL("../../examples/bookshop/", import.meta.url);
/** Number of interactions in the two recordings. */
const INTERACTIONS = 400;

/** Options of killing covtool. */
export interface KillOptions {
  readonly program: Program;
  readonly times: number;
  /** Decides the cases, but the moments depend on the machine. */
  readonly seed: string;
  /** Names of scenarios (default: all). */
  readonly scenarios?: readonly string[] | undefined;
  /** Called after each case. */
  readonly onCase?: (done: number) => void;
}

/** Figures of one scenario. */
export interface KillFigures {
  /** Runs that the signal ended. */
  killed: number;
  /** Runs that ended themselves: before the signal, or with partial results after SIGTERM. */
  ended: number;
  /** Kills that left a draft or a temporary folder, which the next run removed. */
  left: number;
}

/**
 * Kills covtool repeatedly, and asserts each time that every file is the old or the new one, and that the next run
 * removes what the killed one left.
 */
export async function killCovtool(options: KillOptions): Promise<Map<string, KillFigures>> {
  const random = randomFrom(options.seed);
  const scenarios = SCENARIOS.filter(({ name }) => options.scenarios?.includes(name) ?? true);
  const path = mkdtempSync(join(tmpdir(), "faults-"));
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => Response.json([{ title: "x".repeat(2000) }]),
  );
  const figures = new Map<string, KillFigures>();
  try {
    const players = new Map<Scenario, Player>();
    const inputs = makeFaultFolder(join(path, "inputs"));
    await writeInputs(inputs, options.program);
    for (let done = 0; done < options.times; done++) {
      const scenario = scenarios[done % scenarios.length];
      assert.ok(scenario !== undefined, "no scenario has that name");
      let player = players.get(scenario);
      if (player === undefined) {
        const folder = makeFaultFolder(join(path, String(players.size)));
        player = new Player(options.program, scenario, folder, server.addr.port);
        players.set(scenario, player);
        figures.set(scenario.name, player.figures);
        cpSync(inputs.work, folder.work, { recursive: true });
        await player.rehearse();
      }
      try {
        await player.play(random);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        throw new assert.AssertionError({
          message: `Case ${done} (${scenario.name}, ${player.said}): ${message}`,
        });
      }
      options.onCase?.(done + 1);
    }
  } finally {
    await server.shutdown();
    rmSync(path, { recursive: true, force: true });
  }
  return figures;
}

/** Plays one scenario repeatedly in its own folder. */
class Player {
  readonly figures: KillFigures = { killed: 0, ended: 0, left: 0 };
  /** Description of the last case. */
  said = "";
  readonly #program: Program;
  readonly #scenario: Scenario;
  readonly #stage: Stage;
  /** The expected files of each variant. */
  readonly #expected: (string | undefined)[][] = [];
  /** Milliseconds of a run that isn't killed. */
  #duration = 0;

  constructor(program: Program, scenario: Scenario, folder: FaultFolder, port: number) {
    this.#program = program;
    this.#scenario = scenario;
    this.#stage = { folder, port, run: (run) => this.#run(run) };
  }

  /** Runs each variant to its end, to get the expected files. */
  async rehearse(): Promise<void> {
    const { folder } = this.#stage;
    for (const variant of this.#scenario.variants) {
      this.#scenario.before?.(this.#stage, true);
      const ended = await this.#run(variant(this.#stage));
      assert.equal(ended.code, 0, `${this.#scenario.name}: ${ended.err}`);
      this.#expected.push(readFiles(folder, this.#scenario));
      this.#duration = ended.milliseconds;
      await this.#scenario.check?.(this.#stage, ended);
    }
    assert.deepEqual(leftovers(folder), []);
  }

  async play(random: Random): Promise<void> {
    const { folder } = this.#stage;
    const kill = this.#nextKill(random);
    const variant = random.pick(this.#scenario.variants);
    this.said = `${kill.signal} ${kill.milliseconds} ms after the ${kill.after}`;
    this.#scenario.before?.(this.#stage, random.oneIn(2));
    const wereThere = readFiles(folder, this.#scenario).map((text) => text !== undefined);
    const ended = await this.#run({ ...variant(this.#stage), kill });
    // A second signal ends a proxy at once.
    const isAtOnce = kill.signal === "SIGTERM" && ended.code === 130;
    if (ended.signal === null && !isAtOnce) {
      this.figures.ended++;
      // The command that it runs is ended too, and its code becomes the exit code.
      assert.ok(ended.code === 0 || (kill.signal === "SIGTERM" && ended.code === 143), ended.err);
      assert.deepEqual(leftovers(folder), [], "a run that ended by itself leaves nothing");
    } else this.figures.killed++;
    const left = leftovers(folder);
    if (isAtOnce) assert.ok(!left.some((path) => /covtool-proxy-/.test(path)), "the key stays");
    const isLeft = left.length > 0;
    assertFiles(folder, this.#scenario, this.#expected, wereThere);
    await this.#scenario.check?.(this.#stage, ended);
    if (!isLeft) return;
    this.figures.left++;
    this.#scenario.before?.(this.#stage, false);
    const next = await this.#run(variant(this.#stage));
    assert.equal(next.code, 0, next.err);
    assert.deepEqual(leftovers(folder), [], "the next run removes what a killed one has left");
    assertFiles(folder, this.#scenario, this.#expected, wereThere);
  }

  /** Half of the moments are anywhere in a run, and the others while it writes. */
  #nextKill(random: Random): Kill {
    const signal = random.pick(["SIGKILL", "SIGTERM"] as const);
    if (random.oneIn(2)) return { signal, after: "draft", milliseconds: random.below(30) };
    return { signal, after: "start", milliseconds: random.below(Math.ceil(this.#duration * 1.1)) };
  }

  async #run(run: Run): Promise<Ended> {
    const ended = await runCovtool(this.#program, this.#stage.folder, run);
    assert.doesNotMatch(ended.err, /^\s+at .*:\d+|Internal error|panicked/m, ended.err);
    return ended;
  }
}

/** Writes the bookshop's description, two recordings of its traffic, and their hits. */
async function writeInputs(folder: FaultFolder, program: Program): Promise<void> {
  const { work } = folder;
  for (const name of ["openapi.yaml", "traffic.json"]) {
    copyFileSync(new URL(name, BOOKSHOP), join(work, name));
  }
  for (const [index, name] of ["a", "b"].entries()) {
    const lines = Array.from({ length: INTERACTIONS }, (_, at) => {
      const url = `http://localhost/api/v1/books?limit=${at * (index + 1)}&page=${at % 7}`;
      return JSON.stringify({ request: { method: "GET", url }, response: { status_code: 200 } });
    });
    writeFileSync(join(work, `${name}.jsonl`), `${lines.join("\n")}\n`);
    const { code, err } = await runCovtool(program, folder, {
      args: ["report", "openapi.yaml", `${name}.jsonl`, "--format", `hits=${name}.hits`],
    });
    assert.equal(code, 0, err);
  }
}
