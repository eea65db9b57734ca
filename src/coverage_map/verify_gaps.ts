import { bodyText } from "../http/body_text.ts";
import { redactInteraction } from "../redact/redact_request.ts";
import { Redactor } from "../redact/redactor.ts";
import { keywordValues } from "../report/build/build_description_view.ts";
import { gapSubject, gapText } from "../report/text/gap_text.ts";
import { keywordPlace, parameterText } from "../report/wording/place_name.ts";
import { plainText } from "../report/text/plain_text.ts";
import { classFate } from "../report/wording/values_wording.ts";
import type { VerifiedGap } from "../report/verified_gaps.ts";
import { findGaps, normalizeId, type PossibleGap } from "../suggest/find_gaps.ts";
import { GapWatch, type WatchedGap, type WatchedInteraction } from "../suggest/gap_watch.ts";
import { SuggestError, VALUES_NOT_COUNTED } from "../suggest/suggestion.ts";
import { operationName } from "../values/operation_name.ts";
import type { MeasuredApi } from "./measured_api.ts";

const MAX_BODY = 500;

export class GapVerification {
  readonly #api: MeasuredApi;
  readonly #ids: readonly string[];
  readonly #watch: GapWatch;
  readonly #problems = new Map<string, string>();

  /** Starts to watch the traffic of an API. */
  constructor(api: MeasuredApi, ids: readonly string[]) {
    this.#api = api;
    this.#ids = [...new Set(ids.map(normalizeId))];
    const gaps: PossibleGap[] = [];
    for (const id of this.#ids) {
      try {
        gaps.push(...findGaps(api.plan, [id]));
      } catch (error) {
        if (!(error instanceof SuggestError)) throw error;
        this.#problems.set(id, error.message);
      }
    }
    this.#watch = new GapWatch(gaps, () => api.hits);
    api.watchGaps(this.#watch);
  }

  /** Returns the verdicts on the gaps, in the order of the ids. */
  result(): VerifiedGap[] {
    const redactor = new Redactor(this.#api.secretNames());
    const keywordValue = keywordValues(this.#api.plan);
    const watched = this.#watch.result();
    return this.#ids.flatMap((id): VerifiedGap[] => {
      const matching = watched.filter(({ gap }) => gap.id === id);
      const isUncounted = !this.#api.countsValues &&
        matching.some(({ gap, count }) => gap.kind === "value_uncovered" && count === 0);
      const sentence = this.#problems.get(id) ?? (isUncounted ? VALUES_NOT_COUNTED : undefined);
      if (sentence !== undefined) return [{ id, state: "unknown", sentence }];
      return matching.map((watchedGap) => {
        const { gap, count, closedBy, nearest = closedBy, isHidden } = watchedGap;
        if (count > 0 && !isHidden) {
          const by = closedBy === undefined
            ? {}
            : { closed_by: describeInteraction(closedBy, redactor) };
          return { id, state: "closed", gap, sentence: describeClosed(watchedGap), ...by };
        }
        const sentence = `${operationName(gap)}: ${gapText(gap, keywordValue)}`;
        const nearestDetails = nearest === undefined ? {} : describeInteraction(nearest, redactor);
        return {
          id,
          state: "open",
          gap,
          sentence,
          nearest: { ...nearestDetails, difference: describeDifference(watchedGap) },
        };
      });
    });
  }
}

/** Describes a closed gap in the past tense: `POST /books: minLength of title of body application/json failed`. */
function describeClosed({ gap }: WatchedGap): string {
  const operation = operationName(gap);
  switch (gap.kind) {
    case "operation_uncovered":
      return `${operation} was called`;
    case "parameter_uncovered":
    case "example_uncovered":
      return `${operation}: ${gapSubject(gap)} was sent`;
    case "keyword_uncovered":
      return `${operation}: ${gapSubject(gap)} ${gap.state === "valid" ? "passed" : "failed"}`;
    case "value_uncovered":
      return `${operation}: ${gapSubject(gap)} was ${plainText(classFate(gap))}`;
    case "response_uncovered":
      return `${operation}: ${gapSubject(gap)} was returned`;
  }
}

function describeDifference({ gap, nearness, isHidden }: WatchedGap): string {
  if (nearness === "none") return `No request led to ${operationName(gap)}.`;
  const name = "parameter" in gap ? parameterText(gap) : "";
  if (isHidden) return `None of the traffic could have shown ${name || "responses"}.`;
  if (nearness === "operation") {
    return gap.kind === "response_uncovered"
      ? "The operation was called, and answered with another status."
      : `The operation was called without ${name}.`;
  }
  if (gap.kind === "value_uncovered" && gap.class === "default_left_out") {
    return `Every request of the operation carries ${name}.`;
  }
  if (gap.kind !== "keyword_uncovered") return `${name} was sent with other values.`;
  const keyword = keywordPlace(gap.schema_path);
  if (nearness === "parameter") {
    return `${name} was sent, but without a value that ${keyword} applies to.`;
  }
  return `Every value that ${keyword} applies to ${gap.state === "valid" ? "fails" : "passes"}.`;
}

function describeInteraction(interaction: WatchedInteraction, redactor: Redactor) {
  const { request: original, status_code, test: name } = interaction;
  const { request, test } = redactInteraction({ request: original, test: name }, redactor);
  const body = request.body === null || request.body === undefined || request.body.length === 0 ||
      request.body.length > MAX_BODY
    ? undefined
    : bodyText(request.body);
  return {
    ...(test !== undefined && { test }),
    request: { method: request.method.toUpperCase(), url: request.url, status_code, body },
  };
}
