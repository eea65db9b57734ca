import assert from "node:assert/strict";
import {
  apiLink,
  changedLink,
  enterApi,
  parseRoute,
  routeLink,
} from "../../../src/report/html/app/model/route.ts";

Deno.test("parseRoute() reads every target that routeLink() writes", () => {
  for (const target of ["GET:/users/{id}", "GET:?#%/a b", "X:/é/😀", "POST:/a?b=c&d", "GET:"]) {
    const link = routeLink("operation", target, { at: "2", open: "" });
    assert.match(link, /^#\/operation\/[^?#]*\?at=2$/);
    const route = parseRoute(link);
    assert.equal(route.view, "operation");
    assert.equal(route.target, target);
    assert.equal(route.query.get("at"), "2");
  }
});

Deno.test("routeLink() keeps a path readable", () =>
  assert.equal(
    routeLink("operation", "GET:/users/{id}:cancel"),
    "#/operation/GET:/users/{id}:cancel",
  ));

Deno.test("routeLink() replaces text that no link can have", () =>
  assert.equal(routeLink("operation", "GET:/\ud800"), "#/operation/GET:/%EF%BF%BD"));

Deno.test("parseRoute() reads an empty address as the overview, and keeps an invalid escape", () => {
  assert.equal(parseRoute("").view, "overview");
  assert.equal(parseRoute("#/").view, "overview");
  assert.equal(parseRoute("#/operation/GET:/50%").target, "GET:/50%");
});

Deno.test("changedLink() sets, replaces and removes entries of the query", () => {
  const route = parseRoute("#/operations?q=users&state=never");
  assert.equal(changedLink(route, { q: "", by: "path" }), "#/operations?state=never&by=path");
  assert.equal(changedLink(route, { q: "", state: "" }), "#/operations");
});

Deno.test("parseRoute() separates the API from the view, whatever the API's name", () => {
  for (const name of ["Shop", "a/b?c#d~", "Über 100 %", "~"]) {
    assert.deepEqual([parseRoute(apiLink(name)).api, parseRoute(apiLink(name)).view], [
      name,
      "overview",
    ]);
    enterApi(name);
    const route = parseRoute(routeLink("operation", "GET:/a", { at: "2" }));
    enterApi("");
    assert.deepEqual([route.api, route.view, route.target], [name, "operation", "GET:/a"]);
    assert.equal(parseRoute(changedLink(route, { at: "" })).api, name);
  }
  assert.equal(parseRoute("#/operations").api, "");
});
