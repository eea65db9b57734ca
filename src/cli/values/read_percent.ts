const NUMBER = /^(\d+(?:\.\d*)?|\.\d+)\s*%?$/;

/** A percentage from 0 to 100 (`80`, `99.5`, `80%`); undefined for any other text. */
export function readPercent(text: string): number | undefined {
  const value = Number(NUMBER.exec(text.trim())?.[1] ?? Number.NaN);
  return value <= 100 ? value : undefined;
}
