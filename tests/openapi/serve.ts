/** Makes a fake `fetch` with a response for each URL, which records the requested URLs with their credentials. */
export function serve(
  answers: Readonly<Record<string, string | (() => Response | Promise<Response>)>>,
): { readonly fetch: typeof fetch; readonly asked: string[] } {
  const asked: string[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const url = String(input);
    const credentials = new Headers(init?.headers).get("authorization");
    asked.push(credentials === null ? url : `${url} ${credentials}`);
    const answer = answers[url];
    if (answer === undefined) return new Response(null, { status: 404 });
    return typeof answer === "string" ? new Response(answer) : await answer();
  };
  return { fetch, asked };
}
