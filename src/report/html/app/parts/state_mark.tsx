/** @jsxImportSource preact */
import type { JSX } from "preact";

/** How much of something was seen; `excluded` does not count. */
export type MarkState = "full" | "partial" | "none" | "excluded";

interface Props {
  readonly state: MarkState;
  readonly children?: JSX.Element | string;
}

function shape(state: MarkState): JSX.Element {
  switch (state) {
    case "full":
      return (
        <>
          <circle cx="8" cy="8" r="7" fill="currentColor" />
          <path d="M4.6 8.2 7 10.6l4.4-5" class="mark-tick" />
        </>
      );
    case "partial":
      return (
        <>
          <circle cx="8" cy="8" r="6" class="mark-ring" />
          <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
        </>
      );
    case "none":
      return <circle cx="8" cy="8" r="6" class="mark-ring" />;
    case "excluded":
      return <path d="M3 8h10" class="mark-ring" />;
  }
}

/** A state by shape and by words, so that colour is never needed to tell. */
export function StateMark({ state, children }: Props): JSX.Element {
  return (
    <span class={`mark mark-${state}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">{shape(state)}</svg>
      {children === undefined ? null : <span>{children}</span>}
    </span>
  );
}
