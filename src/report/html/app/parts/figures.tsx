import type { JSX } from "preact";
import type { FigureFacts, FigureGroup, FigureName } from "../../../figures.ts";
import { formatAmount, formatPercent } from "../../../wording/amounts.ts";
import type { ReportGate, ReportVerdict } from "../../../report.ts";
import { FIGURE_WORDING } from "../../../wording/dimension_wording.ts";
import { verdictText } from "../../../wording/verdict_text.ts";
import { apiLink, routeLink } from "../model/route.ts";
import { Bar, levelClass } from "./marks.tsx";

function Figure({ figure }: { readonly figure: FigureFacts }): JSX.Element {
  const { name, label, percent, full, partial, total, text } = figure;
  return (
    <div class="dimension">
      <dt>{label}</dt>
      <dd>
        <span class={`percent ${levelClass(percent)}`}>{formatPercent(percent)}</span>
        <Bar full={full} partial={partial} total={total} />
        <span class="counts">{text}</span>
        <a class="definition muted" href={routeLink("definitions", "", { at: name })}>
          {FIGURE_WORDING[name].definition}
        </a>
      </dd>
    </div>
  );
}

export function Figures({ groups, without = [] }: {
  readonly groups: readonly FigureGroup[];
  readonly without?: readonly FigureName[];
}): JSX.Element {
  return (
    <div class="figures">
      {groups.map(({ title, figures }) => {
        const shown = figures.filter(({ name }) => !without.includes(name));
        return shown.length > 0 && (
          <section key={title} class="figure-group" style={{ "--count": shown.length }}>
            <h2>{title}</h2>
            <dl class="dimensions">
              {shown.map((figure) => <Figure key={figure.name} figure={figure} />)}
            </dl>
          </section>
        );
      })}
    </div>
  );
}

function Gates({ gates }: { readonly gates: readonly ReportGate[] }): JSX.Element {
  return (
    <ul class="gates">
      {gates.map(({ api, kind, name, passed, sentence }) => (
        <li key={`${api} ${kind} ${name}`} class={passed ? "gate-passed" : "gate-failed"}>
          {api === undefined ? null : (
            <>
              <a href={apiLink(api)}>
                <bdi>{api}</bdi>
              </a>
              {": "}
            </>
          )}
          {sentence}
        </li>
      ))}
    </ul>
  );
}

export function Verdict(
  { verdict }: { readonly verdict: ReportVerdict | undefined },
): JSX.Element | null {
  if (verdict === undefined) return null;
  const failed = verdict.gates.filter(({ passed }) => !passed);
  const passed = verdict.gates.filter(({ passed }) => passed);
  return (
    <section
      class={`verdict ${verdict.passed ? "verdict-passed" : "verdict-failed"}`}
      aria-label="Verdict"
    >
      <p class="verdict-text">{verdictText(verdict)}</p>
      {failed.length === 0 ? null : <Gates gates={failed} />}
      {passed.length === 0 ? null : (
        <details>
          <summary>{formatAmount(passed.length, "requirement")} met</summary>
          <Gates gates={passed} />
        </details>
      )}
      {verdict.changes !== undefined && <p class="muted">Since the baseline: {verdict.changes}</p>}
    </section>
  );
}
