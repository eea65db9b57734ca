import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const page = readFileSync(new URL("index.html", import.meta.url));
const notes = new Map();
let last = 0;

createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  const id = Number(pathname.match(/^\/api\/notes\/(\d+)$/)?.[1]);
  const send = (status, body) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };

  if (pathname === "/") {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(page);
  } else if (pathname === "/api/notes" && request.method === "GET") {
    send(200, [...notes.values()]);
  } else if (pathname === "/api/notes" && request.method === "POST") {
    const { text: given, colour = "yellow" } = JSON.parse(await text(request));
    if (!given || given.length > 140) return send(400, { message: "text: 1 to 140 characters" });
    const note = { id: ++last, text: given, colour };
    notes.set(note.id, note);
    send(201, note);
  } else if (!notes.has(id)) {
    send(404, { message: "There is no such note" });
  } else if (request.method === "PUT") {
    notes.set(id, { ...notes.get(id), text: await text(request) });
    send(200, notes.get(id));
  } else {
    notes.delete(id);
    send(204);
  }
}).listen(8087);
