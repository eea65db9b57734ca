/** The page of the repository that a workflow of GitHub builds; undefined elsewhere, where nobody knows of one. */
export function repositoryUrl(
  variables: (name: string) => string | undefined = (name) => Deno.env.get(name),
): string | undefined {
  const [server, repository] = [variables("GITHUB_SERVER_URL"), variables("GITHUB_REPOSITORY")];
  return server && repository ? `${server}/${repository}` : undefined;
}
