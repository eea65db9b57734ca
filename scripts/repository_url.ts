/** Returns the address of the repository in a GitHub workflow; undefined elsewhere, where it is unknown. */
export function repositoryUrl(
  variables: (name: string) => string | undefined = (name) => Deno.env.get(name),
): string | undefined {
  const [server, repository] = [variables("GITHUB_SERVER_URL"), variables("GITHUB_REPOSITORY")];
  return server && repository ? `${server}/${repository}` : undefined;
}
