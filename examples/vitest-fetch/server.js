import { createServer } from "node:http";
import { json } from "node:stream/consumers";

/** Starts the API with an empty list. */
export async function startServer(port = 0) {
  const todos = new Map();
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(todos, request);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise((resolve) => server.listen(port, resolve));
  return {
    origin: `http://localhost:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function answer(todos, request) {
  const url = new URL(request.url, "http://localhost");
  const id = Number(url.pathname.match(/^\/todos\/(\d+)$/)?.[1]);
  if (id > 0) return await answerOne(todos, id, request);
  if (url.pathname !== "/todos") return { status: 404 };
  if (request.method === "GET") {
    const limit = Number(url.searchParams.get("limit") ?? 50);
    if (!(limit >= 1 && limit <= 50)) return { status: 400, body: { message: "limit: 1 to 50" } };
    return { status: 200, body: [...todos.values()].slice(0, limit) };
  }
  const { title, due } = await json(request);
  if (!isTitle(title)) return { status: 400, body: { message: "title: 1 to 80 characters" } };
  const todo = { id: todos.size + 1, title, due, done: false };
  todos.set(todo.id, todo);
  return { status: 201, body: todo };
}

async function answerOne(todos, id, request) {
  const todo = todos.get(id);
  if (todo === undefined) return { status: 404, body: { message: "There is no such todo" } };
  if (request.method === "DELETE") {
    todos.delete(id);
    return { status: 204 };
  }
  if (request.method === "PATCH") {
    const { title = todo.title, done = todo.done } = await json(request);
    if (!isTitle(title)) return { status: 400, body: { message: "title: 1 to 80 characters" } };
    todos.set(id, { ...todo, title, done });
  }
  return { status: 200, body: todos.get(id) };
}

function isTitle(value) {
  return typeof value === "string" && value.length >= 1 && value.length <= 80;
}

if (process.argv[1] === import.meta.filename) await startServer(8080);
