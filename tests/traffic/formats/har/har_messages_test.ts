import assert from "node:assert/strict";
import { rebuildForm } from "../../../../src/traffic/formats/har/har_messages.ts";

const FORM = "application/x-www-form-urlencoded";

function text(
  params: readonly unknown[],
  contentType: string,
  length?: number,
): string | undefined {
  const form = rebuildForm(params, contentType, length);
  return form && new TextDecoder().decode(form.bytes);
}

Deno.test("an urlencoded body is escaped in the way that fits its length", () => {
  const params = [{ name: "a b c", value: "~" }, { name: "d", value: "" }];
  assert.equal(text(params, FORM), "a+b+c=%7E&d=");
  assert.equal(text(params, FORM, 12), "a+b+c=%7E&d=");
  assert.equal(text(params, FORM, 10), "a+b+c=~&d=");
  assert.equal(text(params, FORM, 16), "a%20b%20c=%7E&d=");
  assert.equal(text([{ name: "ż", value: "&=" }], FORM), "%C5%BC=%26%3D");
});

Deno.test("an urlencoded body is incomplete if no way of escaping fits its length", () =>
  assert.equal(text([{ name: "a", value: "1" }], FORM, 40), undefined));

Deno.test("values that are still escaped are used as they are if the length fits", () => {
  assert.equal(text([{ name: "a", value: "x%20y" }], FORM, 7), "a=x%20y");
  assert.equal(text([{ name: "a", value: "x%20y" }], FORM), "a=x%2520y");
});

Deno.test("base64 fields of HAR 1.3 are decoded", () => {
  assert.equal(text([{ name: "a", value: "YW5u", encoding: "base64" }], FORM), "a=ann");
  assert.equal(text([{ name: "a", value: "{}", encoding: "base64" }], FORM), undefined);
});

Deno.test("a file whose content isn't recorded makes the whole body unknown", () => {
  const type = "multipart/form-data; boundary=x";
  assert.equal(text([{ name: "a", fileName: "a.png" }], type), undefined);
  assert.equal(text([{ value: "nameless" }], type), undefined);
  assert.equal(text(["a=b"], type), undefined);
});

Deno.test("names in a multipart body are escaped like in browsers", () =>
  assert.equal(
    text([{ name: 'a"\n', value: "1" }], "multipart/form-data; boundary=x"),
    '--x\r\nContent-Disposition: form-data; name="a%22%0A"\r\n\r\n1\r\n--x--\r\n',
  ));

Deno.test("a generated boundary doesn't occur in the fields", () => {
  const value = "--covtool-form-boundary";
  const form = rebuildForm([{ name: "a", value }], "multipart/form-data", undefined);
  assert.equal(form?.contentType, "multipart/form-data; boundary=covtool-form-boundary-");
});

Deno.test("fields of a body that isn't a form are ignored", () =>
  assert.equal(text([{ name: "a", value: "1" }], "application/json"), undefined));
