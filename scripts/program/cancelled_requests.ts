import { type Outcome, outcomeOf } from "./outcome.ts";

/** Cancels 2,000 requests over HTTP/2 at once, which Deno 2.7 by itself does not outlive; then asks for one more. */
const CLIENT = `
  import { connect } from "node:net";
  import { connect as connectTls } from "node:tls";
  const proxy = new URL(Deno.env.get("HTTP_PROXY"));
  const server = Deno.serve({ port: 0, onListen: () => {} }, () => new Response("[]"));
  const socket = connect(Number(proxy.port), proxy.hostname);
  socket.write("CONNECT localhost:" + server.addr.port + " HTTP/1.1\\r\\n\\r\\n");
  await new Promise((resolve) => socket.once("data", resolve));
  const secure = connectTls({ socket, rejectUnauthorized: false, ALPNProtocols: ["h2"] });
  await new Promise((resolve) => secure.once("secureConnect", resolve));
  const frames = [...new TextEncoder().encode("PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n"), 0, 0, 0, 4, 0, 0, 0, 0, 0];
  for (let id = 1; id < 4000; id += 2) {
    frames.push(0, 0, 6, 1, 5, 0, 0, id >> 8, id & 255, 0x82, 0x84, 0x87, 0x01, 1, 0x78);
    frames.push(0, 0, 4, 3, 0, 0, 0, id >> 8, id & 255, 0, 0, 0, 8);
  }
  secure.on("error", () => {});
  const closed = new Promise((resolve) => secure.once("close", resolve));
  secure.resume();
  secure.write(Uint8Array.from(frames));
  await closed;
  const response = await fetch("http://127.0.0.1:" + server.addr.port + "/api/v1/books");
  await response.text();
  Deno.exit(response.status === 200 ? 3 : 4);
`;

/** Exit code of a program whose client cancels thousands of requests at once: 3 if it keeps running. */
export async function cancelRequests(
  program: string,
  options: { readonly root: string; readonly folder: string },
): Promise<Outcome> {
  const args = ["proxy", "examples/bookshop/openapi.yaml", "--port", "0", "--format", "json"];
  return await outcomeOf(program, [...args, "--", Deno.execPath(), "eval", CLIENT], options);
}
