import { strFromU8, unzipSync } from "fflate";
import { RecordingError } from "../../../values/errors.ts";
import { checkComplexity, InputLimitError, MAX_BYTES } from "../../../values/input_limits.ts";
import { parseJson } from "../../../values/parse_json.ts";
import type { Attachments } from "../recording.ts";
import { requestFile, responseFile } from "./har_messages.ts";

/** Resource forks, which macOS puts next to the files of a zip. */
const FORK = /(?:^|\/)\._[^/]*$/;

/** Reads a zip of Playwright (`recordHar`), or of several archives: HTTP Archives with the bodies that they refer to. */
export function* readHarZip(
  bytes: Uint8Array,
  location: string,
  isHar: (value: unknown) => boolean,
): Generator<readonly [archive: unknown, attachments: Attachments]> {
  const names: string[] = [];
  const archives = Object.entries(unzip(bytes, location, (name) => {
    names.push(name);
    return name.endsWith(".har") && !FORK.test(name);
  }));
  if (archives.length === 0) {
    throw new RecordingError(
      `The zip holds no HTTP Archive: expected a file \`har.har\`, found ${
        names.length === 0 ? "nothing" : names.slice(0, 5).join(", ")
      }.`,
      { code: "unknown_format", location },
    );
  }
  for (const [name, archive] of archives) {
    const value = parseArchive(name, archive, location);
    if (!isHar(value)) {
      throw new RecordingError(
        `${name} in the zip is not an HTTP Archive: it has no object \`log\` with a list \`entries\`.`,
        { code: "unknown_format", location },
      );
    }
    const folder = name.slice(0, name.lastIndexOf("/") + 1);
    const bodies = unzipBodies(bytes, location, folder, value);
    // A file may have the name of an inherited property.
    yield [
      value,
      (file) => Object.hasOwn(bodies, folder + file) ? bodies[folder + file] : undefined,
    ];
  }
}

function parseArchive(name: string, archive: Uint8Array, location: string): unknown {
  try {
    const text = strFromU8(archive).replace(/^\ufeff/, "");
    checkComplexity(text, "json");
    return parseJson(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new RecordingError(`The JSON of ${name} in the zip is broken: ${cause.message}`, {
      code: "syntax",
      location,
      cause,
    });
  }
}

function unzipBodies(
  bytes: Uint8Array,
  location: string,
  folder: string,
  archive: unknown,
): Readonly<Record<string, Uint8Array>> {
  const sent = attachedFiles(archive, requestFile);
  const received = attachedFiles(archive, responseFile);
  if (sent.size + received.size === 0) return {};
  let room = MAX_BYTES;
  return {
    ...unzip(bytes, location, (file, size) => {
      const isWanted = sent.has(file.slice(folder.length));
      if (isWanted) room -= size;
      return isWanted;
    }),
    ...unzip(bytes, location, (file, size) => {
      const name = file.slice(folder.length);
      if (!received.has(name) || sent.has(name) || size > room) return false;
      room -= size;
      return true;
    }),
  };
}

function unzip(
  bytes: Uint8Array,
  location: string,
  isWanted: (name: string, size: number) => boolean,
): Readonly<Record<string, Uint8Array>> {
  let unpacked = 0;
  try {
    return unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!isWanted(name, originalSize)) return false;
        unpacked += originalSize;
        if (unpacked <= MAX_BYTES) return true;
        throw new InputLimitError(
          `The recording in the zip has more than ${
            MAX_BYTES / 2 ** 20
          } MiB when it is unpacked. Record less in it.`,
        );
      },
    });
  } catch (cause) {
    if (cause instanceof InputLimitError) throw cause;
    throw new RecordingError(
      `The zip cannot be read: ${
        cause instanceof Error ? cause.message : String(cause)
      }. Download or compress it again.`,
      { code: "unreadable", location, cause },
    );
  }
}

function attachedFiles(
  archive: unknown,
  attachedFile: (entry: unknown) => string | undefined,
): ReadonlySet<string> {
  const { log } = archive as { readonly log: { readonly entries: readonly unknown[] } };
  return new Set(log.entries.flatMap((entry) => attachedFile(entry) ?? []));
}
