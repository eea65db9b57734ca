/** @jsxImportSource preact */
import type { JSX } from "preact";

interface Props {
  readonly full: number;
  readonly partial?: number;
  readonly total: number;
}

/** Widths round down to what is not everything and up to what is not nothing. */
function width(part: number, total: number): string {
  return `${part === 0 || total === 0 ? 0 : Math.max(1, 100 * part / total)}%`;
}

/**
 * A bar of what is covered (solid), covered in part (striped) and not (empty). It repeats numbers
 * that stand beside it, so it is hidden from those who listen to the page.
 */
export function Bar({ full, partial = 0, total }: Props): JSX.Element {
  return (
    <span class={total === 0 ? "bar bar-void" : "bar"} aria-hidden="true">
      <span class="bar-full" style={{ width: width(full, total) }} />
      <span class="bar-partial" style={{ width: width(partial, total) }} />
    </span>
  );
}
