import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatAmount, formatNumber, formatSeconds } from "../../../wording/amounts.ts";
import { countsResponses } from "../../../gap_counts.ts";
import { keywordPlace } from "../../../wording/place_name.ts";
import { statusAdvice, statusText } from "../../../wording/gap_wording.ts";
import type {
  ReportResponse,
  ReportResponseHeader,
  ReportResponseKeyword,
  ReportResponseMediaType,
} from "../../../report.ts";
import type { LinePosition } from "../../page_data.ts";
import { spotName } from "../model/route.ts";
import { useModel, useOperation } from "../parts/context.ts";
import { CoveredBy, SeenState } from "../parts/covered_by.tsx";
import { StateMark } from "../parts/marks.tsx";
import { Code, lineColumn } from "../parts/names.tsx";
import { type Column, numberColumn, Table } from "../parts/table.tsx";
import { useQuery } from "../parts/use_route.ts";
import { usePositions, useSource } from "../parts/use_source.ts";

interface Status extends Pick<ReportResponse, "status_code" | "hits" | "excluded" | "covered_by"> {
  readonly elapsed?: ReportResponse["elapsed"];
  /** Identifies the response in an address. Undefined for undocumented statuses. */
  readonly id?: string;
  readonly position?: LinePosition | undefined;
}

function State({ status }: { readonly status: Status }): JSX.Element {
  const { data: { summary, traffic } } = useModel();
  const { id, status_code, covered_by = [] } = status;
  const hint = statusAdvice(status_code);
  if (!countsResponses(summary, traffic)) {
    return <StateMark state="excluded">not measured</StateMark>;
  }
  return id === undefined
    ? (
      <>
        <span class="flag flag-alert">not documented</span>
        <CoveredBy lists={[["", covered_by]]} />
      </>
    )
    : (
      <SeenState item={status} word="returned">
        {hint && <span class="advice muted">{hint}</span>}
      </SeenState>
    );
}

function secondsColumn(label: string, value: (status: Status) => number | null): Column<Status> {
  const cell = (status: Status): string => {
    const seconds = value(status);
    return seconds === null ? "–" : formatSeconds(seconds);
  };
  return { label, isNumber: true, value, cell };
}

const COLUMNS: readonly Column<Status>[] = [
  {
    label: "Status",
    value: ({ status_code }) => status_code,
    cell: ({ status_code }) => (
      <>
        <code>{status_code}</code> <span class="muted">{statusText(status_code)}</span>
      </>
    ),
  },
  {
    label: "State",
    value: ({ id, hits }) => id === undefined ? 2 : Number(hits > 0),
    cell: (status) => <State status={status} />,
  },
  numberColumn("Hits", ({ hits }) => hits),
  secondsColumn("Mean", ({ elapsed }) => elapsed?.mean ?? null),
  secondsColumn("Slowest", ({ elapsed }) => elapsed?.max ?? null),
  lineColumn(({ position }) => position, ({ status_code }) => `response ${status_code}`),
];

export function Responses(): JSX.Element {
  const target = useQuery("at");
  const source = useSource();
  const { data, index } = useOperation();
  const paths = source?.operations[index]?.responses ?? [];
  const statuses: readonly Status[] = [
    ...data.responses.map((response, index) => ({
      ...response,
      id: spotName("response", index),
      position: source?.positions.get(paths[index] ?? ""),
    })),
    ...data.undocumented_responses,
  ];
  return (
    <section>
      <h2>Responses</h2>
      {data.summary.responses.measured
        ? null
        : <p class="muted">Not measured: the traffic has no responses.</p>}
      {statuses.length === 0 ? <p class="calm">None documented.</p> : (
        <Table
          label="Responses"
          columns={COLUMNS}
          rows={statuses}
          rowKey={({ id, status_code }) => id ?? status_code}
          attributes={({ id }) => ({
            id,
            class: id === target ? "target" : undefined,
            tabIndex: -1,
          })}
        />
      )}
      <Content />
      <Links />
    </section>
  );
}

interface PartProps {
  readonly part: ReportResponseMediaType | ReportResponseHeader;
  readonly status: string;
}

function Keywords({ part, status }: PartProps): JSX.Element {
  const operation = useOperation();
  const { texts } = useModel();
  const findPosition = usePositions();
  const place = ({ schema_path }: ReportResponseKeyword): string => keywordPlace(schema_path);
  const columns: readonly Column<ReportResponseKeyword>[] = [
    { label: "Keyword", value: place, cell: (keyword) => <Code text={place(keyword)} /> },
    {
      label: "Value",
      value: ({ schema_path }) => texts.get(schema_path) ?? null,
      cell: ({ schema_path }) => texts.has(schema_path) && <code>{texts.get(schema_path)}</code>,
    },
    numberColumn("Seen", ({ seen }) => seen),
    {
      label: "Violated",
      isNumber: true,
      value: ({ violated = 0 }) => violated,
      cell: ({ violated = 0 }) =>
        violated === 0 ? "–" : <span class="flag flag-alert">{formatNumber(violated)}</span>,
    },
    lineColumn(({ schema_path }) => findPosition(schema_path), place),
  ];
  return (
    <Table
      label={`Keywords of ${status} ${partName(part)}`}
      name={`response ${operation.key} ${part.schema_path}`}
      columns={columns}
      rows={part.keywords.toSorted((left, right) =>
        Number(right.violated !== undefined) - Number(left.violated !== undefined)
      )}
      rowKey={({ schema_path }) => schema_path}
    />
  );
}

function partName(part: PartProps["part"]): string {
  return "header" in part ? part.header : part.media_type;
}

function partFacts(part: PartProps["part"]): string {
  const { hits, keyword_total, keywords, malformed = 0, not_recorded = 0, unsupported } = part;
  const violated = keywords.filter((one) => one.violated !== undefined).length;
  return [
    formatAmount(hits, "response"),
    ...(keyword_total === 0
      ? []
      : [`${formatNumber(keywords.length)} of ${formatNumber(keyword_total)} keywords seen`]),
    ...(violated === 0 ? [] : [`${formatNumber(violated)} violated`]),
    ...(malformed === 0 ? [] : [`${formatNumber(malformed)} malformed`]),
    ...(not_recorded === 0 ? [] : [`${formatNumber(not_recorded)} not recorded`]),
    ...(unsupported === true ? ["not decoded by covtool"] : []),
  ].join(" · ");
}

function Part({ part, status }: PartProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const heading = (
    <>
      <Code text={`${status} ${partName(part)}`} />{" "}
      <span class="muted">{"header" in part ? "header · " : ""}{partFacts(part)}</span>
    </>
  );
  if (part.keywords.length === 0) return <p>{heading}</p>;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{heading}</summary>
      {isOpen ? <Keywords part={part} status={status} /> : null}
    </details>
  );
}

function Links(): JSX.Element | null {
  const links = useOperation().data.responses.flatMap(({ status_code, links = [] }) =>
    links.map((link) => ({ status_code, ...link }))
  );
  if (links.length === 0) return null;
  return (
    <div class="response-content">
      <h3>Links</h3>
      {links.map(({ status_code, link, method, path, hits }) => (
        <p key={`${status_code} ${link}`}>
          <Code text={`${status_code} ${link}`} /> leads to <Code text={`${method} ${path}`} />{" "}
          <span class="muted">
            {hits === 0
              ? "no request carried what this response had answered"
              : `followed by ${formatAmount(hits, "request")}`}
          </span>
        </p>
      ))}
    </div>
  );
}

function Content(): JSX.Element | null {
  const parts = useOperation().data.responses.flatMap((
    { status_code, media_types = [], headers = [] },
  ) =>
    [...media_types, ...headers].filter(({ hits }) => hits > 0).map((part) => ({
      status: status_code,
      part,
    }))
  );
  if (parts.length === 0) return null;
  return (
    <div class="response-content">
      <h3>Bodies and headers</h3>
      {parts.map(({ status, part }) => (
        <Part key={`${status} ${part.schema_path}`} part={part} status={status} />
      ))}
    </div>
  );
}
