import type { ComponentChildren, JSX } from "preact";
import { gapAdvice, gapName } from "../model/gaps.ts";
import { routeLink } from "../model/route.ts";
import { namedGaps, type Suggestion } from "../model/suggestions.ts";
import { formatAmount, formatNumber, sentenceList, shortened } from "../../../wording/amounts.ts";
import { GAP_KINDS } from "../../../wording/gap_wording.ts";
import { OperationLink, ParameterName } from "./names.tsx";

/** Characters to show of an example, whose JSON may be long. */
const NAME_LENGTH = 40;

const OTHERS = 20;

function Others({ others = [] }: Suggestion): JSX.Element | null {
  if (others.length === 0) return null;
  const rest = others.length - OTHERS;
  return (
    <details class="others">
      <summary>The same in {formatAmount(others.length, "more operation")}</summary>
      <ul>
        {others.slice(0, OTHERS).map((operation) => (
          <li key={operation.key}>
            <OperationLink operation={operation} />
          </li>
        ))}
        {rest > 0 && <li class="muted">and {formatNumber(rest)} more</li>}
      </ul>
    </details>
  );
}

function Hints({ suggestion }: { readonly suggestion: Suggestion }): JSX.Element | null {
  const { gaps, operation } = suggestion;
  const named = namedGaps(suggestion);
  if (named.length === 0) return null;
  const rest = gaps.length - named.length;
  return (
    <ul class="hints">
      {named.map((gap) => {
        const [name, advice] = [gapName(gap), gapAdvice(gap)];
        return (
          <li key={gap.at}>
            <a href={routeLink("operation", operation.key, { at: gap.at })}>
              <code>
                <bdi title={name}>
                  {gap.kind === "example" ? shortened(name, NAME_LENGTH) : name}
                </bdi>
              </code>
            </a>
            {advice === "" ? null : <span class="advice">{advice}</span>}
          </li>
        );
      })}
      {rest > 0 && <li class="muted">and {formatNumber(rest)} more</li>}
    </ul>
  );
}

/** Names the keywords of a suggestion. A body is only named if there are several. */
function remaining({ gaps, operation }: Suggestion): ComponentChildren {
  const { length: count, 0: { parameter } } = gaps;
  const bodies = operation.parameters.filter(({ location }) => location === "body").length;
  const name = parameter === null || (parameter.location === "body" && bodies === 1)
    ? "body"
    : <ParameterName parameter={parameter} />;
  return count === 1
    ? <>the remaining {name} keyword</>
    : <>the {formatNumber(count)} remaining {name} keywords</>;
}

function callReason({ operation: { gaps } }: Suggestion): string {
  const parts = GAP_KINDS.filter((kind) => kind !== "operation" && gaps[kind] > 0)
    .map((kind) => formatAmount(gaps[kind], kind));
  return parts.length === 0 ? "Never called." : `Never called: ${sentenceList(parts)} to cover.`;
}

function words(suggestion: Suggestion): { headline: ComponentChildren; reason: string } {
  const { action, gaps: { length: count, 0: { parameter, keywords: unsent } } } = suggestion;
  const name = parameter === null ? null : <ParameterName parameter={parameter} />;
  const keywords = formatAmount(action === "send" ? unsent : count, "keyword");
  switch (action) {
    case "call":
      return { headline: "Call this operation", reason: callReason(suggestion) };
    case "send":
      return {
        headline: <>Send {name}</>,
        reason: unsent === 0 ? "Never sent." : `Never sent: ${keywords} to cover.`,
      };
    case "reach":
      return { headline: <>Cover {remaining(suggestion)}</>, reason: "" };
    case "fail":
      return { headline: <>Send invalid values for {name}</>, reason: `${keywords} never failed.` };
    case "pass":
      return { headline: <>Send valid values for {name}</>, reason: `${keywords} never passed.` };
    case "example":
      return {
        headline: <>Send the examples of {name}</>,
        reason: `${formatAmount(count, "example")} never sent.`,
      };
    case "response":
      return {
        headline: "Trigger the other responses",
        reason: `${formatAmount(count, "documented response")} never returned.`,
      };
  }
}

interface Props {
  readonly suggestion: Suggestion;
}

export function SuggestionItem({ suggestion }: Props): JSX.Element {
  const { operation, gaps: [{ parameter }] } = suggestion;
  const { headline, reason } = words(suggestion);
  return (
    <li>
      <OperationLink operation={operation} />
      <p class="suggestion">
        {parameter === null
          ? <strong>{headline}</strong>
          : <a href={routeLink("operation", operation.key, { at: parameter.at })}>{headline}</a>}
        {" "}
        <span class="muted">{reason}</span>
      </p>
      <Hints suggestion={suggestion} />
      <Others {...suggestion} />
    </li>
  );
}

export function SuggestionLine({ suggestion }: Props): JSX.Element {
  const { headline, reason } = words(suggestion);
  const line = (
    <>
      <strong>{headline}</strong> <span class="muted">{reason}</span>
    </>
  );
  return (
    <li>
      {namedGaps(suggestion).length === 0 ? <p class="suggestion">{line}</p> : (
        <details>
          <summary class="suggestion">{line}</summary>
          <Hints suggestion={suggestion} />
        </details>
      )}
    </li>
  );
}
