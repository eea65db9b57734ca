import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { formatAmount, formatNumber, sentenceList } from "../../../wording/amounts.ts";
import { STATE_WORDS } from "../../../wording/gap_wording.ts";
import { routeLink, spotName } from "../model/route.ts";
import { type Source, type SourceLine, type SourcePart, sourceParts } from "../model/source.ts";
import { useModel, useOperation } from "../parts/context.ts";
import { Chevron, StateMark } from "../parts/marks.tsx";
import { useShown } from "../parts/table.tsx";
import { useSpot } from "../parts/use_route.ts";
import { useSource } from "../parts/use_source.ts";

/** Matches a key of JSON or YAML at the start of a line, up to and including its colon. */
const KEY = /^(\s*(?:- )*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'{}[\],&*!|>%@`-][^:#"]*)(:(?:\s.*|))$/;

function LineText({ text }: { readonly text: string }): JSX.Element {
  const [, before, key, rest] = KEY.exec(text) ?? [];
  if (key === undefined) {
    return <span class={/^\s*#/.test(text) ? "muted" : undefined}>{text || " "}</span>;
  }
  return (
    <>
      {before}
      <b>{key}</b>
      {rest}
    </>
  );
}

const LINE_STATES = ["full", "partial", "none"] as const;

interface LineProps {
  readonly file: number;
  readonly line: SourceLine;
  readonly indent: number;
  readonly target: boolean;
}

function Note({ line: { line, marks, state } }: LineProps): JSX.Element | null {
  const operation = useOperation();
  if (state === null) return null;
  const [first] = marks;
  const listed = marks.slice(0, 6).map(({ text }) => text);
  const more = marks.length > listed.length ? `, and ${marks.length - listed.length} more` : "";
  const text = `Line ${line}, ${STATE_WORDS[state]}. ${listed.join("; ")}${more}`;
  return (
    <a
      class="line-note"
      href={routeLink("operation", operation.key, { at: first?.at ?? "" })}
      title={text}
    >
      <StateMark state={state} />
      <span class="unseen">{text}:</span>
      <span class="line-count">
        {marks.length > 1 ? `${formatNumber(marks.length)} items` : first?.count ?? ""}
      </span>
    </a>
  );
}

function Line(props: LineProps): JSX.Element {
  const { file, line: { line, text, state }, indent, target } = props;
  return (
    <tr
      id={spotName("line", file, line)}
      class={`source-line line-${state ?? "plain"}${target ? " target" : ""}`}
      tabIndex={-1}
    >
      <td class="line-number">{line}</td>
      <td class="line-state">
        <Note {...props} />
      </td>
      <td class="line-text">
        <code>
          <bdi dir="ltr">
            <LineText text={text.slice(indent)} />
          </bdi>
        </code>
      </td>
    </tr>
  );
}

/** The indentation that all lines share. It is removed, because each part is shown on its own. */
function sharedIndent(lines: readonly SourceLine[]): number {
  const indents = lines.filter(({ text }) => text.trim() !== "")
    .map(({ text }) => text.search(/[^ ]/));
  return indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 0);
}

function Lines({ part, path, target }: {
  readonly part: SourcePart;
  readonly path: string;
  readonly target: number | null;
}): JSX.Element {
  const operation = useOperation();
  const { lines, file, region } = part;
  const indent = useMemo(() => sharedIndent(lines), [lines]);
  const wanted = target === null ? 0 : target - (lines[0]?.line ?? 0) + 1;
  const shown = useShown(`source ${operation.key} ${region}`, lines.length, 150, wanted);
  return (
    <>
      <div
        class="scroll source"
        role="region"
        aria-label={`${path} from line ${lines[0]?.line ?? 1}`}
        tabIndex={0}
      >
        <table>
          <thead class="unseen">
            <tr>
              <th scope="col">Line</th>
              <th scope="col">Coverage</th>
              <th scope="col">Text</th>
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, shown.count).map((line) => (
              <Line
                key={line.line}
                file={file}
                line={line}
                indent={indent}
                target={line.line === target}
              />
            ))}
          </tbody>
        </table>
      </div>
      {shown.more}
    </>
  );
}

function countText({ counts }: SourcePart): string {
  const amounts = LINE_STATES.filter((state) => counts[state] > 0)
    .map((state) => `${formatNumber(counts[state])} ${STATE_WORDS[state]}`);
  return amounts.length === 0 ? "no line counts" : sentenceList(amounts);
}

function Parts({ source }: { readonly source: Source }): JSX.Element {
  const operation = useOperation();
  const spot = useSpot();
  const model = useModel();
  const parts = useMemo(() => sourceParts(model, operation, source), [model, operation, source]);
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const reformatted = parts.some(({ file }) => source.files[file]?.reformatted);
  return (
    <>
      <p class="muted">
        Source lines for this operation, marked by coverage.
        {reformatted &&
          " The description has no line breaks, so it is formatted here, and line numbers are those of this text."}
      </p>
      <p class="legend muted" aria-hidden="true">
        {LINE_STATES.map((state) => (
          <StateMark key={state} state={state}>{STATE_WORDS[state]}</StateMark>
        ))}
      </p>
      {parts.map((part, index) => {
        const { region, file, name, lines } = part;
        const path = source.files[file]?.path ?? "";
        const target = spot?.kind === "line" && spot.index === file &&
            lines.some(({ line }) => line === spot.row)
          ? spot.row
          : null;
        const open = target !== null || toggled.has(region) !== (index === 0);
        const first = lines[0]?.line ?? 1;
        return (
          <section class="source-part" key={region}>
            <h3>
              <button
                type="button"
                aria-expanded={open}
                onClick={() => setToggled(toggled.symmetricDifference(new Set([region])))}
              >
                <Chevron />
                <span class="source-name">
                  <bdi>
                    {index === 0 ? `${operation.data.method} ${operation.data.path}` : name}
                  </bdi>
                  <span class="muted small">
                    <bdi>{path}</bdi>:{first}–{first + lines.length - 1}
                  </span>
                </span>
                <span class="muted small source-counts">{countText(part)}</span>
              </button>
            </h3>
            {open ? <Lines part={part} path={path} target={target} /> : null}
          </section>
        );
      })}
      {parts.length === 0 && <p class="calm">The text of this operation was not found.</p>}
      {parts.length > 1 && (
        <p class="muted small">
          Includes {formatAmount(parts.length - 1, "referenced component")}.
        </p>
      )}
    </>
  );
}

export function AnnotatedSourceView(): JSX.Element | null {
  const { has_source } = useModel().data;
  const source = useSource();
  if (has_source === null) return null;
  return (
    <section>
      <h2>Source</h2>
      {source ? <Parts source={source} /> : (
        <p class="calm">
          {source === undefined && has_source
            ? "Loading the source…"
            : "The description is too large for this page. See the lcov report for coverage by line."}
        </p>
      )}
    </section>
  );
}
