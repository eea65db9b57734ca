/** @jsxImportSource preact */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Model, Operation } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import type { Source } from "../model/source.ts";
import { type SourceLine, type SourcePart, sourceParts } from "../model/source_lines.ts";
import { spotName } from "../model/spot.ts";
import type { Spot } from "../model/spot.ts";
import { STATE_WORDS } from "../../../wording/state_words.ts";
import { formatAmount, formatNumber, sentenceList } from "../../../wording/amounts.ts";
import { StateMark } from "../parts/state_mark.tsx";
import { useShown } from "../parts/use_shown.tsx";
import type { SourceState } from "../parts/use_source.ts";

/** A key of JSON or YAML at the beginning of a line, up to its colon. */
const KEY = /^(\s*(?:- )*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'{}[\],&*!|>%@`-][^:#"]*)(:(?:\s.*|))$/;

/** A line with its key set apart, so that the structure can be seen. */
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

interface LineProps {
  readonly operation: Operation;
  readonly file: number;
  readonly line: SourceLine;
  /** Spaces at its beginning that are left out. */
  readonly indent: number;
  readonly target: boolean;
}

/** What stands on a line, with a link to the first thing of it that the view shows above. */
function Note({ operation, line: { line, marks, state } }: LineProps): JSX.Element | null {
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

interface PartProps {
  readonly operation: Operation;
  readonly part: SourcePart;
  readonly path: string;
  /** The line that the address leads to; null where it leads to none of these. */
  readonly target: number | null;
}

/** The spaces that all lines begin with: a part of a file stands by itself here. */
function sharedIndent(lines: readonly SourceLine[]): number {
  let least = Infinity;
  for (const { text } of lines) {
    if (text.trim() !== "") least = Math.min(least, text.search(/[^ ]/));
  }
  return least === Infinity ? 0 : least;
}

function Lines({ operation, part, path, target }: PartProps): JSX.Element {
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
                operation={operation}
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
  const states = ["full", "partial", "none"] as const;
  const said = states.filter((state) => counts[state] > 0).map((state) =>
    `${formatNumber(counts[state])} ${STATE_WORDS[state]}`
  );
  return said.length === 0 ? "no line counts" : `${sentenceList(said)}`;
}

interface Props {
  readonly model: Model;
  readonly operation: Operation;
  readonly source: SourceState;
  readonly spot: Spot | null;
}

function Parts(
  { model, operation, source, spot }: Props & { readonly source: Source },
): JSX.Element {
  const parts = useMemo(() => sourceParts(model, operation, source), [model, operation, source]);
  const [toggled, setToggled] = useState<ReadonlySet<number>>(new Set());
  const toggle = (region: number): void => {
    const next = new Set(toggled);
    if (!next.delete(region)) next.add(region);
    setToggled(next);
  };
  const reformatted = parts.some(({ file }) => source.files[file]?.reformatted);
  return (
    <>
      <p class="muted">
        Source lines for this operation, marked by coverage.
        {reformatted
          ? " The description has no line breaks, so it is formatted here, and line numbers are those of this text."
          : ""}
      </p>
      <p class="legend muted" aria-hidden="true">
        {(["full", "partial", "none"] as const).map((state) => (
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
              <button type="button" aria-expanded={open} onClick={() => toggle(region)}>
                <svg class="chevron" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
                  <path d="M5.5 2.5 11 8l-5.5 5.5" class="mark-ring" />
                </svg>
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
            {open ? <Lines operation={operation} part={part} path={path} target={target} /> : null}
          </section>
        );
      })}
      {parts.length === 0 ? <p class="calm">The text of this operation was not found.</p> : null}
      {parts.length > 1
        ? (
          <p class="muted small">
            Includes {formatAmount(parts.length - 1, "referenced component")}.
          </p>
        )
        : null}
    </>
  );
}

/** The description's text behind an operation, line by line, with what was covered of it. */
export function AnnotatedSourceView(props: Props): JSX.Element | null {
  const { model, source } = props;
  const { has_source } = model.data;
  if (has_source === null) return null;
  return (
    <section>
      <h2>Source</h2>
      {source instanceof Object ? <Parts {...props} source={source} /> : (
        <p class="calm">
          {source === "loading" && has_source
            ? "Loading the source…"
            : "The description is too large for this page. See the lcov report for coverage by line."}
        </p>
      )}
    </section>
  );
}
