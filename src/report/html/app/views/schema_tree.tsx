/** @jsxImportSource preact */
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { PageParameter } from "../../page_data.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { STATE_WORDS } from "../../../wording/state_words.ts";
import { MISSING_WORDS } from "../../../wording/gap_wording.ts";
import { keywordAdvice } from "../../../wording/keyword_advice.ts";
import type { Keyword, Model, Operation } from "../model/model.ts";
import { missingOf } from "../model/operation_gaps.ts";
import { answersOf, isNeverAlone, type RuleAnswers } from "../model/rule_answers.ts";
import {
  branchKeywords,
  branchLabel,
  type SchemaBranch,
  schemaTree,
} from "../model/schema_tree.ts";
import { spotName } from "../model/spot.ts";
import { exclusionText } from "../parts/exclusion_note.tsx";
import { CoveredBy } from "../parts/covered_by.tsx";
import { LineLink } from "../parts/line_link.tsx";
import { RequestLink } from "../parts/request_link.tsx";
import { RuleFlags } from "../parts/rule_flags.tsx";
import { type MarkState, StateMark } from "../parts/state_mark.tsx";
import { useShown } from "../parts/use_shown.tsx";
import type { SourceState } from "../parts/use_source.ts";

/** Trees with more keywords than this begin with their lower branches closed. */
const OPEN_LIMIT = 150;

interface Props {
  readonly model: Model;
  readonly operation: Operation;
  readonly parameter: PageParameter;
  readonly index: number;
  readonly source: SourceState;
  readonly onlyMissing: boolean;
  /** The keyword that the address leads to, by its row; null where it leads to none of these. */
  readonly target: number | null;
}

type Row =
  | {
    readonly branch: SchemaBranch;
    readonly path: string;
    readonly depth: number;
    readonly open: boolean;
    readonly keyword?: undefined;
  }
  | { readonly keyword: Keyword; readonly depth: number; readonly branch?: undefined };

interface Layout {
  readonly closed: ReadonlySet<string>;
  readonly onlyMissing: boolean;
}

function* rowsOf(
  branch: SchemaBranch,
  around: string,
  depth: number,
  layout: Layout,
): Generator<Row> {
  const { closed, onlyMissing } = layout;
  if (onlyMissing && branch.gaps === 0) return;
  const path = around === "" ? branchLabel(branch.step) : around + branch.step;
  const open = !closed.has(branch.pointer);
  yield { branch, path, depth, open };
  if (!open) return;
  for (const keyword of branch.keywords) {
    if (!onlyMissing || missingOf(keyword) !== null) yield { keyword, depth: depth + 1 };
  }
  for (const child of branch.children) yield* rowsOf(child, path, depth + 1, layout);
}

/** A simple value needs no line for its schema: what leads to it is the parameter above. */
function isFlat(trees: readonly SchemaBranch[]): boolean {
  const [only] = trees;
  return trees.length === 1 && only !== undefined && only.children.length === 0 &&
    only.component === "";
}

/** The branches that are closed at first: in a large tree, all but the first two levels. */
function naturallyClosed(trees: readonly SchemaBranch[], count: number): Set<string> {
  const closed = new Set<string>();
  if (count <= OPEN_LIMIT) return closed;
  const close = ({ children, pointer }: SchemaBranch, depth: number): void => {
    if (depth >= 2 && children.length > 0) closed.add(pointer);
    for (const child of children) close(child, depth + 1);
  };
  for (const tree of trees) close(tree, 0);
  return closed;
}

/** Opens what hides a keyword. */
function openTo(trees: readonly SchemaBranch[], row: number, closed: Set<string>): boolean {
  return trees.some((tree) => {
    const inside = tree.keywords.some((keyword) => keyword.row === row) ||
      openTo(tree.children, row, closed);
    if (inside) closed.delete(tree.pointer);
    return inside;
  });
}

function stateOf({ valid, invalid, satisfiability, exclusion }: Keyword): MarkState {
  if (satisfiability !== "Normal" || exclusion !== null) return "excluded";
  return valid > 0 && invalid > 0 ? "full" : valid + invalid > 0 ? "partial" : "none";
}

function stateText(keyword: Keyword): string {
  if (keyword.exclusion !== null) return `excluded: ${exclusionText(keyword.exclusion)}`;
  if (keyword.satisfiability === "Positive") return "can’t fail, not counted";
  if (keyword.satisfiability === "Negative") return "can’t pass, not counted";
  const missing = missingOf(keyword);
  const state = STATE_WORDS[missing === null ? "full" : missing === "both" ? "none" : "partial"];
  return missing === null || missing === "both" ? state : `${state}, ${MISSING_WORDS[missing]}`;
}

interface KeywordRowProps extends Props {
  readonly keyword: Keyword;
  readonly depth: number;
  readonly answers: ReadonlyMap<number, RuleAnswers>;
}

function KeywordRow(props: KeywordRowProps): JSX.Element {
  const { model, operation, index, source, target, keyword, depth } = props;
  const { row, valid, invalid, value } = keyword;
  const state = stateOf(keyword);
  const missing = missingOf(keyword);
  const hint = missing === null ? "" : keywordAdvice(keyword.keyword, value, missing);
  const position = source instanceof Object
    ? source.positionOf(`${model.data.texts[keyword.place] ?? ""}/${keyword.keyword}`)
    : null;
  return (
    <tr
      id={spotName("keyword", index, row)}
      class={`keyword keyword-${state}${target === row ? " target" : ""}`}
      tabIndex={-1}
    >
      <th scope="row" style={{ "--depth": depth }}>
        <code>
          <bdi>{keyword.keyword}</bdi>
        </code>
        {value === null ? null : (
          <>
            {" "}
            <code class="muted keyword-value">
              <bdi>{value}</bdi>
            </code>
          </>
        )}
      </th>
      <td class="number">{formatNumber(valid)}</td>
      <td class="number">{formatNumber(invalid)}</td>
      <td class="keyword-state">
        <StateMark state={state}>{stateText(keyword)}</StateMark>
        {hint === "" ? null : <span class="advice muted">{hint}</span>}
        {missing === null ? null : (
          <RequestLink
            model={model}
            operation={operation}
            at={spotName("keyword", index, row)}
            subject={keyword.keyword}
          />
        )}
        <RuleFlags
          answers={props.answers.get(row)}
          neverAlone={isNeverAlone(model, keyword, props.answers.get(row))}
        />
        {keyword.tests === null ? null : (
          <CoveredBy
            model={model}
            lists={[["valid in", keyword.tests.valid], ["invalid in", keyword.tests.invalid]]}
          />
        )}
      </td>
      <td class="number">
        <LineLink operation={operation} position={position} what={keyword.keyword} />
      </td>
    </tr>
  );
}

interface BranchRowProps {
  readonly row: Row & { readonly branch: SchemaBranch };
  readonly onToggle: () => void;
}

function BranchRow({ row, onToggle }: BranchRowProps): JSX.Element {
  const { branch: { step, component, repeated, gaps, pointer }, depth, open, path } = row;
  const label = branchLabel(step);
  return (
    <tr class="branch">
      <th scope="rowgroup" colSpan={5} style={{ "--depth": depth }} title={pointer}>
        <button type="button" aria-expanded={open} disabled={repeated} onClick={onToggle}>
          <svg class="chevron" viewBox="0 0 16 16" width="10" height="10" aria-hidden="true">
            <path d="M5.5 2.5 11 8l-5.5 5.5" class="mark-ring" />
          </svg>
          <span class="unseen">{path === label ? "" : `${path}: `}</span>
          <bdi class="branch-label">{label}</bdi>
          {component === "" ? null : <bdi class="muted branch-component">{component}</bdi>}
          {repeated ? <span class="muted">shown above</span> : null}
          {open || gaps === 0 ? null : <span class="muted">{formatAmount(gaps, "gap")}</span>}
        </button>
      </th>
    </tr>
  );
}

/** The schema of a parameter as a tree, with how often each keyword passed and failed beside it. */
export function SchemaTree(props: Props): JSX.Element {
  const { model, operation, parameter, index, onlyMissing, target } = props;
  const name = parameter.location === "body" ? "body" : parameter.parameter;
  const trees = useMemo(() => schemaTree(model, parameter, name), [model, parameter]);
  const [closed, setClosed] = useState(() =>
    naturallyClosed(trees, trees.flatMap(branchKeywords).length)
  );
  const answers = useMemo(() => answersOf(parameter), [parameter]);
  const rows = useMemo(() => {
    const layout = { closed: new Set(closed), onlyMissing };
    if (target !== null) openTo(trees, target, layout.closed);
    const all = trees.flatMap((tree) => [...rowsOf(tree, "", 0, layout)]);
    return isFlat(trees) ? all.slice(1) : all;
  }, [trees, closed, onlyMissing, target]);
  const wanted = target === null ? 0 : rows.findIndex(({ keyword }) => keyword?.row === target) + 1;
  const shown = useShown(
    `keywords ${operation.key} ${index} ${onlyMissing}`,
    rows.length,
    120,
    wanted,
  );
  if (rows.length === 0) {
    return (
      <p class="calm">
        {parameter.keywords.length === 0
          ? "Its schema has no keywords."
          : "Every keyword is fully covered."}
      </p>
    );
  }
  const toggle = (pointer: string): void => {
    const next = new Set(closed);
    if (!next.delete(pointer)) next.add(pointer);
    setClosed(next);
  };
  return (
    <>
      <div
        class="scroll"
        role="region"
        aria-label={`Keywords of ${parameter.location} ${parameter.parameter}`}
        tabIndex={0}
      >
        <table class="plain keywords">
          <thead>
            <tr>
              <th scope="col">Keyword</th>
              <th scope="col" class="number">Valid</th>
              <th scope="col" class="number">Invalid</th>
              <th scope="col">State and advice</th>
              <th scope="col" class="number">Line</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown.count).map((row) =>
              row.keyword === undefined
                ? (
                  <BranchRow
                    key={`${row.path} ${row.branch.pointer}`}
                    row={row}
                    onToggle={() => toggle(row.branch.pointer)}
                  />
                )
                : (
                  <KeywordRow
                    key={row.keyword.row}
                    {...props}
                    keyword={row.keyword}
                    depth={row.depth}
                    answers={answers}
                  />
                )
            )}
          </tbody>
        </table>
      </div>
      {shown.more}
    </>
  );
}
