import assert from "node:assert/strict";
import { startCommand } from "../cli/running_command.ts";
import { inFolder } from "../in_folder.ts";
import { needing } from "../requirement.ts";
import { PYTHON, PYTHON_VARIABLES, pythonHas } from "./python_project.ts";

const BOOK = '{"id": 1, "title": "Momo"}';
const NONE = '{"message": "none"}';

/** Applications with a function `get`, which gives a test the status and the body. */
const APPLICATIONS = {
  flask: `import flask
app = flask.Flask(__name__)
@app.get("/books/<int:id>")
def book(id):
    return (${NONE}, 404) if id == 9 else ${BOOK}
def get(path):
    answer = app.test_client().get(path)
    return answer.status_code, answer.json
`,
  django: `import django
from django.conf import settings
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"])
django.setup()
from django.http import JsonResponse
from django.test import Client
from django.urls import path
def book(request, id):
    return JsonResponse(${NONE}, status=404) if id == 9 else JsonResponse(${BOOK})
urlpatterns = [path("books/<int:id>", book)]
def get(path):
    answer = Client().get(path)
    return answer.status_code, answer.json()
`,
  aiohttp: `import asyncio
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer
async def book(request):
    is_one = request.match_info["id"] == "1"
    return web.json_response(${BOOK}) if is_one else web.json_response(${NONE}, status=404)
def get(path):
    async def call():
        app = web.Application()
        app.router.add_get("/books/{id}", book)
        async with TestClient(TestServer(app)) as client:
            answer = await client.get(path)
            return answer.status, await answer.json()
    return asyncio.run(call())
`,
  httpx: `import httpx
def book(request):
    is_one = request.url.path == "/books/1"
    return httpx.Response(200, json=${BOOK}) if is_one else httpx.Response(404, json=${NONE})
def get(path):
    with httpx.Client(transport=httpx.MockTransport(book)) as client:
        answer = client.get("http://test" + path)
        return answer.status_code, answer.json()
`,
  "starlette.testclient": `from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient
async def book(request):
    is_one = request.path_params["id"] == "1"
    return JSONResponse(${BOOK}) if is_one else JSONResponse(${NONE}, status_code=404)
client = TestClient(Starlette(routes=[Route("/books/{id}", book)]))
def get(path):
    answer = client.get(path)
    return answer.status_code, answer.json()
`,
} as const;

const TESTS = `
def test_reads():
    assert get("/books/1")[1]["title"] == "Momo"
def test_asserts_nothing():
    get("/books/1")
def test_finds_none():
    assert get("/books/9")[0] == 404
`;

const MODULES = Object.keys(APPLICATIONS);

Deno.test({
  ...needing(
    {
      isMet: pythonHas(["pytest", ...MODULES].join()),
      reason: `no Python with ${MODULES.join()}; install tests/recorders/python/requirements.txt`,
    },
    `covtool mutate changes what tests in Python get from ${MODULES.join(", ")}`,
  ),
  async fn() {
    // Each application has an operation of its own, so that each part is noticed by its own tests.
    const suites = Object.entries(APPLICATIONS).map(([module, application]) => {
      const name = module.replace(/\..*/, "");
      return [name, (application + TESTS).replaceAll("books/", `${name}/`)] as const;
    });
    const content = (schema: object) => ({ "application/json": { schema } });
    const one = content({ type: "object", properties: { id: {}, title: {} } });
    const responses = {
      200: { description: "One.", content: one },
      404: { description: "None.", content: content({ type: "object" }) },
    };
    const files = {
      "books.json": JSON.stringify({
        openapi: "3.1.0",
        info: { title: "Books", version: "1" },
        paths: Object.fromEntries(
          suites.map(([name]) => [`/${name}/{id}`, { get: { responses } }]),
        ),
      }),
      ...Object.fromEntries(suites.map(([name, suite]) => [`test_${name}.py`, suite])),
    };
    await inFolder(files, async (folder) => {
      const pytest = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:django"];
      const command = startCommand(folder, [
        ...["mutate", "books.json", "--format", "json=report.json"],
        ...["--", PYTHON, ...pytest],
      ], PYTHON_VARIABLES);
      assert.equal(await command.ended(), 0, command.err());
      const { noticed } = JSON.parse(await Deno.readTextFile(`${folder}/report.json`));
      const expected = (name: string) =>
        [
          ["200 status", "unnoticed"],
          ["200 body", "noticed", `test_${name}.py::test_reads`],
          ["200 property id", "unnoticed"],
          ["200 property title", "noticed", `test_${name}.py::test_reads`],
          ["404 status", "noticed", `test_${name}.py::test_finds_none`],
          ["404 body", "unnoticed"],
        ].map((part) => [`/${name}/{id}`, ...part]);
      assert.deepEqual(
        noticed.map((part: Record<string, unknown>) => [
          part["path"],
          `${part["status_code"]} ${part["part"]} ${part["name"] ?? ""}`.trim(),
          part["state"],
          ...part["noticed_by"] as string[] ?? [],
        ]),
        suites.flatMap(([name]) => expected(name)),
      );
    });
  },
});
