import { AuthoritiesError } from "../files/authorities.ts";
import { TemporaryFolderError } from "../files/make_temporary_folder.ts";
import { missingPermission } from "../files/missing_permission.ts";
import { OverwriteError } from "../files/output_guard.ts";
import { maskText } from "../redact/mask_text.ts";
import { Redactor } from "../redact/redactor.ts";
import { nameKind } from "../redact/secret_names.ts";
import { plainText, withoutCommands } from "../report/text/plain_text.ts";
import { wrapText } from "../report/text/text_width.ts";
import {
  DescriptionError,
  type ErrorDetails,
  isStackOverflow,
  RecordingError,
} from "../values/errors.ts";
import { CommandError } from "./command_error.ts";
import type { Host } from "./host.ts";

/** An error as `--errors json` prints it. */
export interface PrintedError {
  /** A stable code for the kind of error, or the system's code, such as `ENOENT`. */
  readonly code: string;
  readonly sentence: string;
  readonly what_to_do?: string;
  /** Lines and columns are counted from 1. */
  readonly at?: { readonly file: string; readonly line?: number; readonly column?: number };
}

/** Errors whose messages are for the user, with codes for errors that have none themselves. */
const CODES = [
  [CommandError, "failed"],
  [OverwriteError, "overwrite"],
  [DescriptionError, "description"],
  [RecordingError, "recording"],
  [AuthoritiesError, "authorities"],
  [TemporaryFolderError, "temporary_folder"],
] as const;

/** Returns the message to show to the user for an error: sentences, never a stack trace. */
export function errorSentences(error: unknown): string {
  return readError(error).message;
}

export function describeError(error: unknown): PrintedError {
  const { code, message } = readError(error);
  const { cause } = error as { readonly cause?: unknown };
  const sources = [(error as Partial<CommandError>).details, error, cause].map((from) =>
    (from ?? {}) as Partial<ErrorDetails>
  );
  const ownCode = sources.map((from) => from.code).find((name) => typeof name === "string");
  const { location: file, line, column } = sources.find(({ location }) => location !== undefined) ??
    {};
  // Every message says first what is wrong, then what to do.
  const [, sentence = message, advice] = /^(.*?[.?!]["')]?) ([A-Z].*)$/s.exec(message) ?? [];
  return {
    code: ownCode ?? code,
    sentence: sanitizeMessage(sentence),
    ...(advice !== undefined && { what_to_do: sanitizeMessage(advice) }),
    ...(file !== undefined && {
      at: {
        file: sanitizeMessage(file),
        ...(line !== undefined && { line }),
        ...(column !== undefined && { column }),
      },
    }),
  };
}

function readError(error: unknown): { readonly code: string; readonly message: string } {
  for (const [type, code] of CODES) {
    if (error instanceof type) return { code, message: error.message };
  }
  const permission = missingPermission(error);
  if (permission !== undefined) return { code: "permission", message: permission };
  if (isStackOverflow(error)) {
    return { code: "too_deep", message: "An input file is nested too deeply for covtool." };
  }
  const details = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const message =
    `Internal error in covtool (${details}). Please report it, with the input files if possible.`;
  return { code: "internal", message };
}

const redactor = new Redactor();

/** Matches a user and password before a host in a text that isn't a complete URL. */
const LOGIN = /(?<=^|[\s"'(/])[^\s"'/:@()]{1,200}:[^\s"'/@]{1,200}(?=@[\w[])/g;
const NAMED_VALUE = /([\w.-]{1,100})=([^\s&"'#,;()]+)/g;

/** Prints sentences on standard error, one per line. Each may end with a list. */
export async function printSentences(host: Host, sentences: readonly string[]): Promise<void> {
  const lines = sentences.flatMap((sentence) => messageLines(sentence, Infinity));
  await host.stderr.write(withoutCommands(lines.map((line) => `${line}\n`).join("")));
}

/** Wraps a message, which may end with a list, to lines of a terminal. */
export function messageLines(text: string, width: number): string[] {
  // Other line feeds come from names that the message quotes.
  const [sentence = "", ...items] = text.split("\n- ");
  return [
    ...wrapText(sanitizeMessage(sentence), width),
    ...items.flatMap((item) =>
      wrapText(sanitizeMessage(item), width - 2).map((line, at) =>
        `${at === 0 ? "- " : "  "}${line}`
      )
    ),
  ];
}

/** Removes control characters from a message, and masks the passwords, tokens and keys that it quotes. */
export function sanitizeMessage(text: string): string {
  return plainText(
    redactor.sentence(text).replace(LOGIN, (login) => maskText(login)).replace(
      NAMED_VALUE,
      (written, name: string, value: string) =>
        nameKind(name) === "secret" ? `${name}=${maskText(value)}` : written,
    ),
  );
}
