/** @jsxImportSource preact */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { PageParameter } from "../../page_data.ts";
import { type Keyword, keywordsOf, type Model } from "../model/model.ts";
import { placeName } from "../model/place_name.ts";
import { formatCount } from "../model/words.ts";
import { type MarkState, StateMark } from "../parts/state_mark.tsx";
import { useShown } from "../parts/use_shown.tsx";

interface Props {
  readonly model: Model;
  readonly parameter: PageParameter;
  /** Remembers how far the list had grown. */
  readonly name: string;
  readonly onlyMissing: boolean;
}

function stateOf({ valid, invalid, satisfiability }: Keyword): MarkState {
  if (satisfiability !== "Normal") return "excluded";
  return valid > 0 && invalid > 0 ? "full" : valid + invalid > 0 ? "partial" : "none";
}

function stateText(keyword: Keyword): string {
  switch (keyword.satisfiability) {
    case "Positive":
      return "can’t fail, not counted";
    case "Negative":
      return "can’t pass, not counted";
    case "Normal":
      break;
  }
  const { valid, invalid } = keyword;
  if (valid > 0 && invalid > 0) return "both ways";
  if (valid > 0) return "never failed";
  if (invalid > 0) return "never passed";
  return "never evaluated";
}

interface Row {
  readonly keyword: Keyword;
  readonly state: MarkState;
}

function rowsOf(model: Model, parameter: PageParameter, onlyMissing: boolean): Row[] {
  return keywordsOf(model.data, parameter)
    .map((keyword) => ({ keyword, state: stateOf(keyword) }))
    .filter(({ state }) => !onlyMissing || state === "partial" || state === "none");
}

/** The rows of one schema after another; a schema may come again where others are between. */
function placesOf(rows: readonly Row[]): Row[][] {
  const places: Row[][] = [];
  for (const row of rows) {
    const last = places.at(-1);
    if (last?.[0]?.keyword.place === row.keyword.place) last.push(row);
    else places.push([row]);
  }
  return places;
}

interface PlaceProps {
  readonly rows: readonly Row[];
  readonly name: string;
  readonly pointer: string;
}

/** The keywords of one schema, beside its name. */
function Place({ rows, name, pointer }: PlaceProps): JSX.Element {
  return (
    <tbody>
      {rows.map(({ keyword, state }, index) => (
        <tr key={keyword.keyword} class={`keyword-${state}`}>
          {index > 0
            ? null
            : (
              <th scope="rowgroup" class="place" rowSpan={rows.length} title={pointer}>
                <bdi>{name}</bdi>
              </th>
            )}
          <th scope="row">
            <code>
              <bdi>{keyword.keyword}</bdi>
            </code>
          </th>
          <td class="number">{formatCount(keyword.valid)}</td>
          <td class="number">{formatCount(keyword.invalid)}</td>
          <td class="keyword-state">
            <StateMark state={state}>{stateText(keyword)}</StateMark>
          </td>
        </tr>
      ))}
    </tbody>
  );
}

/** The keywords of a parameter with how often each passed and failed, by schema. */
export function KeywordTable({ model, parameter, name, onlyMissing }: Props): JSX.Element {
  const rows = useMemo(() => rowsOf(model, parameter, onlyMissing), [
    model,
    parameter,
    onlyMissing,
  ]);
  const shown = useShown(`keywords ${name} ${onlyMissing}`, rows.length, 120);
  const { texts } = model.data;
  const own = texts[parameter.schema_path] ?? "";
  const base = parameter.location === "body" ? "body" : parameter.parameter;
  if (rows.length === 0) {
    return (
      <p class="calm">
        {parameter.keywords.length === 0 ? "Its schema has no keywords." : "No keyword is missing."}
      </p>
    );
  }
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
              <th scope="col">Schema</th>
              <th scope="col">Keyword</th>
              <th scope="col" class="number">Valid</th>
              <th scope="col" class="number">Invalid</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          {placesOf(rows.slice(0, shown.count)).map((place, index) => {
            const pointer = texts[place[0]?.keyword.place ?? 0] ?? "";
            return (
              <Place
                key={index}
                rows={place}
                pointer={pointer}
                name={placeName(pointer, own, base)}
              />
            );
          })}
        </table>
      </div>
      {shown.more}
    </>
  );
}
