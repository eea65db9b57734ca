import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { ReportExclusion } from "../../../report.ts";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { classText } from "../../../wording/values_wording.ts";
import { keywordAdvice, MISSING_WORDS, STATE_WORDS } from "../../../wording/gap_wording.ts";
import {
  type ClassMark,
  findExclusion,
  isCounted,
  isNeverAlone,
  type Keyword,
  keywordState,
  missingParts,
  type Parameter,
} from "../model/model.ts";
import { branchLabel, isUnsent, type SchemaBranch, schemaTree } from "../model/schema_tree.ts";
import { useModel, useOperation } from "../parts/context.ts";
import { CoveredBy } from "../parts/covered_by.tsx";
import { Chevron, exclusionText, RuleFlags, StateMark } from "../parts/marks.tsx";
import { Code, lineColumn } from "../parts/names.tsx";
import { RequestLink } from "../parts/requests.tsx";
import { type Column, numberColumn, Table, type TableHeading } from "../parts/table.tsx";
import { useQuery } from "../parts/use_route.ts";
import { usePositions } from "../parts/use_source.ts";

/** In trees with more keywords than this, lower branches are initially closed. */
const OPEN_LIMIT = 150;

interface KeywordRow {
  readonly keyword: Keyword;
  readonly path: string;
  readonly depth: number;
}

interface Layout {
  readonly closed: ReadonlySet<string>;
  readonly onlyMissing: boolean;
  readonly toggle: (pointer: string) => void;
}

function* branchRows(
  branch: SchemaBranch,
  around: string,
  depth: number,
  layout: Layout,
): Generator<KeywordRow | TableHeading> {
  const { closed, onlyMissing, toggle } = layout;
  const { pointer, classes } = branch;
  if (onlyMissing && branch.gaps === 0 && !branch.hasUnsent) return;
  const path = around === "" ? branchLabel(branch.step) : around + branch.step;
  const open = !closed.has(pointer);
  const place = { path, depth };
  yield {
    heading: () => (
      <BranchRow
        key={`${path} ${pointer}`}
        branch={branch}
        open={open}
        onToggle={() => toggle(pointer)}
        {...place}
      />
    ),
  };
  if (!open) return;
  const inner = { path, depth: depth + 1 };
  for (const keyword of branch.keywords) {
    if (!onlyMissing || missingParts(keyword) !== null) yield { keyword, ...inner };
  }
  if (classes.length > 0 && (!onlyMissing || classes.some(isUnsent))) {
    yield { heading: () => <ClassesRow key={`${path} values`} classes={classes} {...inner} /> };
  }
  for (const child of branch.children) yield* branchRows(child, path, depth + 1, layout);
}

/** True if the schema is simple enough to omit its own row, because the parameter's heading identifies it. */
function isFlat(trees: readonly SchemaBranch[]): boolean {
  const [only] = trees;
  return trees.length === 1 && only !== undefined && only.children.length === 0 &&
    only.component === "";
}

/** The branches to close initially: in a large tree, all below the first two levels. */
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

function openTo(trees: readonly SchemaBranch[], target: Keyword, closed: Set<string>): boolean {
  return trees.some((tree) => {
    const inside = tree.keywords.includes(target) || openTo(tree.children, target, closed);
    if (inside) closed.delete(tree.pointer);
    return inside;
  });
}

function stateText(keyword: Keyword, exclusion: ReportExclusion | null): string {
  if (exclusion !== null) return `excluded: ${exclusionText(exclusion)}`;
  const state = keywordState(keyword);
  if (state === "excluded") {
    return `can’t ${keyword.satisfiability === "Positive" ? "fail" : "pass"}, not counted`;
  }
  const missing = missingParts(keyword);
  return state === "partial" && missing !== null
    ? `${STATE_WORDS[state]}, ${MISSING_WORDS[missing]}`
    : STATE_WORDS[state];
}

function BranchRow({ branch, path, depth, open, onToggle }: Omit<KeywordRow, "keyword"> & {
  readonly branch: SchemaBranch;
  readonly open: boolean;
  readonly onToggle: () => void;
}): JSX.Element {
  const { step, component, repeated, chosen, gaps, pointer } = branch;
  const label = branchLabel(step);
  return (
    <tr class="branch" style={{ "--depth": depth }}>
      <th scope="rowgroup" colSpan={5} title={pointer}>
        <button type="button" aria-expanded={open} disabled={repeated} onClick={onToggle}>
          <Chevron />
          <span class="unseen">{path === label ? "" : `${path}: `}</span>
          <bdi class="branch-label">{label}</bdi>
          {component === "" ? null : <bdi class="muted small">{component}</bdi>}
          {repeated ? <span class="muted">shown above</span> : null}
          {chosen !== null && (
            <span class="muted" title="How often its discriminator named this alternative">
              {chosen === 0 ? "never chosen" : `chosen ${formatAmount(chosen, "time")}`}
            </span>
          )}
          {open || gaps === 0 ? null : <span class="muted">{formatAmount(gaps, "gap")}</span>}
        </button>
      </th>
    </tr>
  );
}

/** The number of classes to show for a schema. The rest is collapsed: an `enum` may have thousands of values. */
const MAX_MARKS = 12;

function ClassMarks({ classes }: { readonly classes: readonly ClassMark[] }): JSX.Element {
  return (
    <>
      {classes.map((one, index) => (
        <span key={index} class={one.hits > 0 ? "value-sent" : "value-unsent"}>
          <span title={one.hits > 0 ? `Sent ${formatAmount(one.hits, "time")}` : "Never sent"}>
            <StateMark state={one.hits > 0 ? "full" : "none"}>
              {one.class === "present" ? "present" : classText(one)}
            </StateMark>
          </span>
          <span class="unseen">{one.hits > 0 ? ": sent, " : ": never sent, "}</span>
        </span>
      ))}
    </>
  );
}

function ClassesRow({ classes, path, depth }: Omit<KeywordRow, "keyword"> & {
  readonly classes: readonly ClassMark[];
}): JSX.Element {
  const folded = classes.slice(MAX_MARKS);
  return (
    <tr class="values" style={{ "--depth": depth }}>
      <td colSpan={5}>
        <span class="unseen">{`Values of ${path}: `}</span>
        <ClassMarks classes={classes.slice(0, MAX_MARKS)} />
        {folded.length === 0 ? null : (
          <details>
            <summary>
              {formatAmount(folded.length, "more", "more")},{" "}
              {formatNumber(folded.filter(isUnsent).length)} never sent
            </summary>
            <ClassMarks classes={folded} />
          </details>
        )}
      </td>
    </tr>
  );
}

function State({ keyword }: { readonly keyword: Keyword }): JSX.Element {
  const model = useModel();
  const { valid = [], invalid = [] } = keyword.covered_by ?? {};
  const missing = missingParts(keyword);
  const hint = missing && keywordAdvice(keyword.keyword, keyword.value ?? null, missing);
  return (
    <>
      <StateMark state={keywordState(keyword)}>
        {stateText(keyword, findExclusion(model.data, keyword))}
      </StateMark>
      {hint && <span class="advice muted">{hint}</span>}
      {missing && <RequestLink at={keyword.at} subject={keyword.keyword} />}
      <RuleFlags
        answers={isCounted(keyword) ? keyword : undefined}
        neverAlone={isNeverAlone(model, keyword)}
      />
      <CoveredBy lists={[["valid in", valid], ["invalid in", invalid]]} />
    </>
  );
}

export function SchemaTree({ parameter }: { readonly parameter: Parameter }): JSX.Element {
  const model = useModel();
  const operation = useOperation();
  const findPosition = usePositions();
  const onlyMissing = useQuery("missing") === "1";
  const at = useQuery("at");
  const target = parameter.keywords.find((keyword) => keyword.at === at);
  const trees = useMemo(() => schemaTree(model, parameter), [model, parameter]);
  const [closed, setClosed] = useState(() => naturallyClosed(trees, parameter.keywords.length));
  const rows = useMemo(() => {
    const shut = new Set(closed);
    if (target !== undefined) openTo(trees, target, shut);
    const toggle = (pointer: string): void =>
      setClosed(closed.symmetricDifference(new Set([pointer])));
    const layout = { closed: shut, onlyMissing, toggle };
    const all = trees.flatMap((tree) => [...branchRows(tree, "", 0, layout)]);
    return isFlat(trees) ? all.slice(1) : all;
  }, [trees, closed, onlyMissing, target]);
  if (rows.length === 0) {
    return (
      <p class="calm">
        {parameter.keywords.length === 0
          ? "Its schema has no keywords."
          : "Every keyword is fully covered."}
      </p>
    );
  }
  const order = ["none", "partial", "full", "excluded"];
  const columns: readonly Column<KeywordRow>[] = [
    {
      label: "Keyword",
      value: ({ keyword }) => keyword.keyword,
      cell: ({ keyword: { keyword, value }, path }, isSorted) => (
        <>
          {isSorted ? <span class="muted">{`${path} `}</span> : null}
          <Code text={keyword} />
          {value === undefined ? null : (
            <>
              {" "}
              <Code style="muted small" text={value} />
            </>
          )}
        </>
      ),
    },
    numberColumn("Valid", ({ keyword }) => keyword.valid),
    numberColumn("Invalid", ({ keyword }) => keyword.invalid),
    {
      label: "State and advice",
      style: "keyword-state",
      value: ({ keyword }) => order.indexOf(keywordState(keyword)),
      cell: ({ keyword }) => <State keyword={keyword} />,
    },
    lineColumn(
      ({ keyword }) => findPosition(keyword.schema_path),
      ({ keyword }) => keyword.keyword,
    ),
  ];
  return (
    <Table
      label={`Keywords of ${parameter.location} ${parameter.parameter}`}
      name={`keywords ${operation.key} ${parameter.index} ${onlyMissing}`}
      style="keywords"
      columns={columns}
      rows={rows}
      rowKey={({ keyword }) => keyword.row}
      attributes={({ keyword, depth }) => ({
        id: keyword.at,
        class: `keyword keyword-${keywordState(keyword)}${target === keyword ? " target" : ""}`,
        style: { "--depth": depth },
        title: keyword.schema,
        tabIndex: -1,
      })}
      target={({ keyword }) => keyword === target}
    />
  );
}
