/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { getOrAdd } from "../../../../values/collections.ts";
import type { LinePosition, PageSource } from "../../page_data.ts";
import { readSource, type Source } from "../model/source.ts";
import { useModel } from "./context.ts";

/** The texts asked for so far, by the block that they are in. */
const loading = new Map<string, Promise<Source | null>>();
const loaded = new Map<string, Source | null>();

async function load(id: string): Promise<Source | null> {
  await documentComplete();
  const element = document.getElementById(id);
  if (element === null) return null;
  try {
    return readSource(await loadBlock(element) as PageSource);
  } catch {
    // Everything else on the page works without.
    return null;
  }
}

/**
 * The description's text, unpacked when a view first asks for it: undefined until then, null where the page has none.
 * `isWanted` is false as long as the view does without.
 */
export function useSource(isWanted = true): Source | null | undefined {
  const { sourceBlock: id } = useModel();
  const [state, setState] = useState(loaded.get(id));
  useEffect(() => {
    if (!isWanted || state !== undefined) return;
    getOrAdd(loading, id, () => load(id)).then((source) => {
      loaded.set(id, source);
      setState(source);
    });
  }, [isWanted]);
  return state;
}

/** The position of a schema path, once the text is there. */
export function usePositions(): (schema_path: string) => LinePosition | undefined {
  const source = useSource();
  return (schema_path) => source?.positions.get(schema_path);
}

/** Reads a block of data of the page and empties it, so that its text is not held twice. */
export async function loadBlock(block: Element): Promise<unknown> {
  const text = block.textContent ?? "";
  const compressed = block.getAttribute("data-encoding") === "gzip";
  block.textContent = "";
  if (!compressed) return JSON.parse(text);
  if (!("DecompressionStream" in globalThis)) {
    throw new Error("This browser is too old to read the report's compressed data.");
  }
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(stream).json();
}

/** Resolves when the whole page has arrived: some blocks of data stand behind the script. */
export function documentComplete(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => {
    addEventListener("DOMContentLoaded", () => resolve(), { once: true });
  });
}
