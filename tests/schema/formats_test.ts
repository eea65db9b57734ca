import assert from "node:assert/strict";
import { formats } from "../../src/schema/formats.ts";
import { formatTexts } from "../../src/suggest/values/make_text.ts";
import { ANY_NUMBER, STRING } from "../../src/values/json_type.ts";
import { testSuiteFile } from "../conformance/json_schema_test_suite.ts";
import { processorTime } from "../processor_time.ts";

function has(name: string, value: string | number): boolean {
  const format = formats.get(name);
  assert.ok(format !== undefined, `${name} is known`);
  return format.test(value);
}

const SUITE = [
  ...["date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname"],
  ...["ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid"],
  ...["json-pointer", "relative-json-pointer", "regex", "ecmascript-regex"],
];

for (const name of SUITE) {
  testSuiteFile(`optional/format/${name}.json`, (groups) => {
    for (const { schema, tests } of groups) {
      for (const { description, data, valid } of tests) {
        if (typeof data !== "string") continue;
        assert.equal(
          has(String((schema as { format: unknown }).format), data),
          valid,
          `${description}: ${data}`,
        );
      }
    }
  });
}

Deno.test("formats that describe only how a value is meant are unknown", () => {
  for (const name of ["binary", "password", "float", "double", "cidr", "phone", ""]) {
    assert.equal(formats.has(name), false, name);
  }
});

/** Values of each format and values that it refuses, by the name of the test. */
const VALUES: Readonly<
  Record<
    string,
    Readonly<Record<string, readonly [yes: (string | number)[], no?: (string | number)[]]>>
  >
> = {
  "older names of formats have the meaning of the newer names": {
    "ip-address": [["127.0.0.1"], ["::1"]],
    "host-name": [["example.com"], ["exa_mple.com"]],
    ip: [["127.0.0.1", "::1"], ["localhost"]],
  },
  "int32 and int64 are integers within their range": {
    int32: [[2147483647, -2147483648], [2147483648, -2147483649, 1.5]],
    // The greatest int64 isn't exact in JavaScript, so the number that it is rounded to is valid.
    int64: [[2147483648, Number("9223372036854775807")], [9.3e18, -9.3e18]],
  },
  "byte is padded base64": {
    byte: [
      ["", "Zg==", "Zm8=", "Zm9v", "+/+/"],
      ["Zg", "Zg=", "Z===", "Zm9v\n", "-_-_", "Zm=v", "===="],
    ],
  },
  "real host names with hyphens in the third and fourth place are host names": {
    hostname: [["r3---sn-apo3qvuoxuxbt-j5pe.example.com"]],
  },
  "names that mix directions follow the rule of RFC 5893": {
    "idn-hostname": [
      ["\u05d0.example", "\u05d01.example", "1.example"],
      ["\u05d0.1example", "\u05d0a", "\u{10d40}\u05d0"],
    ],
  },
  "a non-joiner stands between letters that join": {
    "idn-hostname": [
      ["\u0628\u200c\u0628", "\u0628\u064b\u200c\u064b\u0627", "\u0628\u200c\u0628\u200c\u0628"],
      ["\u0627\u200c\u0628", "\u0628\u200c", "\u0628\u200c\u0628\u200c"],
    ],
  },
  "identifiers may be empty where RFC 3986 lets them": {
    uri: [
      ["a:", "a://", "a:/", "a://@:", "a:?#", "a://[v1.x]", "a:b:c"],
      ["a://[::1", "a://::1]", "a://[::1]x", "a://b@c@d", "a://b:c", ":", "a:[]", "a:#\n"],
    ],
    iri: [["a:?\u{e000}"], ["a:\ud800", "a:\u{e000}"]],
  },
};

for (const [sentence, cases] of Object.entries(VALUES)) {
  Deno.test(sentence, () => {
    for (const [name, [yes, no = []]] of Object.entries(cases)) {
      for (const value of yes) assert.equal(has(name, value), true, `${name}: ${value}`);
      for (const value of no) assert.equal(has(name, value), false, `${name}: ${value}`);
    }
  });
}

Deno.test("number formats apply to numbers, and all others to text", () => {
  for (const [name, format] of formats) {
    assert.equal(format.types, name.startsWith("int") ? ANY_NUMBER : STRING, name);
  }
});

Deno.test("no format takes long to check long text", () => {
  const texts = [
    "a".repeat(500_000),
    "a@" + "a-".repeat(250_000) + "!",
    "a@" + "a.".repeat(250_000),
    "http://" + "a@".repeat(250_000),
    "http://" + "a.".repeat(250_000) + "\\",
    "{" + "a,".repeat(250_000) + "a",
    "{a}".repeat(160_000),
    "1:".repeat(250_000),
    "/a".repeat(250_000) + "~",
    "P" + "1".repeat(500_000),
    "xn--" + "a".repeat(500_000),
    "\u0628\u200c".repeat(250_000),
    "%41".repeat(160_000) + "%",
    `"${"\\a".repeat(250_000)}"@a`,
    "(".repeat(100_000),
    "2000-01-01T00:00:00." + "0".repeat(500_000),
    "=".repeat(500_000),
  ];
  for (const [name, format] of formats) {
    if (format.types !== STRING) continue;
    for (const text of texts) {
      // With quadratic time, this would take minutes.
      const time = processorTime(() => format.test(text), 5_000);
      assert.ok(time < 5_000, `${name} on ${text.slice(0, 20)}…: ${time} ms`);
    }
  }
});

Deno.test("uuid1 to uuid8 accept only UUIDs of that version", () => {
  for (let version = 1; version <= 8; version++) {
    const text = `123E4567-e89b-${version}2d3-a456-426614174000`;
    for (let other = 1; other <= 8; other++) {
      assert.equal(has(`uuid${other}`, text), other === version, `${other} ${text}`);
    }
    assert.equal(has("uuid", text), true);
    const made = [...formatTexts(`uuid${version}`, 0, Infinity)];
    assert.ok(made.some((one) => has(`uuid${version}`, one)), made.join());
  }
  assert.equal(formats.has("uuid9"), false);
});
