import { concatBytes } from "../values/collections.ts";

interface PartHead {
  readonly name: string;
  /** Absent for fields that aren't files. */
  readonly fileName?: string | undefined;
  readonly mediaType?: string | undefined;
}

export interface BytesPart extends PartHead {
  readonly value: Uint8Array;
}

export interface TextPart extends PartHead {
  readonly text: string;
}

const encoder = new TextEncoder();

export function multipartBytes(parts: readonly BytesPart[], boundary: string): Uint8Array {
  const sections = parts.flatMap((part) => [
    encoder.encode(partHead(part, boundary)),
    part.value,
    encoder.encode("\r\n"),
  ]);
  return concatBytes([...sections, encoder.encode(`--${boundary}--\r\n`)]);
}

export function multipartText(
  parts: readonly TextPart[],
  boundary: string,
): { readonly contentType: string; readonly body: string } {
  const sections = parts.map((part) => `${partHead(part, boundary)}${part.text}\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: `${sections.join("")}--${boundary}--\r\n`,
  };
}

function partHead({ name, fileName, mediaType }: PartHead, boundary: string): string {
  const file = fileName === undefined ? "" : `; filename="${escapeName(fileName)}"`;
  const type = mediaType === undefined ? "" : `Content-Type: ${mediaType}\r\n`;
  const disposition = `form-data; name="${escapeName(name)}"${file}`;
  return `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${type}\r\n`;
}

/** Escapes a name as browsers do (HTML, "multipart/form-data encoding algorithm"). */
function escapeName(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

export function freeBoundary(
  parts: readonly BytesPart[],
  makeBoundary: (attempt: number) => string,
): string {
  const decoder = new TextDecoder("latin1");
  const texts = parts.map(({ name, fileName, value }) =>
    `${name}\n${fileName}\n${decoder.decode(value)}`
  );
  for (let attempt = 0;; attempt++) {
    const boundary = makeBoundary(attempt);
    if (!texts.some((text) => text.includes(boundary))) return boundary;
  }
}
