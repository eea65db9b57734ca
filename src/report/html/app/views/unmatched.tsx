import type { JSX } from "preact";
import type { UnmatchedReason, UnmatchedRequest } from "../../../../map/results.ts";
import { formatAmount, formatTime } from "../../../wording/amounts.ts";
import { UNMATCHED_REASONS } from "../../../wording/finding_wording.ts";
import { useModel } from "../parts/context.ts";
import { Filtered } from "../parts/filters.tsx";
import { Code, Method, Path } from "../parts/names.tsx";
import { type Column, numberColumn, Table } from "../parts/table.tsx";

const REASONS: readonly UnmatchedReason[] = [
  "no_matching_path",
  "method_not_documented",
  "condition_not_met",
  "outside_base_path",
  "invalid_url",
];

const REQUEST: Column<UnmatchedRequest> = {
  label: "Request",
  value: ({ method, host, path }) => `${host}${path} ${method}`,
  cell: ({ method, host, path }) => (
    <>
      <Method name={method} /> <bdi class="muted">{host}</bdi>
      <Path path={path} />
    </>
  ),
};

const COUNT = numberColumn<UnmatchedRequest>("Count", ({ count }) => count);

export const REQUEST_COLUMNS: readonly Column<UnmatchedRequest>[] = [REQUEST, COUNT];

const COLUMNS: readonly Column<UnmatchedRequest>[] = [
  REQUEST,
  { label: "Reason", value: ({ reason }) => UNMATCHED_REASONS[reason] },
  COUNT,
  {
    label: "First seen",
    style: "muted",
    value: ({ first_at }) => first_at,
    cell: ({ first_at }) => first_at === null ? "" : formatTime(first_at),
  },
];

export function Unmatched(): JSX.Element {
  const { unmatched, unmatched_total, suggested_base_path: path } = useModel().data;
  const listed = unmatched.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <h1>Unmatched traffic</h1>
      <p class="muted">Requests that match no operation. They don't affect coverage.</p>
      {path === null ? null : (
        <div class="notices">
          <p>
            Most of this traffic would match with the base path <Code text={path} />
            : run covtool with{" "}
            <code>
              <bdi>--base-path {path}</bdi>
            </code>.
          </p>
        </div>
      )}
      <Filtered
        noun="request"
        rows={unmatched}
        none="None: every recorded request matches an operation."
        label="Reason"
        name="reason"
        kinds={REASONS.filter((reason) => unmatched.some((one) => one.reason === reason))
          .map((reason) => [reason, UNMATCHED_REASONS[reason]])}
        rowKind={({ reason }) => reason}
        rowText={({ method, host, path }) => `${method} ${host}${path}`}
      >
        {(rows, filter) => (
          <Table
            label="Unmatched requests"
            name={`unmatched ${filter}`}
            columns={COLUMNS}
            rows={rows}
            rowKey={({ method, host, path }) => `${method} ${host} ${path}`}
          />
        )}
      </Filtered>
      {listed < unmatched_total && (
        <p class="muted">
          {formatAmount(unmatched_total - listed, "more request")} not listed.
        </p>
      )}
    </>
  );
}
