/** @jsxImportSource preact */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { formatAmount, formatNumber } from "../../../wording/amounts.ts";
import { keywordPlace } from "../../../wording/keyword_place.ts";
import { type PageResponsePart, RESPONSE_KEYWORDS } from "../../page_data.ts";
import type { Model, Operation } from "../model/model.ts";
import { LineLink } from "../parts/line_link.tsx";
import { useShown } from "../parts/use_shown.tsx";
import type { SourceState } from "../parts/use_source.ts";

interface KeywordsProps {
  readonly model: Model;
  readonly operation: Operation;
  readonly part: PageResponsePart;
  readonly source: SourceState;
}

/** A keyword that responses met. */
interface MetKeyword {
  readonly path: string;
  readonly value: string | null;
  readonly seen: number;
  readonly violated: number;
}

/** The keywords that responses met, those that they broke first. */
function metKeywords({ data: { texts } }: Model, part: PageResponsePart): readonly MetKeyword[] {
  return RESPONSE_KEYWORDS.all(part.keywords).map(({ schema, name, value, seen, violated }) => ({
    path: `${texts[schema] ?? ""}/${texts[name] ?? ""}`,
    value: texts[value] ?? null,
    seen,
    violated,
  })).sort((left, right) => Number(right.violated > 0) - Number(left.violated > 0));
}

function Keywords({ model, operation, part, source }: KeywordsProps): JSX.Element {
  const keywords = metKeywords(model, part);
  const shown = useShown(`response ${operation.key} ${part.schema_path}`, keywords.length);
  return (
    <>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Keyword</th>
            <th scope="col">Value</th>
            <th scope="col" class="number">Seen</th>
            <th scope="col" class="number">Violated</th>
            <th scope="col" class="number">Line</th>
          </tr>
        </thead>
        <tbody>
          {keywords.slice(0, shown.count).map(({ path, value, seen, violated }) => (
            <tr key={path}>
              <th scope="row">
                <code>
                  <bdi>{keywordPlace(path)}</bdi>
                </code>
              </th>
              <td>{value === null ? null : <code>{value}</code>}</td>
              <td class="number">{formatNumber(seen)}</td>
              <td class="number">
                {violated === 0
                  ? "–"
                  : <span class="flag flag-alert">{formatNumber(violated)}</span>}
              </td>
              <td class="number">
                <LineLink
                  operation={operation}
                  position={source instanceof Object ? source.positionOf(path) : null}
                  what={keywordPlace(path)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.more}
    </>
  );
}

/** What is to be said of a media type or header that came. */
function factsOf(part: PageResponsePart): string {
  const { hits, keyword_total, keywords, malformed = 0, not_recorded = 0, unsupported } = part;
  const seen = RESPONSE_KEYWORDS.count(keywords);
  const violated = RESPONSE_KEYWORDS.all(keywords).filter((one) => one.violated > 0).length;
  return [
    formatAmount(hits, "response"),
    ...(keyword_total === 0
      ? []
      : [`${formatNumber(seen)} of ${formatNumber(keyword_total)} keywords seen`]),
    ...(violated === 0 ? [] : [`${formatNumber(violated)} violated`]),
    ...(malformed === 0 ? [] : [`${formatNumber(malformed)} malformed`]),
    ...(not_recorded === 0 ? [] : [`${formatNumber(not_recorded)} not recorded`]),
    ...(unsupported === true ? ["not decoded by covtool"] : []),
  ].join(" · ");
}

function Part(props: KeywordsProps & { readonly status: string }): JSX.Element {
  const { part, status } = props;
  const [isOpen, setOpen] = useState(false);
  const name = part.media_type ?? part.header ?? "";
  const isEmpty = part.keywords.length === 0;
  const heading = (
    <>
      <code>
        <bdi>{status} {name}</bdi>
      </code>{" "}
      <span class="muted">{part.header === undefined ? "" : "header · "}{factsOf(part)}</span>
    </>
  );
  if (isEmpty) return <p>{heading}</p>;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{heading}</summary>
      {isOpen ? <Keywords {...props} /> : null}
    </details>
  );
}

interface Props {
  readonly model: Model;
  readonly operation: Operation;
  readonly source: SourceState;
}

/** The media types and headers that came, with the keywords of their schemas; nothing where that is not measured. */
export function ResponseContent({ model, operation, source }: Props): JSX.Element | null {
  const parts = operation.data.responses.flatMap((
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
        <Part
          key={`${status} ${part.schema_path}`}
          model={model}
          operation={operation}
          part={part}
          source={source}
          status={status}
        />
      ))}
    </div>
  );
}
