/** The places of the secrets that can be read in a text, with the escapes of URLs and JSON undone. */
export function secretsIn(
  text: string,
  planted: readonly { readonly place: string; readonly secret: string }[],
): string[] {
  let plain = text;
  try {
    plain += decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"));
  } catch {
    // Read as it is.
  }
  return planted.filter(({ secret }) => plain.includes(secret)).map(({ place }) => place);
}
