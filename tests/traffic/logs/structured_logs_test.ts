import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readLog } from "./read_log.ts";

const FOLDER = new URL("../../fixtures/recordings/access-logs/", import.meta.url);

Deno.test("a list of Kubernetes audit events is read too", async () => {
  const items = readFileSync(new URL("documented_kubernetes_audit.jsonl", FOLDER), "utf8").trim()
    .split("\n").map((line) => JSON.parse(line));
  const list = { kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {}, items };
  assert.equal((await readLog(JSON.stringify(list))).lines.length, 6);
});

Deno.test("verbs and levels of audit events may have names of object members", async () => {
  const events = ["constructor", "__proto__", "toString"].map((name) =>
    JSON.stringify({
      ...{ apiVersion: "audit.k8s.io/v1", auditID: "1", requestURI: "/api", verb: name },
      ...{ level: name, responseStatus: { code: 200 } },
    })
  );
  const { lines, interactions } = await readLog(events.join("\n"));
  assert.deepEqual(lines, ["CONSTRUCTOR /api 200", "__PROTO__ /api 200", "TOSTRING /api 200"]);
  for (const { visibility } of interactions) assert.equal(visibility?.path_parameters, true);
});

function exported(span: Readonly<Record<string, unknown>>, attributes: Record<string, unknown>) {
  const list = Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }));
  const resource = {
    attributes: [{ key: "service.name", value: { stringValue: span["service"] } }],
  };
  return JSON.stringify({
    resourceSpans: [{ resource, scopeSpans: [{ spans: [{ ...span, attributes: list }] }] }],
  });
}

Deno.test("client spans count if there is no server span, and once if there is one", async () => {
  const asked = { "http.request.method": "GET", "url.full": "http://a.example/b" };
  const client = (id: string, service = "tests") =>
    exported({ kind: 3, spanId: id, parentSpanId: "", service }, asked);
  const server = exported(
    { kind: "SPAN_KIND_SERVER", spanId: "s", parentSpanId: "c1", service: "shop" },
    { "http.method": "GET", "http.target": "/b", "http.status_code": 200 },
  );
  const other = exported({ kind: 1, spanId: "i", service: "shop" }, { "db.system": "sqlite" });
  const { lines } = await readLog([client("c2"), server, client("c1"), other].join("\n"));
  assert.deepEqual(lines, ["GET http://a.example/b -", "GET /b 200"]);
  const reversed = await readLog([client("c1"), server].join("\n"));
  assert.equal(reversed.lines.length, 1);
  const outgoing = await readLog([server, client("c9", "shop")].join("\n"));
  assert.deepEqual(outgoing.lines, ["GET /b 200"]);
});

Deno.test("requests of several server spans below one span count each", async () => {
  const client = exported({ kind: 3, spanId: "c1", service: "tests" }, { "http.method": "GET" });
  const servers = ["/a", "/b", "/c"].map((target) =>
    exported(
      { kind: 2, spanId: target, parentSpanId: "c1", service: "shop" },
      { "http.method": "GET", "http.target": target },
    )
  );
  const { lines } = await readLog(servers.join("\n"));
  assert.deepEqual(lines, ["GET /a -", "GET /b -", "GET /c -"]);
  // A redirect or another attempt within the span of the client.
  assert.deepEqual((await readLog([...servers, client].join("\n"))).lines, lines);
});

Deno.test("a span with a route but no path has no values for path parameters", async () => {
  for (const route of ["/books/{id}", "/books/:id", "/books/<int:id>"]) {
    const { lines, interactions } = await readLog(
      exported({ kind: 2, spanId: "a" }, { "http.method": "GET", "http.route": route }),
    );
    assert.deepEqual(lines, ["GET /books/[Filtered] -"]);
    assert.equal(interactions[0]?.visibility?.path_parameters, false);
    assert.equal(interactions[0]?.visibility?.query, false);
  }
});

Deno.test("exports with members of the wrong type don't fail", async () => {
  const good = exported({ kind: 2, spanId: "a" }, { "http.method": "GET", "http.target": "/a" });
  const wrong = ["null", "7", "{}", "[]", '"x"', "[null,1,[]]"];
  for (const name of ["scopeSpans", "spans", "attributes", "resource", "resourceSpans"]) {
    for (const value of wrong) {
      const bad = good.replace(new RegExp(`"${name}":.*`), `"${name}":${value}}]}]}]}`);
      for (let end = bad.length; end > 0; end--) {
        try {
          JSON.parse(bad.slice(0, end));
        } catch {
          continue;
        }
        const { lines } = await readLog(`${good}\n${bad.slice(0, end)}\n`);
        assert.deepEqual(lines.slice(0, 1), ["GET /a -"]);
      }
    }
  }
});
