/** @jsxImportSource preact */
/// <reference lib="dom" />
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import {
  DIMENSION_WORDING,
  type DimensionWording,
  ENFORCEMENT_WORDING,
  FINDINGS_WORDING,
  RESPONSE_KEYWORDS_WORDING,
} from "../../../wording/dimension_wording.ts";
import { dimensionsOf, enforcementFacts, responseKeywordFacts } from "../model/dimensions.ts";
import { LevelDefinition } from "./level_definition.tsx";
import type { ViewProps } from "./view.ts";

function Definition({ name, title, wording }: {
  readonly name: string;
  readonly title: string;
  readonly wording: DimensionWording;
}): JSX.Element {
  return (
    <section>
      <h2 id={name} tabIndex={-1}>{title}</h2>
      <p>
        <strong>{wording.definition}</strong>
      </p>
      <ul>
        {wording.rules.map((rule) => <li key={rule}>{rule}</li>)}
      </ul>
    </section>
  );
}

/** The definitions of all numbers; the address may lead to one of them. */
export function Definitions({ model, route }: ViewProps): JSX.Element {
  const at = route.query.get("at");
  useEffect(() => {
    const element = at === null ? null : document.getElementById(at);
    element?.focus({ preventScroll: true });
    element?.scrollIntoView({ block: "start" });
  }, [at]);
  return (
    <div class="definitions">
      <h1>How coverage is counted</h1>
      {dimensionsOf(model.data.summary).map(({ dimension, label }) => (
        <Definition
          key={dimension}
          name={dimension}
          title={label}
          wording={DIMENSION_WORDING[dimension]}
        />
      ))}
      {enforcementFacts(model.data.summary) === null
        ? null
        : <Definition name="enforcement" title="Enforcement" wording={ENFORCEMENT_WORDING} />}
      {responseKeywordFacts(model.data.summary) === null ? null : (
        <Definition
          name="response_keywords"
          title="Response keywords"
          wording={RESPONSE_KEYWORDS_WORDING}
        />
      )}
      {(model.data.findings ?? []).length === 0
        ? null
        : <Definition name="findings" title="Findings" wording={FINDINGS_WORDING} />}
      <section>
        <h2 id="gaps" tabIndex={-1}>Gaps</h2>
        <p>
          <strong>Items that no request covered.</strong>
        </p>
        <ul>
          <li>
            A keyword is one gap until values of both kinds were sent, valid and invalid. Until then
            it is partial or not covered.
          </li>
          <li>
            The keywords and examples of an operation that was never called, or of a parameter that
            was never sent, are gaps too. So the number of gaps never grows as more is tested.
          </li>
          <li>How often something was covered doesn't matter: one request is enough.</li>
        </ul>
      </section>
      <LevelDefinition model={model} />
    </div>
  );
}
