/** @jsxImportSource preact */
import type { JSX } from "preact";
import type { GapChange } from "../model/changes.ts";

const FLAGS = {
  new: { text: "new gap", style: "flag flag-alert", title: "The baseline covers it." },
  added: { text: "added", style: "flag", title: "The baseline does not have it." },
} as const;

/** What a gap is since the baseline; nothing for one of before. */
export function ChangeFlag({ change }: { readonly change: GapChange | null }): JSX.Element | null {
  if (change === null) return null;
  const { text, style, title } = FLAGS[change];
  return <span class={style} title={title}>{text}</span>;
}
