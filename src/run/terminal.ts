import type { OutputStream } from "./host.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const DEFAULT_WIDTH = 80;

/**
 * Decides on colours for a stream: `--color` or `--no-color` if given; else NO_COLOR, which switches off when it is not
 * empty; else FORCE_COLOR, which switches on unless it is `0` or `false`; else on if the stream is a terminal that is
 * not `dumb`.
 */
export function isColored(
  option: boolean | undefined,
  variables: Variables,
  stream: OutputStream | undefined,
): boolean {
  if (option !== undefined) return option;
  const { NO_COLOR, FORCE_COLOR, TERM } = variables;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") {
    return FORCE_COLOR !== "0" && FORCE_COLOR.toLowerCase() !== "false";
  }
  return stream?.isTerminal === true && TERM !== "dumb";
}

/** Columns to lay text out in: the terminal's, else those of COLUMNS, else 80. */
export function outputWidth(variables: Variables, stream: OutputStream | undefined): number {
  const told = Number(variables["COLUMNS"]);
  const columns = stream?.columns ?? (Number.isInteger(told) ? told : 0);
  return columns > 0 ? columns : DEFAULT_WIDTH;
}
