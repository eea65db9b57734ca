import type { Interaction } from "../../src/http/interaction.ts";

const FOLDER = new URL("../fixtures/recordings/", import.meta.url);

/** The text of a recording that a real program wrote. */
export function recordingText(path: string): string {
  return Deno.readTextFileSync(new URL(path, FOLDER));
}

/** A recording in JSON. */
export function recordingJson(path: string): unknown {
  return JSON.parse(recordingText(path));
}

/** The body of an interaction as text, one character for each byte that is no UTF-8. */
export function sentText(interaction: Interaction | undefined): string | undefined {
  const body = interaction?.request.body ?? undefined;
  if (body === undefined || typeof body === "string") return body;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return Array.from(body, (byte) => String.fromCharCode(byte)).join("");
  }
}
