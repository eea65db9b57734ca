/** Makes something when it is first asked for, and keeps it: several tests look at what one run wrote. */
export function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => made ??= make();
}
