/// <reference lib="dom" />
import type { ComponentChildren, HTMLAttributes, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatNumber } from "../../../wording/amounts.ts";

export interface Column<Row> {
  readonly label: string;
  /** The content of the cell (default: `value`). */
  readonly cell?: (row: Row, isSorted: boolean) => ComponentChildren;
  /** The value to sort by. Numbers are first sorted in descending order. Null comes last in both directions. */
  readonly value: (row: Row) => string | number | null;
  readonly isNumber?: boolean;
  readonly style?: string;
}

export function numberColumn<Row>(label: string, value: (row: Row) => number): Column<Row> {
  return { label, isNumber: true, value };
}

export interface Sorting {
  readonly label: string;
  readonly descending: boolean;
}

/** A heading row across the table, above its rows. Shown only in the initial order. */
export interface TableHeading {
  readonly heading: () => JSX.Element;
}

export function groupHeading(name: string, width: number, facts: ComponentChildren): TableHeading {
  return {
    heading: () => (
      <tr key={`group ${name}`} class="group-head">
        <th scope="rowgroup" colSpan={width}>
          <bdi>{name}</bdi>
          <span class="muted">{facts}</span>
        </th>
      </tr>
    ),
  };
}

interface Props<Row> {
  readonly label: string;
  /** The key under which the drawn length of a long table is remembered (default: `label`). */
  readonly name?: string;
  readonly style?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly (Row | TableHeading)[];
  readonly rowKey: (row: Row) => string | number;
  readonly attributes?: (row: Row) => HTMLAttributes<HTMLTableRowElement>;
  readonly target?: ((row: Row) => boolean) | undefined;
  readonly foot?: JSX.Element | null;
  /** Set if rows are sorted outside the table. Undefined `by` means the initial order. */
  readonly sorted?: {
    readonly by: Sorting | undefined;
    readonly choose: (by: Sorting | undefined) => void;
  };
}

function isHeading<Row>(row: Row | TableHeading): row is TableHeading {
  return typeof row === "object" && row !== null && "heading" in row;
}

function compare<Row>({ value }: Column<Row>, descending: boolean) {
  return (left: Row, right: Row): number => {
    const [a, b] = [value(left), value(right)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = typeof a === "number" && typeof b === "number"
      ? a - b
      : String(a).localeCompare(String(b));
    return descending ? -order : order;
  };
}

/** A table that is sorted by clicks on its header: one way, the other way, back to the start. Grows while scrolling. */
export function Table<Row>(props: Props<Row>): JSX.Element {
  const { label, name = label, columns, rows, rowKey, attributes, target, foot, sorted } = props;
  const [own, setOwn] = useState<Sorting>();
  const [by, choose] = sorted === undefined ? [own, setOwn] : [sorted.by, sorted.choose];
  const column = sorted === undefined ? columns.find((one) => one.label === own?.label) : undefined;
  const list = column === undefined ? rows : rows.filter((row): row is Row => !isHeading(row))
    .sort(compare(column, own?.descending === true));
  const wanted = target === undefined
    ? 0
    : list.findIndex((row) => !isHeading(row) && target(row)) + 1;
  const shown = useShown(name, list.length, 120, wanted);
  const sortBy = ({ label, isNumber = false }: Column<Row>): void => {
    if (by?.label !== label) choose({ label, descending: isNumber });
    else choose(by.descending === isNumber ? { label, descending: !isNumber } : undefined);
  };
  return (
    <>
      <div class="scroll" role="region" aria-label={label} tabIndex={0}>
        <table class={`plain ${props.style ?? ""}${column === undefined ? "" : " sorted"}`}>
          <thead>
            <tr>
              {columns.map((one) => {
                const direction = by?.label !== one.label
                  ? undefined
                  : by.descending
                  ? "descending"
                  : "ascending";
                return (
                  <th key={one.label} scope="col" class={cellClass(one)} aria-sort={direction}>
                    <button type="button" class="sort" onClick={() => sortBy(one)}>
                      {one.label}
                      <span aria-hidden="true" class="sort-mark">
                        {direction === undefined ? "" : direction === "descending" ? "▼" : "▲"}
                      </span>
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {list.slice(0, shown.count).map((row) =>
              isHeading(row) ? row.heading() : (
                <tr key={rowKey(row)} {...attributes?.(row)}>
                  {columns.map((one, index) => {
                    const isName = index === 0;
                    const Cell = isName ? "th" : "td";
                    return (
                      <Cell
                        key={one.label}
                        scope={isName ? "row" : undefined}
                        class={cellClass(one)}
                        data-label={isName ? undefined : one.label}
                      >
                        {cellContent(one, row, column !== undefined)}
                      </Cell>
                    );
                  })}
                </tr>
              )
            )}
          </tbody>
          {foot && <tfoot>{foot}</tfoot>}
        </table>
      </div>
      {shown.more}
    </>
  );
}

function cellContent<Row>(
  { cell, value }: Column<Row>,
  row: Row,
  isSorted: boolean,
): ComponentChildren {
  if (cell !== undefined) return cell(row, isSorted);
  const content = value(row);
  return typeof content === "number" ? formatNumber(content) : content;
}

function cellClass<Row>({ isNumber, style = "" }: Column<Row>): string | undefined {
  return [isNumber === true ? "number" : "", style].filter(Boolean).join(" ") || undefined;
}

/** The maximum number of rows to print. More would fill hundreds of sheets. */
const PRINT_LIMIT = 2000;

/** The drawn lengths of lists by name, so that navigating back leads to the same place. */
const shownCounts = new Map<string, number>();

/**
 * Draws long lists in portions as the user scrolls. `more` goes after the list, which grows when it scrolls into view;
 * it is null at the end of the list.
 */
export function useShown(
  name: string,
  total: number,
  step = 80,
  wanted = 0,
): { readonly count: number; readonly more: JSX.Element | null } {
  const [, redraw] = useState(0);
  const count = Math.min(total, Math.max(wanted, shownCounts.get(name) ?? step));
  const sentinel = useRef<HTMLDivElement>(null);
  const grow = (to: number): void => {
    shownCounts.set(name, to);
    redraw((times) => times + 1);
  };
  useEffect(() => {
    const element = sentinel.current;
    if (element === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) grow(count + step);
    }, { rootMargin: "600px" });
    observer.observe(element);
    return () => observer.disconnect();
  }, [name, count, total, step]);
  useEffect(() => {
    const onPrint = (): void => grow(PRINT_LIMIT);
    addEventListener("beforeprint", onPrint);
    return () => removeEventListener("beforeprint", onPrint);
  }, [name]);
  const more = count >= total ? null : (
    <div class="more" ref={sentinel}>
      <button type="button" class="quiet" onClick={() => grow(count + step)}>
        Show more ({formatNumber(total - count)} left)
      </button>
    </div>
  );
  return { count, more };
}

export function ShownList<Row>({ name, style, rows, step, children }: {
  readonly name: string;
  readonly style: string;
  readonly rows: readonly Row[];
  readonly step?: number;
  readonly children: (row: Row, index: number) => JSX.Element | null;
}): JSX.Element {
  const shown = useShown(name, rows.length, step);
  return (
    <>
      <ul class={style}>{rows.slice(0, shown.count).map(children)}</ul>
      {shown.more}
    </>
  );
}

export function useFolded<T>(
  list: readonly T[],
  first: number,
): { readonly list: readonly T[]; readonly more: JSX.Element | null } {
  const [all, showAll] = useState(false);
  if (all || list.length <= first) return { list, more: null };
  return {
    list: list.slice(0, first),
    more: (
      <button type="button" class="quiet" onClick={() => showAll(true)}>
        Show {formatNumber(list.length - first)} more
      </button>
    ),
  };
}
