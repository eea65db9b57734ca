// Sends the session with fetch on Node.js and the proxy agent of undici, which reads the proxy from the environment:
//
//     node node_client.mjs h1|h2 http://localhost:1234 requests.json
import { readFileSync } from "node:fs";
import process from "node:process";
import { EnvHttpProxyAgent, fetch as fetchWith } from "undici-7";
import { fetchSession } from "./fetch_session.ts";

const [version, base = "", path = ""] = process.argv.slice(2);
const allowH2 = version === "h2";
const agent = new EnvHttpProxyAgent({ allowH2, requestTls: { allowH2 } as object });
// Unlike the fetch of Node.js 20, undici's can resend a body after a redirect.
const fetcher = fetchWith as unknown as (url: string, init: unknown) => Promise<Response>;
const answers = await fetchSession(
  base,
  JSON.parse(readFileSync(path, "utf8")),
  (url, init) => fetcher(url, { ...init, dispatcher: agent }),
);
process.stdout.write(JSON.stringify(answers));
await agent.close();
