import assert from "node:assert/strict";
import { inFolder } from "../in_folder.ts";
import { needing } from "../requirement.ts";
import { needsPython, PYTEST, PYTHON_COMMAND } from "./python_project.ts";
import { bookVerdicts, describeBooks, mutate } from "./recorded_suite.ts";

const BOOK = '{"id": 1, "title": "Momo"}';
const NONE = '{"message": "none"}';

/** Applications with a function `get` that returns the status and the body. */
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
    needsPython(["pytest", ...MODULES].join(", ")),
    `covtool mutate changes the responses that Python tests get from ${MODULES.join(", ")}`,
  ),
  async fn() {
    const suites = Object.entries(APPLICATIONS).map(([module, application]) => {
      const name = module.replace(/\..*/, "");
      return [name, (application + TESTS).replaceAll("books/", `${name}/`)] as const;
    });
    const files = {
      "openapi.yaml": describeBooks(suites.map(([name]) => name)),
      ...Object.fromEntries(suites.map(([name, suite]) => [`test_${name}.py`, suite])),
    };
    await inFolder(files, async (folder) => {
      assert.deepEqual(
        Object.entries(await mutate(folder, [...PYTHON_COMMAND, ...PYTEST])),
        suites.flatMap(([name]) => {
          const test = `test_${name}.py::test`;
          return bookVerdicts(name, `${test}_reads`, `${test}_finds_none`);
        }),
      );
    });
  },
});
