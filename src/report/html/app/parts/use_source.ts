/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import type { PageSource } from "../../page_source.ts";
import { loadBlock } from "../model/load_block.ts";
import { Source } from "../model/source.ts";

/** The state of the description's text: loading, loaded, or absent from this page. */
export type SourceState = Source | "loading" | "absent";

let loading: Promise<Source | "absent"> | undefined;
let loaded: Source | "absent" | undefined;

/** The block comes after the script, so that the first view needn't wait until it has arrived. */
function documentComplete(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => {
    addEventListener("DOMContentLoaded", () => resolve(), { once: true });
  });
}

async function load(): Promise<Source | "absent"> {
  await documentComplete();
  const block = document.getElementById("source");
  if (block === null) return "absent";
  try {
    return new Source(await loadBlock(block) as PageSource);
  } catch {
    // Everything else on the page works without.
    return "absent";
  }
}

/** The description's text, unpacked when a view first asks for it. */
export function useSource(): SourceState {
  const [state, setState] = useState<SourceState>(loaded ?? "loading");
  useEffect(() => {
    if (state !== "loading") return;
    loading ??= load();
    loading.then((source) => {
      loaded = source;
      setState(source);
    });
  }, []);
  return state;
}
