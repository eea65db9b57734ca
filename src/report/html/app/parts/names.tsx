import type { ComponentChildren, JSX } from "preact";
import type { LinePosition } from "../../page_data.ts";
import type { Operation, Parameter } from "../model/model.ts";
import { routeLink, spotName } from "../model/route.ts";
import { useOperation } from "./context.ts";
import type { Column } from "./table.tsx";

export function Method({ name }: { readonly name: string }): JSX.Element {
  return <span class={`method method-${name.toLowerCase().replace(/[^a-z]/g, "")}`}>{name}</span>;
}

/** Splits a text so that lines break before slashes rather than within words, and template variables stand out. */
export function breakAtSlashes(text: string): readonly ComponentChildren[] {
  const pieces = text.split(/(?=\/)|(\{[^{}]*\})/).filter((piece) => piece);
  return pieces.flatMap((piece, index) => {
    if (piece.startsWith("{")) return [<i key={index}>{piece}</i>];
    return index > 0 && piece.startsWith("/") ? [<wbr key={index} />, piece] : [piece];
  });
}

/** A path with its template variables in italics, isolated from the direction of surrounding text. */
export function Path({ path }: { readonly path: string }): JSX.Element {
  return <bdi class="path">{breakAtSlashes(path)}</bdi>;
}

export function OperationLink({ operation }: { readonly operation: Operation }): JSX.Element {
  const { method, path } = operation.data;
  return (
    <a class="operation-link" href={routeLink("operation", operation.key)}>
      <Method name={method} /> <Path path={path} />
    </a>
  );
}

export function ParameterName({ parameter }: { readonly parameter: Parameter }): JSX.Element {
  const { location } = parameter;
  return (
    <span class="parameter-name">
      <span class="location">{location === "form_data" ? "form" : location}</span>{" "}
      <Code text={parameter.parameter} />
    </span>
  );
}

export function GapIds({ ids }: { readonly ids: readonly string[] }): JSX.Element {
  return <>{ids.map((id) => <code key={id} class="gap-id">{id}</code>)}</>;
}

/** Text of the description or the traffic as code, isolated from the direction of surrounding text. */
export function Code({ text, style, title }: {
  readonly text: string;
  readonly style?: string;
  readonly title?: string;
}): JSX.Element {
  return (
    <code class={style} title={title}>
      <bdi>{text}</bdi>
    </code>
  );
}

export function Message({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split(/`([^`]+)`/);
  return (
    <bdi>
      {parts.map((part, index) => index % 2 === 1 ? <code key={index}>{part}</code> : part)}
    </bdi>
  );
}

const INLINE = 100;

/** A JSON value: inline if short, otherwise collapsed to its beginning. */
export function Value({ json }: { readonly json: string }): JSX.Element {
  if (json.length <= INLINE) return <Code style="value" text={json} />;
  return (
    <details>
      <summary>
        <Code style="value" text={`${json.slice(0, INLINE).toWellFormed()}…`} />
      </summary>
      <pre tabIndex={0}><bdi>{JSON.stringify(JSON.parse(json), null, 2)}</bdi></pre>
    </details>
  );
}

export function LineLink({ position, what, before = "" }: {
  readonly position: LinePosition | undefined;
  readonly what: string;
  readonly before?: string;
}): JSX.Element | null {
  const operation = useOperation();
  if (position === undefined) return null;
  const { file, line } = position;
  return (
    <>
      {before}
      <a
        class="line-link"
        href={routeLink("operation", operation.key, { at: spotName("line", file, line) })}
        aria-label={`Line ${line}: ${what}`}
      >
        {line}
      </a>
    </>
  );
}

export function lineColumn<Row>(
  findPosition: (row: Row) => LinePosition | undefined,
  what: (row: Row) => string,
): Column<Row> {
  return {
    label: "Line",
    isNumber: true,
    value: (row) => findPosition(row)?.line ?? null,
    cell: (row) => <LineLink position={findPosition(row)} what={what(row)} />,
  };
}
