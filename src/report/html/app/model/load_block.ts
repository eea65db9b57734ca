/// <reference lib="dom" />

/**
 * Reads a block of data of the page and empties it, so that its text is not held twice.
 *
 * @param block The element that `dataBlock` wrote.
 * @returns What it holds, as it was encoded.
 * @throws {Error} Where the browser cannot decompress or the text is damaged.
 */
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
