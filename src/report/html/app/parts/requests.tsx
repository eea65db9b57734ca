/// <reference lib="dom" />
import type { JSX } from "preact";
import { useContext, useState } from "preact/hooks";
import { curlParts } from "../../../../suggest/formats/curl_format.ts";
import { httpRequest, httpVariables } from "../../../../suggest/formats/http_format.ts";
import { fillTemplate } from "../../../../suggest/formats/placeholder_names.ts";
import { capitalized, sentenceList } from "../../../wording/amounts.ts";
import { placeName } from "../../../wording/place_name.ts";
import {
  closedText,
  forOperation,
  NOT_KEPT,
  placeholderNote,
  suggestCommand,
} from "../../../wording/shown_requests.ts";
import { operationGaps, requestLinkAt } from "../model/gaps.ts";
import type { NextRequest, Operation } from "../model/model.ts";
import { spotName } from "../model/route.ts";
import { OperationContext, useModel, useOperation } from "./context.ts";
import { Code, OperationLink } from "./names.tsx";

const FORMATS: Readonly<Record<string, (data: NextRequest["data"]) => string>> = {
  curl: curlText,
  fetch: fetchCall,
  ".http": (data) => {
    const variables = httpVariables([data]);
    return `${variables}${variables === "" ? "" : "\n"}${httpRequest(data)}`;
  },
};

function curlText(data: NextRequest["data"]): string {
  return curlParts(data).join(" \\\n  ");
}

/** A request as a JavaScript call of `fetch()`, with environment variables for placeholders. */
function fetchCall({ request, placeholders }: NextRequest["data"]): string {
  const literal = (text: string) =>
    fillTemplate(text, placeholders, (name) => `process.env.${name}`, JSON.stringify, " + ") ||
    '""';
  const { method, url, headers, body } = request;
  const fields = Object.entries(headers)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${literal(value)},\n`);
  return `await fetch(${literal(url)}, {\n  method: ${JSON.stringify(method)},\n` +
    (fields.length === 0 ? "" : `  headers: {\n${fields.join("")}  },\n`) +
    (body === undefined ? "" : `  body: ${literal(body)},\n`) + "});\n";
}

const REFUSED = "The browser doesn't let the page copy: select the text";

/** Buttons that copy a request. Calls `onRefused` if the browser doesn't allow copying. */
function Copy({ request, onRefused }: {
  readonly request: NextRequest;
  readonly onRefused?: () => void;
}): JSX.Element {
  const [status, setStatus] = useState("");
  const { data } = request;
  const testFormat = useModel().data.next?.test_format ?? "";
  const formats = Object.entries(FORMATS).map(([name, write]) => ({
    name,
    title: name,
    note: placeholderNote(data.placeholders),
    text: () => write(data),
  }));
  const { test } = data;
  if (test !== undefined) {
    formats.unshift({
      name: testFormat,
      title: `a test for ${testFormat}`,
      note: "",
      text: () => test,
    });
  }
  const copy = async ({ title, note, text }: typeof formats[number]): Promise<void> => {
    const isCopied = await copyText(text());
    if (!isCopied) onRefused?.();
    setStatus(isCopied ? `Copied as ${title}. ${note}` : REFUSED);
  };
  return (
    <>
      <div class="copy" role="group" aria-label="Copy the request">
        <span class="muted" aria-hidden="true">Copy as</span>
        {formats.map((format) => (
          <button
            key={format.name}
            type="button"
            class="quiet"
            aria-label={`Copy as ${format.title}`}
            onClick={() => void copy(format)}
          >
            {format.name}
          </button>
        ))}
      </div>
      <span role="status" class="muted">{status}</span>
    </>
  );
}

function RequestText({ data }: NextRequest): JSX.Element {
  const note = placeholderNote(data.placeholders);
  return (
    <>
      {note === "" ? null : <p class="muted">{note}</p>}
      <pre tabIndex={0}><bdi>{curlText(data)}</bdi></pre>
    </>
  );
}

function Headline({ request }: { readonly request: NextRequest }): JSX.Element {
  return (
    <>
      <strong>
        {request.data.breaks === null ? "Send a valid request" : <Broken request={request} />}
      </strong>{" "}
      <span class="muted">{requestReason(request)}</span>
    </>
  );
}

export function RequestItem({ request }: { readonly request: NextRequest }): JSX.Element {
  const [isOpen, open] = useState(false);
  return (
    <li>
      <OperationLink operation={request.operation} />
      <p class="suggestion">
        <Headline request={request} />
      </p>
      <div class="request">
        <Copy request={request} onRefused={() => open(true)} />
        <details
          class="request-text"
          open={isOpen}
          onToggle={(event) => open(event.currentTarget.open)}
        >
          <summary>Show the request</summary>
          {isOpen ? <RequestText {...request} /> : null}
        </details>
      </div>
    </li>
  );
}

export function RequestLine({ request, isTarget }: {
  readonly request: NextRequest;
  readonly isTarget: boolean;
}): JSX.Element {
  const [isOpen, open] = useState(isTarget);
  return (
    <li id={spotName("request", request.index)} tabIndex={-1}>
      <details open={isOpen || isTarget} onToggle={(event) => open(event.currentTarget.open)}>
        <summary class="suggestion">
          <Headline request={request} />
        </summary>
        {(isOpen || isTarget) && (
          <div class="request-text">
            <Copy request={request} />
            <RequestText {...request} />
          </div>
        )}
      </details>
    </li>
  );
}

function Broken({ request: { data, operation } }: { readonly request: NextRequest }): JSX.Element {
  const pointer = data.breaks ?? "";
  const end = pointer.lastIndexOf("/");
  const { schema_path = "", name = "body" } =
    operation.parameters.find(({ schema_path }) => pointer.startsWith(`${schema_path}/`)) ?? {};
  return (
    <>
      Break only <code>{pointer.slice(end + 1)}</code> of{" "}
      <Code
        title={pointer}
        text={placeName(pointer.slice(0, Math.max(end, 0)), schema_path, name)}
      />
    </>
  );
}

function requestReason({ data }: NextRequest): string {
  const { expects, closest } = data;
  const answer = expects.length === 0 ? "" : `, expects ${sentenceList(expects, "or")}`;
  return `${capitalized(closedText(data))}${answer}.${closest === undefined ? "" : ` ${closest}`}`;
}

export function RequestLink({ at, subject }: {
  readonly at: string;
  /** The missing thing, for screen readers: it isn't part of the visible link. */
  readonly subject: string;
}): JSX.Element | null {
  const link = requestLinkAt(useOperation(), at);
  return link === undefined ? null : (
    <>
      {" "}
      <a href={link} aria-label={`Request for ${subject}`}>Request</a>
    </>
  );
}

/** True if `covtool suggest` may find further requests for an operation. */
function mayHaveMore(operation: Operation): boolean {
  // Which status is returned doesn't depend on data alone, so no request is suggested for one.
  return operationGaps(operation).some(({ kind, request }) =>
    kind !== "response" && request === undefined
  );
}

/** The command that finds requests that the page lacks. Renders nothing if there are none to find. */
export function MoreRequests(): JSX.Element | null {
  const { next, schema } = useModel().data;
  const operation = useContext(OperationContext);
  const [status, setStatus] = useState("");
  if (next?.complete !== false || operation !== null && !mayHaveMore(operation)) return null;
  const all = next.command ?? suggestCommand([schema.location]);
  const command = operation === null
    ? all
    : forOperation(all, `${operation.data.method} ${operation.data.path}`);
  const which = operation === null
    ? "all"
    : operation.requests.length === 0
    ? "these"
    : "the other";
  const copy = async (): Promise<void> => {
    setStatus(await copyText(command) ? "Copied" : REFUSED);
  };
  return (
    <p class="more-requests muted">
      Requests for {which} gaps: <Code text={command} />{" "}
      <button type="button" class="quiet" aria-label="Copy the command" onClick={() => void copy()}>
        Copy
      </button>{" "}
      <span role="status">{status}</span>
      {!next.has_traffic ? ` ${NOT_KEPT}` : ""}
    </p>
  );
}

/** Copies a text. Without HTTPS, pages may have no access to the clipboard; then copies a selection. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "copied-text";
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
