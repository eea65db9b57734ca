/** The name that takes the fewest edits, in any case, or that holds what was written; undefined if none is close. */
export function nearestName(meant: string, names: Iterable<string>): string | undefined {
  const wanted = meant.toLowerCase();
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  let holding: string | undefined;
  for (const name of names) {
    const lower = name.toLowerCase();
    const edits = editsBetween(wanted, lower, least);
    if (edits < least) {
      least = edits;
      nearest = name;
    }
    if (wanted.length > 2 && lower.includes(wanted)) holding ??= name;
  }
  return nearest ?? holding;
}

/** The number of letters to add, leave out, change or swap; at most `most`. */
function editsBetween(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) >= most) return most;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    let least = row;
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let edits = Math.min(
        (last[column] ?? most) + 1,
        (next[column - 1] ?? most) + 1,
        (last[column - 1] ?? most) + (same ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      if (isSwap) edits = Math.min(edits, (before[column - 2] ?? most) + 1);
      next.push(edits);
      least = Math.min(least, edits);
    }
    if (least >= most) return most;
    before = last;
    last = next;
  }
  return Math.min(most, last[to.length] ?? most);
}
