import assert from "node:assert/strict";
import { readMultipart } from "../../../../src/http/multipart.ts";
import {
  postmanBody,
  type SentBody,
} from "../../../../src/traffic/formats/postman/postman_send.ts";

function send(body: object, contentType?: string): SentBody | undefined {
  return postmanBody(body, contentType, (text) => text.replaceAll("{{v}}", '1"'));
}

function text(sent: SentBody | undefined): [string | undefined, string | undefined] {
  const content = sent?.content && new TextDecoder().decode(sent.content);
  return [content, sent?.contentType];
}

Deno.test("postmanBody() adds the Content-Type for the language of a raw body", () => {
  const body = (raw: string, language?: string) => ({
    ...{ mode: "raw", raw },
    options: { raw: { language } },
  });
  const raw = (language?: string) => text(send(body("{{v}}", language)))[1];
  assert.equal(raw("json"), "application/json");
  assert.equal(raw("xml"), "application/xml");
  assert.equal(raw("html"), "text/html");
  assert.equal(raw("javascript"), "application/javascript");
  assert.equal(raw(), "text/plain");
  assert.deepEqual(text(send(body("{{v}}", "json"), "x/y")), [
    '1"',
    "x/y",
  ]);
  assert.equal(send(body("", "json")), undefined);
});

Deno.test("postmanBody() writes forms like Postman, with fields of the same name together", () => {
  const urlencoded = [
    { key: "a", value: "é !'()*~" },
    { key: "b", value: undefined },
    { key: "a", value: "{{v}}" },
  ];
  const type = "application/x-www-form-urlencoded";
  const form = "a=%C3%A9%20%21%27%28%29%2A~&a=1%22&b=";
  assert.deepEqual(text(send({ mode: "urlencoded", urlencoded })), [form, type]);
  assert.deepEqual(text(send({ mode: "urlencoded", urlencoded }, "text/plain")), [form, type]);
  assert.deepEqual(text(send({ mode: "urlencoded", urlencoded }, `${type}; charset=x`)), [
    form,
    `${type}; charset=x`,
  ]);
  assert.equal(send({ mode: "urlencoded", urlencoded: [] }), undefined);
});

Deno.test("postmanBody() writes multipart forms that can be read again", () => {
  const formdata = [
    { key: 'na"me', value: "{{v}}é" },
    { key: "k", value: "{}", contentType: "application/json" },
    { key: "file", type: "file", value: "AP8=", fileName: "f.bin" },
    { key: "off", type: "text", value: "x", disabled: true },
    { key: "n", value: 1 },
  ];
  const sent = send({ mode: "formdata", formdata });
  const boundary = /^multipart\/form-data; boundary=(-{26}\d{24})$/.exec(sent?.contentType ?? "");
  const read = readMultipart(sent?.content ?? "", boundary?.[1]);
  assert.deepEqual(
    read?.map(({ name, mediaType, isFile, bytes }) => [name, mediaType, isFile, bytes]),
    [
      ['na"me', undefined, false, new TextEncoder().encode('1"é')],
      ["k", "application/json", false, new TextEncoder().encode("{}")],
      ["file", "application/octet-stream", true, new Uint8Array([0, 255])],
      ["n", undefined, false, new TextEncoder().encode("1")],
    ],
  );
});

Deno.test("postmanBody() writes forms of the same length as Postman", () => {
  // The 10-byte cover that Newman sent to the bookshop with a Content-Length of 333.
  const formdata = [
    {
      ...{ key: "picture", type: "file", value: btoa("\0".repeat(10)) },
      ...{ fileName: "cover.png", contentType: "image/png" },
    },
    { key: "caption", value: "Okładka" },
  ];
  assert.equal(send({ mode: "formdata", formdata })?.content?.length, 333);
});

Deno.test("postmanBody() uses the boundary in the headers, or one that doesn't occur in the form", () => {
  const own = 'multipart/mixed; boundary="b"';
  const formdata = [{ key: "k", value: `${"-".repeat(26)}${"0".repeat(24)}` }];
  const [content, type] = text(send({ mode: "formdata", formdata }, own));
  assert.equal(type, own);
  assert.ok(content?.startsWith("--b\r\n") && content.endsWith("\r\n--b--\r\n"));
  const boundary = `${"-".repeat(26)}${"0".repeat(23)}1`;
  assert.equal(
    send({ mode: "formdata", formdata }, "multipart/form-data")?.contentType,
    `multipart/form-data; boundary=${boundary}`,
  );
  assert.equal(
    send({ mode: "formdata", formdata }, "application/json")?.contentType,
    `multipart/form-data; boundary=${boundary}`,
  );
  assert.equal(send({ mode: "formdata", formdata: [] }), undefined);
});

Deno.test("postmanBody() has the bytes of a file only if the collection has them", () => {
  assert.deepEqual(send({ mode: "file", file: { content: "AQ==" } }, "image/png"), {
    content: new Uint8Array([1]),
    contentType: "image/png",
  });
  const unknown = { content: undefined, contentType: undefined };
  assert.deepEqual(send({ mode: "file", file: { src: "a.png", content: "AQ==" } }), unknown);
  for (const src of ["b.bin", []]) {
    const formdata = [{ key: "a", value: "" }, { key: "b", type: "file", value: "AQ==", src }];
    assert.equal(send({ mode: "formdata", formdata })?.content, undefined);
  }
});

Deno.test("postmanBody() writes GraphQL as JSON with unchanged variables", () => {
  const variables = '{"id": {{v}}}';
  const graphql = { query: '{ a(b: "{{v}}") }', operationName: "O", variables };
  assert.deepEqual(text(send({ mode: "graphql", graphql })), [
    '{"query":"{ a(b: \\"1\\"\\") }","operationName":"O","variables":{"id": 1"}}',
    "application/json",
  ]);
  const bare = { mode: "graphql", graphql: { query: "{ a }", variables: "" } };
  assert.deepEqual(text(send(bare, "application/graphql+json")), [
    '{"query":"{ a }"}',
    "application/graphql+json",
  ]);
});
