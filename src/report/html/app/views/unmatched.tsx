/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { UnmatchedReason } from "../../../../map/results.ts";
import type { Model } from "../model/model.ts";
import { formatAmount, formatNumber, formatTime } from "../../../wording/amounts.ts";
import { UNMATCHED_REASONS } from "../../../wording/unmatched_reasons.ts";
import { Chips, SearchField } from "../parts/filters.tsx";
import { Method, Path } from "../parts/names.tsx";
import { useShown } from "../parts/use_shown.tsx";
import type { ViewProps } from "./view.ts";

const REASONS: readonly UnmatchedReason[] = [
  "no_matching_path",
  "method_not_documented",
  "outside_base_path",
  "invalid_url",
];

function Advice({ model }: { readonly model: Model }): JSX.Element | null {
  const path = model.data.suggested_base_path;
  if (path === null) return null;
  return (
    <div class="notices">
      <p>
        Most of this traffic would match with the base path{" "}
        <code>
          <bdi>{path}</bdi>
        </code>
        : run covtool with{" "}
        <code>
          <bdi>--base-path {path}</bdi>
        </code>.
      </p>
    </div>
  );
}

function List({ model, route }: ViewProps): JSX.Element {
  const { unmatched, unmatched_total } = model.data;
  const reason = route.query.get("reason") ?? "";
  const search = route.query.get("q") ?? "";
  const needle = search.toLowerCase();
  const list = unmatched.filter((one) =>
    (reason === "" || one.reason === reason) &&
    (needle === "" || `${one.method} ${one.host}${one.path}`.toLowerCase().includes(needle))
  );
  const listed = unmatched.reduce((sum, { count }) => sum + count, 0);
  const shown = useShown(`unmatched ${reason} ${search}`, list.length);
  return (
    <>
      <div class="filters">
        <SearchField label="Search requests" value={search} />
        <Chips
          label="Reason"
          name="reason"
          value={reason}
          options={[
            { value: "", label: "All", count: formatNumber(unmatched.length) },
            ...REASONS.map((value) => ({
              value,
              label: UNMATCHED_REASONS[value],
              count: formatNumber(unmatched.filter((one) => one.reason === value).length),
            })).filter(({ count }) => count !== "0"),
          ]}
        />
      </div>
      <div class="scroll" role="region" aria-label="Unmatched requests" tabIndex={0}>
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col">Reason</th>
              <th scope="col" class="number">Count</th>
              <th scope="col">First seen</th>
            </tr>
          </thead>
          <tbody>
            {list.slice(0, shown.count).map((one) => (
              <tr key={`${one.method} ${one.host} ${one.path}`}>
                <td>
                  <Method name={one.method} /> <bdi class="muted">{one.host}</bdi>
                  <Path path={one.path} />
                </td>
                <td>{UNMATCHED_REASONS[one.reason]}</td>
                <td class="number">{formatNumber(one.count)}</td>
                <td class="muted">{one.first_at === null ? "" : formatTime(one.first_at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.more}
      {list.length === 0 ? <p class="calm">No request matches.</p> : null}
      {listed < unmatched_total
        ? (
          <p class="muted">
            {formatAmount(unmatched_total - listed, "more request")} not listed.
          </p>
        )
        : null}
    </>
  );
}

/** Requests that match no operation, with the reason and what would help. */
export function Unmatched({ model, route }: ViewProps): JSX.Element {
  return (
    <>
      <h1>Unmatched traffic</h1>
      <p class="muted">Requests that match no operation. They don't affect coverage.</p>
      <Advice model={model} />
      {model.data.unmatched_total === 0
        ? <p class="calm">None: every recorded request matches an operation.</p>
        : <List model={model} route={route} />}
    </>
  );
}
