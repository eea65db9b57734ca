import { decodeContent } from "../../src/http/content_encoding.ts";
import { headerLookup } from "../../src/http/headers.ts";
import type { HttpResponse, Interaction } from "../../src/http/interaction.ts";

const FOLDER = new URL("../fixtures/recordings/", import.meta.url);

/** A recording in JSON that a real program wrote. */
export function recordingJson(path: string): unknown {
  return JSON.parse(Deno.readTextFileSync(new URL(path, FOLDER)));
}

/** The status of a response and how long it took, without its content. */
function headOf(response: HttpResponse | undefined): HttpResponse | undefined {
  if (response === undefined) return undefined;
  const { status_code, elapsed } = response;
  return { status_code, ...(elapsed !== undefined && { elapsed }) };
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

/** An interaction without the content of its response. */
export function withoutContent(interaction: Interaction | undefined): Interaction | undefined {
  if (interaction?.response === undefined) return interaction;
  return { ...interaction, response: headOf(interaction.response) };
}

/** The body of a response as text, with its Content-Encoding undone; undefined if there is none. */
export function receivedText(response: HttpResponse | undefined): string | undefined {
  const body = response?.body ?? undefined;
  if (body === undefined || typeof body === "string") return body;
  const encoding = headerLookup(response?.headers).get("content-encoding");
  const bytes = encoding === undefined ? body : decodeContent(body, encoding);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  }
}
