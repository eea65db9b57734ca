import { hitsHead } from "../map/hits_file/hits_head.ts";
import { hitsLines } from "../map/hits_file/hits_lines.ts";
import { concatBytes } from "../values/concat_bytes.ts";

/**
 * The lines of hits files that are of one of several APIs.
 *
 * @param name The name of the API; undefined for one that is measured alone.
 * @returns all lines if none names an API; undefined if all that do are of others.
 */
export function hitsOfApi(bytes: Uint8Array, name: string | undefined): Uint8Array | undefined {
  const lines = hitsLines(bytes).map((line) => ({ line, api: hitsHead(line)?.api }));
  if (lines.every(({ api }) => api === undefined)) return bytes;
  const own = lines.filter(({ api }) => api === name).map(({ line }) => line);
  return own.length === 0 ? undefined : concatBytes(own);
}
