import { lineBreak, type Message, message, text } from "@optique/core/message";

/** What stands below the help of a command: how it is called. */
export function commandExamples(lines: readonly string[]): Message {
  return message`Examples:${lines.flatMap((line) => [lineBreak(), text(`  ${line}`)])}`;
}
