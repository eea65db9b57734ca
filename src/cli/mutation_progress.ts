import type { MeasuredApi } from "../coverage_map/measured_api.ts";
import type { CandidatePart, SearchProgress } from "../mutate/search.ts";
import { plainText, withoutCommands } from "../report/text/plain_text.ts";
import { cutText } from "../report/text/text_width.ts";
import { formatAmount, formatSeconds } from "../report/wording/amounts.ts";
import { partName } from "../report/wording/noticed_wording.ts";
import { type Host, outputWidth } from "../run/host.ts";
import { showsProgress } from "../run/recordings_reader.ts";
import { sanitizeMessage } from "../run/error_sentences.ts";

const CLEAR = "\r\u001b[K";
/** Milliseconds between two lines if the line can't be redrawn in place. */
const EVERY = 10_000;

export interface MutationStatus extends SearchProgress {
  readonly runs: number;
  /** The time or the number of runs left. */
  readonly left: string;
}

export class MutationProgress {
  readonly #host: Host;
  readonly #isDrawn: boolean;
  #shown = "";
  #next = 0;

  constructor(host: Host) {
    this.#host = host;
    this.#isDrawn = showsProgress(host);
  }

  say(text: string): void {
    const clear = this.#shown === "" ? "" : CLEAR;
    void this.#host.stderr.write(`${clear}${withoutCommands(sanitizeMessage(text))}\n`);
    this.#shown = "";
  }

  show(status: () => MutationStatus): void {
    const { stderr, variables, now } = this.#host;
    if (!this.#isDrawn) {
      if (now() < this.#next) return;
      this.#next = now() + EVERY;
      void stderr.write(`${statusLine(status())}\n`);
      return;
    }
    this.#shown = cutText(statusLine(status()), outputWidth(variables, stderr) - 1);
    void stderr.write(CLEAR + this.#shown);
  }

  /** Removes the line. Later output begins on an empty line. */
  stop(): void {
    if (this.#shown !== "") void this.#host.stderr.write(CLEAR);
    this.#shown = "";
  }
}

function statusLine({ runs, left, noticed, unnoticed, not_tried }: MutationStatus): string {
  const done = `${formatAmount(runs, "run")} · ${
    formatAmount(noticed + unnoticed + not_tried, "part")
  }`;
  return `${done}: ${noticed} noticed, ${unnoticed} unnoticed, ${not_tried} left · at most ${left} left`;
}

export function dryRunLines(
  { plan }: MeasuredApi,
  parts: readonly CandidatePart[],
  seconds: number,
  isNamed: boolean,
): string[] {
  const lines = parts.map(({ place, changes }) => {
    const { method = "", path = "", responses = [] } = plan.operations[place.operation]?.model ??
      {};
    const name = partName({ ...place, name: place.path, instance_path: place.path });
    const status = responses[place.response]?.status_code ?? "";
    return plainText(
      `${method} ${path} ${status}: ${name} (${changes.join(", ").replaceAll("_", " ")})`,
    );
  });
  const changes = parts.reduce((sum, { changes }) => sum + changes.length, 0);
  const partsByTest = new Map<string, number>();
  for (const { tests = [] } of isNamed ? parts : []) {
    for (const test of tests) partsByTest.set(test, (partsByTest.get(test) ?? 0) + 1);
  }
  // If tests report their names, the test that reached the most parts determines the number of runs.
  const busiest = Math.max(0, ...partsByTest.values());
  const fewest = isNamed ? 6 : Math.ceil(Math.log2(parts.length + 1)) + 2;
  const most = 2 * (isNamed ? Math.min(busiest + 2, parts.length) : parts.length) + 2;
  return [
    ...lines,
    `${formatAmount(parts.length, "part")}, ${
      formatAmount(changes, "change")
    } at most. That takes from ${fewest} runs, if no test notices anything, to about ${most}, if all is noticed, of ${
      formatSeconds(seconds)
    } each.`,
  ];
}
