import assert from "node:assert/strict";
import { readMultipart } from "../../../../src/http/multipart.ts";
import {
  postmanBody,
  type SentBody,
} from "../../../../src/traffic/formats/postman/postman_send.ts";
import type {
  PostmanBody,
  PostmanPart,
} from "../../../../src/traffic/formats/postman/postman_request.ts";
import { postmanParts } from "../../../../src/traffic/formats/postman/postman_v2.ts";

function send(body: PostmanBody, contentType?: string): SentBody | undefined {
  return postmanBody(body, contentType, (text) => text.replaceAll("{{v}}", '1"'));
}

function text(sent: SentBody | undefined): [string | undefined, string | undefined] {
  const content = sent?.content && new TextDecoder().decode(sent.content);
  return [content, sent?.contentType];
}

function part(fields: Partial<PostmanPart>): PostmanPart {
  return { key: "k", value: "v", fileName: undefined, contentType: undefined, ...fields };
}

Deno.test("postmanBody() adds the Content-Type of the language of a raw body", () => {
  const raw = (language: string | undefined) =>
    text(send({ mode: "raw", text: "{{v}}", language }))[1];
  assert.equal(raw("json"), "application/json");
  assert.equal(raw("xml"), "application/xml");
  assert.equal(raw("html"), "text/html");
  assert.equal(raw("javascript"), "application/javascript");
  assert.equal(raw(undefined), "text/plain");
  assert.deepEqual(text(send({ mode: "raw", text: "{{v}}", language: "json" }, "x/y")), [
    '1"',
    "x/y",
  ]);
  assert.equal(send({ mode: "raw", text: "", language: "json" }), undefined);
});

Deno.test("postmanBody() writes forms as Postman does, fields of one name together", () => {
  const fields = [
    { key: "a", value: "é !'()*~" },
    { key: "b", value: undefined },
    { key: "a", value: "{{v}}" },
  ];
  const type = "application/x-www-form-urlencoded";
  const form = "a=%C3%A9%20%21%27%28%29%2A~&a=1%22&b=";
  assert.deepEqual(text(send({ mode: "urlencoded", fields })), [form, type]);
  assert.deepEqual(text(send({ mode: "urlencoded", fields }, "text/plain")), [form, type]);
  assert.deepEqual(text(send({ mode: "urlencoded", fields }, `${type}; charset=x`)), [
    form,
    `${type}; charset=x`,
  ]);
  assert.equal(send({ mode: "urlencoded", fields: [] }), undefined);
});

Deno.test("postmanBody() writes multipart forms that can be read", () => {
  const parts = [
    part({ key: 'na"me', value: "{{v}}é" }),
    part({ value: "{}", contentType: "application/json" }),
    part({ key: "file", value: new Uint8Array([0, 255]), fileName: "f.bin" }),
  ];
  const sent = send({ mode: "formdata", parts });
  const boundary = /^multipart\/form-data; boundary=(-{26}\d{24})$/.exec(sent?.contentType ?? "");
  const read = readMultipart(sent?.content ?? "", boundary?.[1]);
  assert.deepEqual(
    read?.map(({ name, mediaType, isFile, bytes }) => [name, mediaType, isFile, bytes]),
    [
      ['na"me', undefined, false, new TextEncoder().encode('1"é')],
      ["k", "application/json", false, new TextEncoder().encode("{}")],
      ["file", "application/octet-stream", true, new Uint8Array([0, 255])],
    ],
  );
});

Deno.test("postmanBody() makes forms as long as Postman makes them", () => {
  // The cover of 10 bytes that Newman sent to the bookshop with a Content-Length of 333.
  const parts = [
    part({
      key: "picture",
      value: new Uint8Array(10),
      fileName: "cover.png",
      contentType: "image/png",
    }),
    part({ key: "caption", value: "Okładka" }),
  ];
  assert.equal(send({ mode: "formdata", parts })?.content?.length, 333);
});

Deno.test("postmanBody() uses the boundary of the headers, or one that doesn't occur in the form", () => {
  const own = 'multipart/mixed; boundary="b"';
  const parts = [part({ value: `${"-".repeat(26)}${"0".repeat(24)}` })];
  const [content, type] = text(send({ mode: "formdata", parts }, own));
  assert.equal(type, own);
  assert.ok(content?.startsWith("--b\r\n") && content.endsWith("\r\n--b--\r\n"));
  const boundary = `${"-".repeat(26)}${"0".repeat(23)}1`;
  assert.equal(
    send({ mode: "formdata", parts }, "multipart/form-data")?.contentType,
    `multipart/form-data; boundary=${boundary}`,
  );
  assert.equal(
    send({ mode: "formdata", parts }, "application/json")?.contentType,
    `multipart/form-data; boundary=${boundary}`,
  );
  assert.equal(send({ mode: "formdata", parts: [] }), undefined);
});

Deno.test("postmanBody() knows the bytes of a file only where the collection has them", () => {
  const content = new Uint8Array([1]);
  assert.deepEqual(send({ mode: "file", content }, "image/png"), {
    content,
    contentType: "image/png",
  });
  assert.deepEqual(send({ mode: "file", content: undefined }), {
    content: undefined,
    contentType: undefined,
  });
  const list = [
    { key: "a", type: "file", value: "AAE=", fileName: "a.bin" },
    { key: "b", type: "file", src: "b.bin" },
    { key: "c", type: "file", src: [] },
    { key: "d", type: "text", value: 1 },
    { key: "e", type: "text", value: "x", disabled: true },
  ];
  assert.deepEqual(postmanParts(list), [
    part({ key: "a", value: new Uint8Array([0, 1]), fileName: "a.bin" }),
    part({ key: "b", value: undefined, fileName: "" }),
    part({ key: "c", value: undefined, fileName: "" }),
    part({ key: "d", value: "1" }),
  ]);
});

Deno.test("postmanBody() writes GraphQL as JSON, its variables as they are", () => {
  const variables = '{"id": {{v}}}';
  const body = {
    mode: "graphql",
    query: '{ a(b: "{{v}}") }',
    operationName: "O",
    variables,
  } as const;
  assert.deepEqual(text(send(body)), [
    '{"query":"{ a(b: \\"1\\"\\") }","operationName":"O","variables":{"id": 1"}}',
    "application/json",
  ]);
  const bare = { ...body, query: "{ a }", operationName: undefined, variables: "" };
  assert.deepEqual(text(send(bare, "application/graphql+json")), [
    '{"query":"{ a }"}',
    "application/graphql+json",
  ]);
});
