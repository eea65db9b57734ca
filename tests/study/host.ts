import { SERVERS, type StudyServer } from "./servers.ts";

/** A request in a pool. */
export interface StudyRequest {
  readonly method: string;
  /** The URL from its path on. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response; without one, the status is 0, and the body says why. */
export interface StudyAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** A request, or two of which the second sees the effect of the first. */
export type Unit = readonly StudyRequest[];

/** The result of a unit without a mutant. */
export interface BaseRun {
  readonly unit: number;
  readonly answers: readonly StudyAnswer[];
  /** False if the responses change by themselves. */
  readonly steady: boolean;
  /** Ids of the mutants that it reaches. */
  readonly reached: readonly string[];
}

// deno-lint-ignore no-explicit-any -- messages of our own child process
type Message = any;

/** Seconds of processor time after which a server hangs, for instance in an endless loop. */
const MAX_USED = 4;
/** Wall-clock seconds after which a server hangs that uses no processor time either. */
const MAX_SILENCE = 120;

/** Below the ports that clients are given. */
const FIRST_PORT = 21_700;

/** A server in its own process, which may only read, and write to its own folder. */
export class Host {
  readonly #server: StudyServer;
  readonly #folder: string;
  #child: Deno.ChildProcess | undefined;
  #lines: ReadableStreamDefaultReader<string> | undefined;
  #input: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #units: readonly Unit[] = [];
  #expected: readonly (readonly StudyAnswer[])[] = [];

  constructor(server: StudyServer, folder: string) {
    this.#server = server;
    this.#folder = folder;
  }

  async start(): Promise<void> {
    const here = new URL(".", import.meta.url).pathname;
    const rights = ["--experimental-permission", "--allow-fs-read=*"];
    rights.push(`--allow-fs-write=${this.#folder}/state/*`);
    if (this.#server.compiled) rights.push("--allow-addons");
    this.#child = new Deno.Command("node", {
      args: [
        ...["--no-warnings", "--max-old-space-size=1500", ...rights],
        ...[`${here}host.mjs`, `${here}servers/${this.#server.name}.mjs`, this.#folder],
        // The same port each time, because some responses contain it.
        `${FIRST_PORT + SERVERS.indexOf(this.#server)}`,
      ],
      ...{ cwd: `${this.#folder}/state`, stdin: "piped", stdout: "piped", stderr: "inherit" },
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#lines = this.#child.stdout.pipeThrough(new TextDecoderStream())
      .pipeThrough(splitLines()).getReader();
    const { problem } = await this.#next();
    if (problem !== undefined) throw new Error(problem);
    await this.#ask({ do: "load", units: this.#units });
    await this.#ask({ do: "expect", answers: this.#expected });
  }

  async stop(): Promise<void> {
    try {
      this.#child?.kill("SIGKILL");
    } catch { /* It has ended already. */ }
    await this.#child?.status;
    await this.#lines?.cancel();
    this.#input?.abort().catch(() => {});
  }

  describe(): Promise<{ description: unknown; base: string; headers: Record<string, string> }> {
    return this.#ask({ do: "describe" });
  }

  /** Restarts the server whenever it ends while something else sends requests to it, and at the end. */
  async keepUp<T>(during: () => Promise<T>): Promise<T> {
    let isDone = false;
    const result = during().finally(() => isDone = true);
    while (!isDone) {
      await Promise.race([result, this.#child?.status]);
      await this.#restart();
    }
    return await result;
  }

  /** Runs units without a mutant. */
  async base(units: readonly Unit[]): Promise<BaseRun[]> {
    this.#units = units;
    await this.#ask({ do: "load", units });
    const runs: BaseRun[] = [];
    while (runs.length < units.length) {
      try {
        const range = { from: runs.length, to: units.length };
        await this.#ask({ do: "base", ...range }, (run) => runs.push(run));
      } catch (error) {
        if (!(error instanceof HungError)) throw error;
        // Some servers can be brought down by one request.
        const answers = [{ status: 0, type: "", body: "hangs" }];
        runs.push({ unit: runs.length, answers, steady: false, reached: [] });
        await this.#restart();
      }
    }
    this.#expected = runs.map(({ answers }) => answers);
    await this.#ask({ do: "expect", answers: this.#expected });
    return runs;
  }

  /** Responses of the units that a mutant changes. A server that hangs has no response, and is restarted. */
  async try(
    mutant: string,
    units: readonly number[],
    control: readonly number[],
  ): Promise<ReadonlyMap<number, readonly StudyAnswer[]>> {
    const changed = new Map<number, readonly StudyAnswer[]>();
    const left = [...units];
    for (let hung = 0; left.length > 0;) {
      try {
        const { intact } = await this.#ask({ do: "try", mutant, units: left, control }, (line) => {
          left.splice(left.indexOf(line.unit), 1);
          if (line.answers !== undefined) changed.set(line.unit, line.answers);
        });
        if (!intact) await this.#restart();
        if (left.length > 0) throw new Error(`${mutant}: ${left.length} units weren't run`);
      } catch (error) {
        if (!(error instanceof HungError)) throw error;
        await this.#restart();
        // The first remaining unit hung; after two of those, the others are assumed to hang as well.
        for (const unit of left.splice(0, ++hung < 3 ? 1 : left.length)) {
          changed.set(unit, [{ status: 0, type: "", body: "hangs" }]);
        }
      }
    }
    return changed;
  }

  async #restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async #ask(command: Message, each?: (line: Message) => void): Promise<Message> {
    await this.#input?.write(new TextEncoder().encode(`${JSON.stringify(command)}\n`))
      .catch(() => {
        throw new HungError();
      });
    for (;;) {
      const line = await this.#next();
      if (line.problem !== undefined) throw new Error(line.problem);
      if (line.done !== undefined) return line;
      each?.(line);
    }
  }

  async #next(): Promise<Message> {
    const line = this.#lines!.read();
    let timer: ReturnType<typeof setInterval> | undefined;
    const silence = new Promise<never>((_, reject) => {
      const began = performance.now();
      let usedBefore: number | undefined;
      timer = setInterval(async () => {
        const used = await this.#secondsUsed();
        usedBefore ??= used;
        const isLong = performance.now() - began > MAX_SILENCE * 1000;
        if (isLong || used - usedBefore > MAX_USED) reject(new HungError());
      }, 1000);
    });
    try {
      const { value } = await Promise.race([line, silence]);
      if (value === undefined) throw new HungError();
      return JSON.parse(value);
    } finally {
      clearInterval(timer);
    }
  }

  /** The processor time of the server so far; 0 after it has ended. */
  async #secondsUsed(): Promise<number> {
    const args = ["-o", "time=", "-p", `${this.#child?.pid}`];
    const { stdout } = await new Deno.Command("ps", { args }).output();
    return new TextDecoder().decode(stdout).trim().split(/[-:]/).map(Number)
      .reduce((sum, part) => 60 * sum + part, 0);
  }
}

/** The server has ended or doesn't respond any more. */
class HungError extends Error {}

function splitLines(): TransformStream<string, string> {
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) controller.enqueue(line);
    },
  });
}
