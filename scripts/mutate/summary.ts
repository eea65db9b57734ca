import { describe, type Mutant, mutated } from "./mutant.ts";
import type { MutantResult } from "./try_mutant.ts";

export interface Judged {
  readonly room: string;
  readonly mutant: Mutant;
  readonly result: MutantResult;
  /** True if `equivalent.json` lists the mutant. */
  readonly isEquivalent: boolean;
}

export interface RoomSummary {
  readonly room: string;
  readonly mutants: number;
  /** Noticed by a failing test. */
  readonly killed: number;
  /** Noticed by a test that doesn't end. */
  readonly hung: number;
  /** Noticed by the type checker alone. */
  readonly types: number;
  readonly equivalent: number;
  readonly survived: number;
  readonly unreached: number;
  /** The share of noticed mutants among those that aren't equivalent, from 0 to 1. */
  readonly score: number;
}

/** Counts the results of a room's mutants. Mutants that can't be parsed don't count. */
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

/** Formats the summaries as a Markdown table. */
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

/** Formats a mutant: its place, its entry for `equivalent.json` without the reason, and the changed lines. */
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
