const encoder = new TextEncoder();

/** Writes a line to standard output. */
export function print(line: string): void {
  const bytes = encoder.encode(line + "\n");
  for (let offset = 0; offset < bytes.length;) {
    offset += Deno.stdout.writeSync(bytes.subarray(offset));
  }
}

/** Prints the problems a check found, one per line, and exits: with 1 if there are any. */
export function finish(name: string, problems: readonly string[]): never {
  for (const problem of problems) print(problem);
  print(problems.length === 0 ? `${name}: ok` : `${name}: ${problems.length} to mend`);
  Deno.exit(problems.length === 0 ? 0 : 1);
}
