/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import type { PageSource } from "../../page_source.ts";
import { documentComplete } from "../model/document_complete.ts";
import { loadBlock } from "../model/load_block.ts";
import { Source } from "../model/source.ts";

/** The state of the description's text: loading, loaded, or absent from this page. */
export type SourceState = Source | "loading" | "absent";

/** The texts asked for so far, by the block that they are in. */
const loading = new Map<string, Promise<Source | "absent">>();
const loaded = new Map<string, Source | "absent">();
let block = "source";

/** Sets the block with the text of the description that the page shows now. */
export function readSourceFrom(id: string): void {
  block = id;
}

async function load(id: string): Promise<Source | "absent"> {
  await documentComplete();
  const element = document.getElementById(id);
  if (element === null) return "absent";
  try {
    return new Source(await loadBlock(element) as PageSource);
  } catch {
    // Everything else on the page works without.
    return "absent";
  }
}

/**
 * The description's text, unpacked when a view first asks for it.
 *
 * @param isWanted False as long as the view does without.
 */
export function useSource(isWanted = true): SourceState {
  const [state, setState] = useState<SourceState>(loaded.get(block) ?? "loading");
  useEffect(() => {
    if (!isWanted || state !== "loading") return;
    const id = block;
    const source = loading.get(id) ?? load(id);
    loading.set(id, source);
    source.then((source) => {
      loaded.set(id, source);
      setState(source);
    });
  }, [isWanted]);
  return state;
}
