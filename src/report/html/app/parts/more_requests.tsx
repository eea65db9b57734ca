/** @jsxImportSource preact */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { suggestCommand } from "../../../wording/suggest_command.ts";
import type { Model, Operation } from "../model/model.ts";
import { hasMoreRequests, requestsOf } from "../model/next_requests.ts";
import { copyText } from "./copy_text.ts";

interface Props {
  readonly model: Model;
  /** The operation to find requests for; absent for all. */
  readonly operation?: Operation;
}

function label(model: Model, operation: Operation | undefined): string {
  if (operation === undefined) return "Requests for all gaps:";
  const isFirst = requestsOf(model, operation).length === 0;
  return isFirst ? "Requests for these gaps:" : "Requests for the other gaps:";
}

/** The command that finds the requests that the page doesn't have; nothing where there is none to find. */
export function MoreRequests({ model, operation }: Props): JSX.Element | null {
  const [said, say] = useState("");
  if (!hasMoreRequests(model, operation)) return null;
  const { location } = model.data.schema;
  const command = operation === undefined
    ? suggestCommand(location)
    : suggestCommand(location, `${operation.data.method} ${operation.data.path}`);
  const copy = async (): Promise<void> => {
    const done = await copyText(command);
    say(done ? "Copied" : "The browser doesn't let the page copy: select the text");
  };
  return (
    <p class="more-requests muted">
      {label(model, operation)}{" "}
      <code>
        <bdi>{command}</bdi>
      </code>{" "}
      <button type="button" class="quiet" aria-label="Copy the command" onClick={() => void copy()}>
        Copy
      </button>{" "}
      <span role="status">{said}</span>
    </p>
  );
}
