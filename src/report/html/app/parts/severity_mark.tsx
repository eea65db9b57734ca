/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { Diagnostic } from "../../../../values/diagnostic.ts";

const SHAPES: Readonly<Record<Diagnostic["severity"], string>> = {
  error: "M8 1.5 14.5 8 8 14.5 1.5 8zM8 5v3.6M8 10.6v.8",
  warning: "M8 2 14.6 13.6H1.4zM8 6.2v3.6M8 11.4v.6",
  info: "M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8M8 7.2v4M8 4.6v.8",
};

/** How bad a diagnostic is, by shape and by word. */
export function SeverityMark(
  { severity }: { readonly severity: Diagnostic["severity"] },
): JSX.Element {
  return (
    <span class={`severity severity-${severity}`}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={SHAPES[severity]} class="mark-ring" />
      </svg>
      <span>{severity}</span>
    </span>
  );
}
