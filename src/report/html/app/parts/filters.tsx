/// <reference lib="dom" />
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { formatNumber } from "../../../wording/amounts.ts";
import { useModel } from "./context.ts";
import { chosen, routeLink } from "../model/route.ts";
import { changeQuery, useQuery } from "./use_route.ts";

let isSearchWanted = false;

/** Focuses the search field. In views without one, opens the list of operations and focuses its field. */
export function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>("input[type=search]");
  field?.focus();
  if (field !== null) return;
  isSearchWanted = true;
  location.hash = routeLink("operations");
}

/** The search field of a view, for `q` in the query. Ctrl+/ or ⌘/ focuses it. */
export function SearchField({ label }: { readonly label: string }): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isSearchWanted) field.current?.focus();
    isSearchWanted = false;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "/" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      field.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <input
      ref={field}
      type="search"
      class="search"
      aria-label={label}
      aria-keyshortcuts="Control+/"
      title="Ctrl+/"
      placeholder={label}
      spellcheck={false}
      value={useQuery("q")}
      onInput={(event) => changeQuery({ q: event.currentTarget.value })}
    />
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
  readonly count?: string;
}

interface Choice {
  readonly label: string;
  /** The query entry with the selected values. */
  readonly name: string;
}

interface OptionsProps extends Choice {
  readonly options: readonly Option[];
  /** The selected value, if the query doesn't determine it. */
  readonly value?: string;
}

/** If several values can be selected, they are joined by dots. */
export function Chips(props: OptionsProps & { readonly several?: boolean }): JSX.Element {
  const { label, name, options, several = false } = props;
  const query = useQuery(name);
  const value = props.value ?? query;
  const active = chosen(value);
  // Scrolls only initially: a later click is on a visible chip, and the row must not move under the pointer.
  const row = useInSight<HTMLDivElement>("[aria-pressed=true]", name);
  const choose = (option: string): void => {
    const next = several ? [...active.symmetricDifference(new Set([option]))].join(".") : option;
    changeQuery({ [name]: next });
  };
  return (
    <div class="chips" role="group" aria-label={label} ref={row}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          class="chip"
          aria-pressed={several ? active.has(option.value) : value === option.value}
          onClick={() => choose(option.value)}
        >
          {option.label}
          {option.count === undefined ? null : <span class="chip-count">{option.count}</span>}
        </button>
      ))}
    </div>
  );
}

interface FilteredProps<Row> {
  /** The singular noun for a row. */
  readonly noun: string;
  readonly rows: readonly Row[];
  /** The sentence to show if there are no rows. */
  readonly none: string;
  readonly label: string;
  /** The query entry with the selected kind. */
  readonly name: string;
  readonly kinds: readonly (readonly [value: string, label: string])[];
  readonly rowKind: (row: Row) => string;
  readonly rowText: (row: Row) => string;
  /** Draws the filtered rows. `filter` is different for each combination of filters. */
  readonly children: (rows: readonly Row[], filter: string) => JSX.Element;
}

export function Filtered<Row>(props: FilteredProps<Row>): JSX.Element {
  const { noun, rows, none, label, name, kinds, rowKind, rowText, children } = props;
  const kind = useQuery(name);
  const search = useQuery("q");
  if (rows.length === 0) return <p class="calm">{none}</p>;
  const needle = search.toLowerCase();
  const list = rows.filter((row) =>
    (kind === "" || rowKind(row) === kind) &&
    (needle === "" || rowText(row).toLowerCase().includes(needle))
  );
  return (
    <>
      <div class="filters">
        <SearchField label={`Search ${noun}s`} />
        <Chips
          label={label}
          name={name}
          options={[
            { value: "", label: "All", count: formatNumber(rows.length) },
            ...kinds.map(([value, label]) => ({
              value,
              label,
              count: formatNumber(rows.filter((row) => rowKind(row) === value).length),
            })),
          ]}
        />
      </div>
      {children(list, `${kind} ${search}`)}
      {list.length === 0 && <p class="calm">No {noun} matches.</p>}
    </>
  );
}

export function Select(props: OptionsProps): JSX.Element {
  const { label, name, options } = props;
  const query = useQuery(name);
  const value = props.value ?? query;
  return (
    <label class="select">
      <span class="muted">{label}</span>
      <select
        value={value}
        onChange={(event) => changeQuery({ [name]: event.currentTarget.value })}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Toggle({ label, name }: Choice): JSX.Element {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={useQuery(name) === "1"}
        onChange={(event) => changeQuery({ [name]: event.currentTarget.checked ? "1" : "" })}
      />
      <span>{label}</span>
    </label>
  );
}

/** Scrolls the selected element into view if its row scrolls sideways. Doesn't scroll the page. */
export function useInSight<E extends HTMLElement>(
  selector: string,
  chosen: string,
): RefObject<E | null> {
  const row = useRef<E>(null);
  useLayoutEffect(() => {
    const show = (): void => {
      const element = row.current;
      const target = element?.querySelector(selector);
      if (!element || !target) return;
      const outer = element.getBoundingClientRect();
      const inner = target.getBoundingClientRect();
      if (inner.left >= outer.left && inner.right <= outer.right) return;
      element.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
    };
    show();
    addEventListener("resize", show);
    return () => removeEventListener("resize", show);
  }, [selector, chosen]);
  return row;
}

export function SinceFilter({ count }: {
  readonly count: (since: ReadonlySet<string>) => number;
}): JSX.Element | null {
  if (useModel().data.comparison === undefined) return null;
  const option = (since: string, label: string) => ({
    value: since,
    label,
    count: formatNumber(count(new Set([since]))),
  });
  return (
    <Chips
      label="Since the baseline"
      name="since"
      several
      options={[option("new", "New gaps"), option("added", "Added")]}
    />
  );
}
