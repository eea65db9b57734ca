/** Makes a value on first use and keeps it, so that several tests can check the output of one run. */
export function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => made ??= make();
}
