import { pathToUrl, readBoundedFile } from "../../files/files.ts";
import { MOST_BYTES } from "../../values/input_limits.ts";

/** Finds a file that belongs to a recording; undefined if there is none. */
export type FindFile = (name: string) => Promise<Uint8Array | undefined>;

/** The names that Playwright gives them: the SHA-1 of their bytes. A recording from elsewhere names nothing else. */
const NAME = /^[\da-f]{40}(?:\.\w{1,20})?$/;

/**
 * Finds the files that Playwright puts beside a HAR (`recordHar` with `content: "attach"`).
 *
 * @param path Where the recording is.
 */
export function filesBeside(path: string | URL): FindFile {
  return async (name) => {
    if (!NAME.test(name)) return undefined;
    try {
      return await readBoundedFile(new URL(name, pathToUrl(path)), { most: MOST_BYTES });
    } catch {
      // Said of the entry: its body does not come with the recording.
      return undefined;
    }
  };
}
