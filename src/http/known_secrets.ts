import type { HttpRequest } from "./interaction.ts";

const SECRETS = new WeakMap<HttpRequest, readonly string[]>();

/**
 * Notes texts that a recording itself calls secret, whatever the request calls them: the values of an authorization, and
 * of variables that are kept secret. They are masked wherever the request and its response have them.
 *
 * @param secrets The same list for all requests of a recording saves work.
 */
export function noteSecrets(request: HttpRequest, secrets: readonly string[]): void {
  if (secrets.length > 0) SECRETS.set(request, secrets);
}

/** The texts that were noted for a request; undefined if there are none. */
export function knownSecrets(request: HttpRequest): readonly string[] | undefined {
  return SECRETS.get(request);
}
