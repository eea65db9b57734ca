import { formatAmount, sentenceList } from "./amounts.ts";
import type { Report, ReportAccess } from "../report.ts";

export interface AccessGap {
  readonly method: string;
  readonly path: string;
  /** The expected behaviour: refuse identities, refuse them the objects of others, or let them in. */
  readonly asks: "refuse" | "refuse_foreign" | "allow";
  readonly identities: readonly string[];
}

const ORDER = ["refuse", "refuse_foreign", "allow"] as const;
const ASKED = { refuse: "refused", refuse_foreign: "refused objects of others", allow: "let in" };

/** Expectations that no request tried. Refusals come first, because missing ones go unnoticed. */
export function accessGaps({ access }: Pick<Report, "access">): readonly AccessGap[] {
  const hidden = new Set(access?.not_measured);
  const all = (access?.operations ?? []).flatMap(({ method, path, cells }) => {
    const open = cells.filter(({ identity }) => !hidden.has(identity));
    return ORDER.map((asks): AccessGap => ({
      method,
      path,
      asks,
      identities: open.filter((cell) => isOpen(cell, asks)).map(({ identity }) => identity),
    }));
  }).filter(({ identities }) => identities.length > 0);
  return ORDER.flatMap((asks) => all.filter((gap) => gap.asks === asks));
}

type Cell = ReportAccess["operations"][number]["cells"][number];

function isOpen(cell: Cell, asks: AccessGap["asks"]): boolean {
  if (asks !== "refuse_foreign") {
    return cell.tried === false && cell.expected === (asks === "refuse" ? "refused" : "allowed");
  }
  return cell.expected_foreign === "refused" && cell.foreign_allowed + cell.foreign_refused === 0;
}

export function accessGapText({ asks, identities }: AccessGap): string {
  const are = identities.length === 1 ? "is" : "are";
  return `nobody tried that ${sentenceList(identities)} ${are} ${ASKED[asks]}`;
}

/** Sentences on what is known about the senders of requests. */
export function accessNotes({ access }: Pick<Report, "access">): readonly string[] {
  const { unknown = 0, hidden = 0, not_measured = [] } = access ?? {};
  return [
    ...(hidden === 0 ? [] : [
      `${
        formatAmount(hidden, "request")
      } don't show who sent them, as their credentials are masked or not recorded. Record them with covtool, which writes the names of identities in the config file before it masks credentials, or measure a recording that has them.`
        .replace(
          /^(1 request) don't show who sent them, as their/,
          "$1 doesn't show who sent it, as its",
        ),
    ]),
    ...(not_measured.length === 0 || hidden === 0
      ? []
      : [`Not measured: what concerns ${sentenceList(not_measured)}.`]),
    ...(unknown === 0
      ? []
      : [`${formatAmount(unknown, "request")} had credentials of no identity.`]),
  ];
}
