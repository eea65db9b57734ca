// Sends the session with Deno's fetch, which reads the proxy and certificates from the environment:
//
//     deno run -A deno_client.ts h1|h2 http://localhost:1234 requests.json
import { print } from "../../../scripts/print.ts";
import { fetchSession } from "./fetch_session.ts";

const [version, base = "", path = ""] = Deno.args;
const client = version === "h1" ? Deno.createHttpClient({ http2: false }) : undefined;
const answers = await fetchSession(
  base,
  JSON.parse(await Deno.readTextFile(path)),
  (url, init) => fetch(url, { ...init, ...(client !== undefined && { client }) }),
);
print(JSON.stringify(answers));
client?.close();
