/** @jsxImportSource preact */
import type { JSX } from "preact";

/** A sentence with what stands between backticks set as code; isolated, so that no script's direction spills over. */
export function Message({ text }: { readonly text: string }): JSX.Element {
  const parts = text.split(/`([^`]+)`/);
  return (
    <bdi>
      {parts.map((part, index) => index % 2 === 1 ? <code key={index}>{part}</code> : part)}
    </bdi>
  );
}
