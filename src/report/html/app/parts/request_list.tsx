/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { curlParts } from "../../../../suggest/formats/curl_format.ts";
import { fetchCall } from "../../../../suggest/formats/fetch_call.ts";
import { httpRequest, httpVariables } from "../../../../suggest/formats/http_format.ts";
import { capitalized, sentenceList } from "../../../wording/amounts.ts";
import { closedText } from "../../../wording/closed_text.ts";
import { placeholderNote } from "../../../wording/suggest_command.ts";
import { placeName } from "../../../wording/place_name.ts";
import type { Model } from "../model/model.ts";
import { type NextRequest, requestLink } from "../model/next_requests.ts";
import { spotName } from "../model/spot.ts";
import { copyText } from "./copy_text.ts";
import { OperationLink } from "./names.tsx";

/** The forms in which a request can be copied. */
const FORMS = [
  { name: "curl", write: ({ data }: NextRequest) => curlText(data) },
  { name: "fetch", write: ({ data }: NextRequest) => fetchCall(data) },
  {
    name: ".http",
    write: ({ data }: NextRequest) => {
      const variables = httpVariables([data]);
      return `${variables}${variables === "" ? "" : "\n"}${httpRequest(data)}`;
    },
  },
] as const;

function curlText(data: NextRequest["data"]): string {
  return curlParts(data).join(" \\\n  ");
}

/** Buttons that copy a request, and the request to read. */
function Copy({ request }: { readonly request: NextRequest }): JSX.Element {
  const [said, say] = useState("");
  const [isOpen, open] = useState(false);
  const note = placeholderNote(request.data.placeholders);
  const copy = async (form: typeof FORMS[number]): Promise<void> => {
    const done = await copyText(form.write(request));
    if (!done) open(true);
    say(
      done
        ? `Copied as ${form.name}. ${note}`
        : "The browser doesn't let the page copy: select the text",
    );
  };
  return (
    <div class="request">
      <div class="copy" role="group" aria-label="Copy the request">
        {FORMS.map((form) => (
          <button
            key={form.name}
            type="button"
            class="quiet"
            aria-label={`Copy as ${form.name}`}
            onClick={() => void copy(form)}
          >
            {form.name}
          </button>
        ))}
      </div>
      <details
        class="request-text"
        open={isOpen}
        onToggle={(event) => open(event.currentTarget.open)}
      >
        <summary>Show the request</summary>
        {note === "" ? null : <p class="muted">{note}</p>}
        {isOpen ? <pre tabIndex={0}><bdi>{curlText(request.data)}</bdi></pre> : null}
      </details>
      <span role="status" class="muted">{said}</span>
    </div>
  );
}

/** The rule that a request breaks: `minLength` of `body/name`. */
function Broken({ model, request: { data, operation } }: {
  readonly model: Model;
  readonly request: NextRequest;
}): JSX.Element {
  const pointer = data.breaks ?? "";
  const end = pointer.lastIndexOf("/");
  const of = operation.data.parameters.find(({ schema_path }) =>
    pointer.startsWith(`${model.data.texts[schema_path]}/`)
  );
  const name = of === undefined || of.location === "body" ? "body" : of.parameter;
  const own = of === undefined ? "" : model.data.texts[of.schema_path] ?? "";
  return (
    <>
      Break only <code>{pointer.slice(end + 1)}</code> of{" "}
      <code title={pointer}>
        <bdi>{placeName(pointer.slice(0, Math.max(end, 0)), own, name)}</bdi>
      </code>
    </>
  );
}

/** What a request is for, and what the API ought to answer. */
function reason({ data }: NextRequest): ComponentChildren {
  const { expects } = data;
  const answer = expects.length === 0 ? "" : `, expects ${sentenceList(expects, "or")}`;
  return `${capitalized(closedText(data))}${answer}.`;
}

interface Props {
  readonly model: Model;
  readonly requests: readonly NextRequest[];
  /** True where the operation goes without saying. */
  readonly within?: boolean;
}

/** Requests to send next, as a numbered list. */
export function RequestList({ model, requests, within = false }: Props): JSX.Element {
  return (
    <ol class="suggestions">
      {requests.map((request) => (
        <li
          key={requestLink(request)}
          {...(within && { id: spotName("request", request.index), tabIndex: -1 })}
        >
          {within ? null : <OperationLink operation={request.operation} />}
          <p class="suggestion">
            <strong>
              {request.data.breaks === null
                ? "Send a valid request"
                : <Broken model={model} request={request} />}
            </strong>{" "}
            <span class="muted">{reason(request)}</span>
          </p>
          <Copy request={request} />
        </li>
      ))}
    </ol>
  );
}
