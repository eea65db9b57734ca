import { Ansis } from "ansis";

export interface OutputStream {
  readonly isTerminal: boolean;
  /** Columns of the terminal; undefined if it isn't a terminal or its width is unknown. */
  readonly columns: number | undefined;
  /** Writes a text; resolves when the stream can take the next. Writing to a closed pipe does nothing. */
  write(text: string): Promise<void>;
}

/** The process that a command runs in; tests replace it. */
export interface Host {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Gets nothing but a report that was requested for standard output. */
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  stdin(): AsyncIterable<Uint8Array>;
  /** The program as a module that workers can run; undefined if everything has to run in one thread. */
  readonly program?: URL;
  /** The time in milliseconds since 1970. */
  now(): number;
}

type Variables = Readonly<Record<string, string | undefined>>;

const DEFAULT_WIDTH = 80;

/** True for colored output: by the option, else NO_COLOR, else FORCE_COLOR (`0`, `false`: off), else for terminals. */
export function isColored(
  option: boolean | undefined,
  variables: Variables,
  stream: OutputStream | null,
): boolean {
  if (option !== undefined) return option;
  const { NO_COLOR, FORCE_COLOR, TERM } = variables;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") {
    return FORCE_COLOR !== "0" && FORCE_COLOR.toLowerCase() !== "false";
  }
  return stream?.isTerminal === true && TERM !== "dumb";
}

export interface TextLayout {
  readonly width: number;
  readonly colored: boolean;
  readonly colors: Ansis;
}

/** Returns the layout for a stream, null for files; `color` is the option of the command line. */
export function layoutFor(
  { variables, stderr }: Pick<Host, "variables" | "stderr">,
  color?: boolean,
  stream: OutputStream | null = stderr,
): TextLayout {
  const colored = isColored(color, variables, stream);
  return { width: outputWidth(variables, stream), colored, colors: new Ansis(colored ? 1 : 0) };
}

/** Returns the width of output in columns: of the terminal, else from COLUMNS, else 80. */
export function outputWidth(variables: Variables, stream: OutputStream | null): number {
  const variable = Number(variables["COLUMNS"]);
  const columns = stream?.columns ?? (Number.isInteger(variable) ? variable : 0);
  return columns > 0 ? columns : DEFAULT_WIDTH;
}
