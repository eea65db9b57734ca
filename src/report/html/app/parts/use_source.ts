/// <reference lib="dom" />
import { useEffect, useState } from "preact/hooks";
import { getOrAdd } from "../../../../values/collections.ts";
import type { LinePosition, PageSource } from "../../page_data.ts";
import { readSource, type Source } from "../model/source.ts";
import { useModel } from "./context.ts";

/** The texts that are being loaded, by the id of their elements. */
const loading = new Map<string, Promise<Source | null>>();
const loaded = new Map<string, Source | null>();

async function load(id: string): Promise<Source | null> {
  await documentComplete();
  const element = document.getElementById(id);
  if (element === null) return null;
  try {
    return readSource(await loadBlock(element) as PageSource);
  } catch {
    // The rest of the page works without the text.
    return null;
  }
}

/**
 * The description's text, decoded when a view first needs it. Undefined while loading, null if the page has none. If
 * `isWanted` is false, loading doesn't start.
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

/** Returns a function that finds the position of a schema path, once the text is loaded. */
export function usePositions(): (schema_path: string) => LinePosition | undefined {
  const source = useSource();
  return (schema_path) => source?.positions.get(schema_path);
}

/** Reads a data element of the page and empties it to free memory. */
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

/** Resolves when the whole page is parsed: some data elements come after the script. */
export function documentComplete(): Promise<void> {
  if (document.readyState !== "loading") return Promise.resolve();
  return new Promise((resolve) => {
    addEventListener("DOMContentLoaded", () => resolve(), { once: true });
  });
}
