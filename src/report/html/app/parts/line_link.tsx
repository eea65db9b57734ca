/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { LinePosition } from "../../description_view.ts";
import type { Operation } from "../model/model.ts";
import { routeLink } from "../model/route.ts";
import { spotName } from "../model/spot.ts";

interface Props {
  readonly operation: Operation;
  readonly position: LinePosition | null;
  /** What stands on the line, for those who cannot see the row. */
  readonly what: string;
}

/** The line of the description on which something stands, as a link to it. */
export function LineLink({ operation, position, what }: Props): JSX.Element | null {
  if (position === null) return null;
  const { file, line } = position;
  return (
    <a
      class="line-link"
      href={routeLink("operation", operation.key, { at: spotName("line", file, line) })}
      aria-label={`Line ${line}: ${what}`}
    >
      {line}
    </a>
  );
}
