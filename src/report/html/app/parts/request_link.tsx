/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { Model, Operation } from "../model/model.ts";
import { requestLinkAt } from "../model/next_requests.ts";

interface Props {
  readonly model: Model;
  readonly operation: Operation;
  /** The place of the gap. */
  readonly at: string;
  /** The missing thing, for people who don't see what the link stands beside. */
  readonly subject: string;
}

/** A link to the request that closes a gap; nothing where none was made. */
export function RequestLink({ model, operation, at, subject }: Props): JSX.Element | null {
  const link = requestLinkAt(model, operation, at);
  return link === undefined ? null : (
    <>
      {" "}
      <a href={link} aria-label={`Request for ${subject}`}>Request</a>
    </>
  );
}
