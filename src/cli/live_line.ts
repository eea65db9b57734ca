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
  /** True if one line is redrawn in place. If false, a new line is printed from time to time. */
  readonly isDrawn: boolean;
  requests(): number;
}

/** Milliseconds between two updates: redrawn in place, or as new lines. */
const DRAWN_EVERY = 250;
const ADDED_EVERY = 10_000;
/** The largest part of the time that counting may take. */
const SHARE = 0.05;
const CLEAR = "\r\u001b[K";

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

  /** Prints a message above the line. */
  say(text: string): void {
    const { stream } = this.#options;
    void stream.write(`${this.#clear()}${withoutCommands(text)}\n${this.#shown}`);
  }

  /** Removes the line. Later output begins on an empty line. */
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
