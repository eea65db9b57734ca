import { formatAmount } from "../../report/wording/amounts.ts";
import type { ProbeEnd, ProbeResult } from "./prober.ts";

/** The options that sentences name. */
export interface ProbeLimits {
  readonly server: string;
  readonly max: number;
  /** In seconds. */
  readonly time: number;
}

/** What to say about a probe, besides its report: sentences. */
export interface ProbeSentences {
  readonly said: readonly string[];
  readonly warned: readonly string[];
}

/** Says what a probe did, why it ended, and what it left out. */
export function probeSentences(result: ProbeResult, limits: ProbeLimits): ProbeSentences {
  const { answered, failed, unsendable, reason, missing, unsafeOperations, end } = result;
  const warned: string[] = [];
  if (failed > 0) {
    warned.push(`No answer came to ${formatAmount(failed, "request")}: ${reason}.`);
  }
  if (unsendable > 0) {
    warned.push(`HTTP can't express ${formatAmount(unsendable, "request")}, so they weren't sent.`);
  }
  if (missing.length > 0) {
    const names = missing.map((placeholder) => placeholder.slice(1));
    warned.push(
      `No value is known for ${missing.join(", ")}: set the environment ${
        names.length === 1 ? "variable" : "variables"
      } ${names.join(", ")}, or give --header. Requests were sent without ${
        names.length === 1 ? "it" : "them"
      }.`,
    );
  }
  const said = [
    `${formatAmount(answered, "request")} sent to ${limits.server}. ${endSentence(end, limits)}`,
  ];
  if (unsafeOperations > 0) {
    said.push(
      `${formatAmount(unsafeOperations, "operation")} left out, as ${
        unsafeOperations === 1 ? "its method changes" : "their methods change"
      } data: --unsafe sends those too.`,
    );
  }
  return { said, warned };
}

function endSentence(end: ProbeEnd, { max, time }: ProbeLimits): string {
  switch (end) {
    case "done":
      return "Nothing is left to suggest.";
    case "max":
      return `Stopped at the limit of ${formatAmount(max, "request")} (--max).`;
    case "time":
      return `Stopped after ${formatAmount(time, "second")} (--time).`;
    case "interrupted":
      return "Interrupted; the report has what was answered.";
    case "no_connection":
      return "Stopped after 5 failed connections in a row.";
    case "server_errors":
      return "Stopped after 20 answers of 5xx in a row.";
  }
}
