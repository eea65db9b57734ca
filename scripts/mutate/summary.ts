import { describe, type Mutant, mutated } from "./mutant.ts";
import type { MutantResult } from "./try_mutant.ts";

/** A mutant of a room, and what became of it. */
export interface Judged {
  readonly room: string;
  readonly mutant: Mutant;
  readonly result: MutantResult;
  /** Whether it is listed as equivalent. */
  readonly isEquivalent: boolean;
}

/** The numbers of a room. */
export interface RoomSummary {
  readonly room: string;
  readonly mutants: number;
  /** By a failing test. */
  readonly killed: number;
  /** By a test that doesn't end. */
  readonly hung: number;
  /** By the type checker alone. */
  readonly types: number;
  readonly equivalent: number;
  readonly survived: number;
  readonly unreached: number;
  /** Noticed ones among those that aren't equivalent, from 0 to 1. */
  readonly score: number;
}

/** Sums up what became of the mutants of a room. Those that can't be parsed don't count. */
export function summarize(room: string, judged: readonly Judged[]): RoomSummary {
  const own = judged.filter((entry) => entry.room === room && entry.result.status !== "invalid");
  const count = (status: MutantResult["status"], isEquivalent = false) =>
    own.filter((entry) => entry.result.status === status && entry.isEquivalent === isEquivalent)
      .length;
  const noticed = (status: MutantResult["status"]) => count(status) + count(status, true);
  const numbers = {
    killed: noticed("killed"),
    hung: noticed("hung"),
    types: noticed("types"),
    equivalent: count("survived", true) + count("unreached", true),
    survived: count("survived"),
    unreached: count("unreached"),
  };
  const counted = own.length - numbers.equivalent;
  const score = (numbers.killed + numbers.hung + numbers.types) / counted;
  return { room, mutants: own.length, ...numbers, score: counted === 0 ? 1 : score };
}

/** The table of rooms, in Markdown. */
export function table(rooms: readonly RoomSummary[]): string {
  const head = [
    ...["part", "mutants", "killed", "hung", "types", "equivalent", "survived", "unreached"],
    "score",
  ];
  const rows = rooms.map((room) => [
    `\`${room.room}\``,
    ...[room.mutants, room.killed, room.hung, room.types, room.equivalent],
    ...[room.survived, room.unreached, `${(Math.floor(room.score * 1000) / 10).toFixed(1)} %`],
  ]);
  const lines = [head, head.map((_, index) => index === 0 ? "---" : "--:"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A mutant for people: where it is, its entry for `equivalent.json` but the reason, and the lines that change. */
export function showMutant(mutant: Mutant, text: string, status: string): string {
  const { line, original, replacement } = describe(mutant, text);
  const first = mutant.start.line;
  const before = text.split("\n");
  const after = mutated(text, mutant).split("\n");
  const last = mutant.end.line + 1;
  const cut = (lines: readonly string[]) => lines.length > 8 ? [...lines.slice(0, 7), "…"] : lines;
  const entry = { file: mutant.file, line, original, replacement, reason: "" };
  return [
    `${status}: ${mutant.file}:${first + 1} ${mutant.kind} ${mutant.id}`,
    ...cut(before.slice(first, last)).map((line) => `- ${line}`),
    ...cut(after.slice(first, last + after.length - before.length)).map((line) => `+ ${line}`),
    `  ${JSON.stringify(entry)}`,
  ].join("\n");
}
