import type { JSX } from "preact";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { keywordWording, responseWording } from "../../../wording/gap_wording.ts";
import { gapAt, gapPlace, type GapStop, nextGap } from "../model/gaps.ts";
import type { Model } from "../model/model.ts";
import { RequestLink } from "../parts/requests.tsx";
import { routeLink } from "../model/route.ts";
import { useModel, useOperation } from "../parts/context.ts";
import { GapIds } from "../parts/names.tsx";
import { useQuery } from "../parts/use_route.ts";

export function gapSentence({ gap, operation }: GapStop): string {
  const { parameter, subject, missing } = gap;
  const name = parameter === null ? "" : `${parameter.location} ${parameter.parameter}`;
  switch (gap.kind) {
    case "operation":
      return `${operation.data.method} ${operation.data.path} was never called`;
    case "parameter":
      return `${name} was never sent`;
    case "keyword":
      return `${subject} of ${gapPlace(gap)} ${
        missing === null ? "" : keywordWording(subject, gap.value, missing)
      }`;
    case "example":
      return `an example of ${name} was never used`;
    case "response":
      return `response ${subject} ${responseWording(subject)}`;
  }
}

export function gapLink({ operation, gap }: GapStop): string {
  return routeLink("operation", operation.key, { at: gap.at });
}

function number(model: Model, { first, last }: GapStop): string {
  const range = first === last
    ? `Gap ${formatNumber(first)}`
    : `Gaps ${formatNumber(first)} to ${formatNumber(last)}`;
  return `${range} of ${formatNumber(model.gaps.total)}`;
}

export function GapBar(): JSX.Element | null {
  const operation = useOperation();
  const model = useModel();
  const at = useQuery("at");
  if (model.gaps.total === 0) return null;
  const current = gapAt(model, operation, at);
  const before = nextGap(model, operation, at, -1);
  const after = nextGap(model, operation, at, 1);
  return (
    <div class="gap-bar" role="group" aria-label="Gap navigation">
      <p role="status">
        {current === null
          ? <span class="muted">{formatAmount(operation.gaps.total, "gap")} here</span>
          : (
            <>
              <strong>{number(model, current)}</strong>{" "}
              <bdi class="gap-sentence">{gapSentence(current)}</bdi>{" "}
              <GapIds ids={current.gap.ids} />
              <RequestLink at={current.gap.at} subject="this gap" />
            </>
          )}
      </p>
      <span class="gap-steps">
        {before === null ? null : (
          <a class="step" href={gapLink(before)}>
            <kbd aria-hidden="true">p</kbd> Previous gap
          </a>
        )}
        {after === null ? null : (
          <a class="step" href={gapLink(after)}>
            <kbd aria-hidden="true">n</kbd> Next gap
          </a>
        )}
      </span>
    </div>
  );
}
