import type { Ansis } from "ansis";
import type { ApiMaps } from "../coverage_map/api_maps.ts";
import { DIMENSIONS } from "../map/results.ts";
import { summarize } from "../map/statistic.ts";
import { formatPercent } from "../report/wording/amounts.ts";
import { plainText, withoutCommands } from "../report/text/plain_text.ts";
import type { OutputStream } from "../run/host.ts";

export interface LiveLineOptions {
  readonly map: Pick<ApiMaps, "traffic" | "statistic">;
  readonly stream: OutputStream;
  readonly colors: Ansis;
  /** True if there is a line that is drawn over; else a line is added now and then. */
  readonly isDrawn: boolean;
  requests(): number;
}

/** Milliseconds between two drawings, and between two lines where nothing is drawn over. */
const DRAWN_EVERY = 250;
const ADDED_EVERY = 10_000;
/** Counting may take this part of the time at most. */
const SHARE = 0.05;
const CLEAR = "\r\u001b[K";

/** The numbers as they are now, on one line of a terminal, below the other messages. */
export class LiveLine {
  readonly #options: LiveLineOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -1;
  #shown = "";

  constructor(options: LiveLineOptions) {
    this.#options = options;
  }

  start(): void {
    this.#schedule(this.#options.isDrawn ? 0 : ADDED_EVERY);
  }

  /** Writes something that stays. */
  say(text: string): void {
    const { stream } = this.#options;
    void stream.write(`${this.#clear()}${withoutCommands(text)}\n${this.#shown}`);
  }

  /** Ends the line; what comes next begins on a new one. */
  stop(): void {
    clearTimeout(this.#timer);
    const clear = this.#clear();
    this.#shown = "";
    if (clear !== "") void this.#options.stream.write(clear);
  }

  #clear(): string {
    return this.#shown === "" ? "" : CLEAR;
  }

  #schedule(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      const started = performance.now();
      this.#show();
      const cost = performance.now() - started;
      const { isDrawn } = this.#options;
      this.#schedule(Math.max(isDrawn ? DRAWN_EVERY : ADDED_EVERY, cost / SHARE));
    }, milliseconds);
  }

  #show(): void {
    const { stream, isDrawn } = this.#options;
    const requests = this.#options.requests();
    if (requests === this.#last) return;
    this.#last = requests;
    const line = this.#line(requests, isDrawn ? (stream.columns ?? 80) - 1 : Infinity);
    if (!isDrawn) {
      void stream.write(`${line}\n`);
      return;
    }
    void stream.write(CLEAR + line);
    this.#shown = line;
  }

  #line(requests: number, width: number): string {
    const { map, colors } = this.#options;
    const { recorded, matched } = map.traffic();
    const summary = summarize(map.statistic(), recorded > 0, undefined, true);
    const counts = `${requests.toLocaleString("en-US")} ${
      requests === 1 ? "request" : "requests"
    }, ${matched.toLocaleString("en-US")} matched`;
    const parts = DIMENSIONS.map((dimension) => {
      const { percent } = summary[dimension];
      return `${dimension} ${percent === null ? "–" : formatPercent(percent)}`;
    });
    const whole = `${counts} · ${parts.join(" · ")}`;
    if (whole.length <= width) return `${colors.bold(counts)} · ${parts.join(" · ")}`;
    const short = `${requests} req ${matched} matched · ${
      parts.map((part) => part.replace(/^(.)\w+/, "$1").replace(" ", "")).join(" ")
    }`;
    return plainText(short).slice(0, Math.max(0, width));
  }
}
