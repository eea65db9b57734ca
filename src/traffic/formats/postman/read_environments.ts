import { RecordingError } from "../../../values/errors.ts";
import { fileErrorSentence, readTextFile } from "../../../files/files.ts";
import { JsonSyntaxError, parseJson } from "../../../values/parse_json.ts";
import { readPostmanEnvironments } from "./postman_environment.ts";
import type { PostmanValues } from "./postman_variables.ts";

/** An environment or the globals of Postman: a file, or what was parsed of one, or an object with a value for each name. */
export type PostmanEnvironment = string | URL | Readonly<Record<string, unknown>>;

/**
 * Reads environments and globals of Postman from their files; of those that have a name, the last one counts.
 *
 * @throws {RecordingError} if one cannot be read or isn't an environment.
 */
export async function readEnvironments(
  env: PostmanEnvironment | readonly PostmanEnvironment[],
): Promise<PostmanValues> {
  const files: (readonly [unknown, string])[] = [];
  for (const one of asList(env)) {
    files.push(
      typeof one === "string" || one instanceof URL
        ? [await readJsonFile(one), String(one)]
        : [one, "the environment"],
    );
  }
  return readPostmanEnvironments(files);
}

/** One or several as a list. */
export function asList<Item>(items: Item | readonly Item[]): readonly Item[] {
  return Array.isArray(items) ? items : [items as Item];
}

async function readJsonFile(path: string | URL): Promise<unknown> {
  const location = String(path);
  let text: string;
  try {
    text = await readTextFile(path);
  } catch (cause) {
    throw new RecordingError(fileErrorSentence(cause), { code: "unreadable", location, cause });
  }
  try {
    return parseJson(text);
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    const { line, column } = cause;
    throw new RecordingError(
      `This is not JSON: ${cause.message} Export the environment from Postman.`,
      { code: "syntax", location, line, column, cause },
    );
  }
}
