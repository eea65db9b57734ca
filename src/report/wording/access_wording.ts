import type { AccessCell } from "../../map/results.ts";
import { formatAmount, formatNumber, sentenceList } from "./amounts.ts";
import type { Report } from "../report.ts";

interface AccessGap {
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
  return ORDER.flatMap((asks) =>
    (access?.operations ?? []).flatMap(({ method, path, cells }) => {
      const identities = cells.filter((cell) => !hidden.has(cell.identity) && isUntried(cell, asks))
        .map(({ identity }) => identity);
      return identities.length === 0 ? [] : [{ method, path, asks, identities }];
    })
  );
}

function isUntried(cell: AccessCell, asks: AccessGap["asks"]): boolean {
  if (asks !== "refuse_foreign") {
    return cell.tried === false && cell.expected === (asks === "refuse" ? "refused" : "allowed");
  }
  return cell.expected_foreign === "refused" && cell.foreign_allowed + cell.foreign_refused === 0;
}

export function accessGapText({ asks, identities }: AccessGap): string {
  const are = identities.length === 1 ? "is" : "are";
  return `nobody tried that ${sentenceList(identities)} ${are} ${ASKED[asks]}`;
}

export function accessNotes({ access }: Pick<Report, "access">): readonly string[] {
  const { unknown = 0, hidden = 0, not_measured = [] } = access ?? {};
  const notes: string[] = [];
  if (hidden > 0) {
    const requests = hidden === 1
      ? "1 request doesn't show who sent it, as its"
      : `${formatNumber(hidden)} requests don't show who sent them, as their`;
    notes.push(
      `${requests} credentials are masked or not recorded. Record them with covtool, which writes the names of identities in the config file before it masks credentials, or measure a recording that has them.`,
    );
    if (not_measured.length > 0) {
      notes.push(`Not measured: what concerns ${sentenceList(not_measured)}.`);
    }
  }
  if (unknown > 0) {
    notes.push(`${formatAmount(unknown, "request")} had credentials of no identity.`);
  }
  return notes;
}
