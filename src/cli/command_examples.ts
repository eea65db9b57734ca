import { lineBreak, type Message, message, text } from "@optique/core/message";

/** The examples below the help of a command. */
export function commandExamples(lines: readonly string[]): Message {
  return message`Examples:${lines.flatMap((line) => [lineBreak(), text(`  ${line}`)])}`;
}
