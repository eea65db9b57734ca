import { concatBytes } from "../../values/collections.ts";

export interface FormPart {
  readonly name: string;
  readonly value: Uint8Array;
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
}

const encoder = new TextEncoder();

export function multipartBytes(parts: readonly FormPart[], boundary: string): Uint8Array {
  const sections = parts.flatMap(({ name, value, fileName, contentType }) => {
    const file = fileName === undefined ? "" : `; filename="${escapeName(fileName)}"`;
    const type = contentType === undefined ? "" : `Content-Type: ${contentType}\r\n`;
    const disposition = `form-data; name="${escapeName(name)}"${file}`;
    const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\n${type}\r\n`;
    return [encoder.encode(head), value, encoder.encode("\r\n")];
  });
  return concatBytes([...sections, encoder.encode(`--${boundary}--\r\n`)]);
}

/** Names are escaped as browsers do (HTML, "multipart/form-data encoding algorithm"). */
function escapeName(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

export function freeBoundary(
  parts: readonly FormPart[],
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
