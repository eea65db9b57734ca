import { AuthoritiesError } from "../files/authorities.ts";
import { TemporaryFolderError } from "../files/make_temporary_folder.ts";
import { missingPermission } from "../files/missing_permission.ts";
import { OverwriteError } from "../files/output_guard.ts";
import { maskText } from "../redact/mask_text.ts";
import { Redactor } from "../redact/redactor.ts";
import { nameKind } from "../redact/secret_names.ts";
import { plainText } from "../report/text/plain_text.ts";
import { DescriptionError, isStackOverflow, RecordingError } from "../values/errors.ts";
import { CommandError } from "./command_error.ts";

/** The message to show to the user for an error: sentences, never a stack trace. */
export function errorSentences(error: unknown): string {
  if (
    error instanceof CommandError || error instanceof OverwriteError ||
    error instanceof DescriptionError || error instanceof AuthoritiesError ||
    error instanceof RecordingError || error instanceof TemporaryFolderError
  ) {
    return error.message;
  }
  const permission = missingPermission(error);
  if (permission !== undefined) return permission;
  if (isStackOverflow(error)) {
    return "An input file is nested too deeply for covtool.";
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `Internal error in covtool (${what}). Please report it, with the input files if possible.`;
}

const redactor = new Redactor();

/** A user and a password before a host, where what stands before them makes no URL of it. */
const LOGIN = /(?<=^|[\s"'(/])[^\s"'/:@()]{1,200}:[^\s"'/@]{1,200}(?=@[\w[])/g;
const NAMED = /([\w.-]{1,100})=([^\s&"'#,;()]+)/g;

/**
 * Text of covtool's own for a terminal or a log: without control characters, and without the passwords and tokens of
 * URLs and keys that it quotes.
 */
export function sanitizeMessage(text: string): string {
  return plainText(
    redactor.sentence(text).replace(LOGIN, (login) => maskText(login)).replace(
      NAMED,
      (written, name: string, value: string) =>
        nameKind(name) === "secret" ? `${name}=${maskText(value)}` : written,
    ),
  );
}
