import { API_GATEWAY } from "./api_gateway/api_gateway.ts";
import { APISIX } from "./apisix/apisix.ts";
import { AWS_ALB } from "./aws_alb/aws_alb.ts";
import { CADDY } from "./caddy/caddy.ts";
import { CLOUDFLARE } from "./cloudflare/cloudflare.ts";
import { CLOUDFRONT } from "./cloudfront/cloudfront.ts";
import { CLOUDFRONT_JSON } from "./cloudfront_json/cloudfront_json.ts";
import { COMMON_LOG } from "./common_log/common_log.ts";
import { ENVOY } from "./envoy/envoy.ts";
import { ENVOY_TEXT } from "./envoy_text/envoy_text.ts";
import { GOREPLAY } from "./goreplay/goreplay.ts";
import { HAPROXY } from "./haproxy/haproxy.ts";
import { HAR } from "./har/har_format.ts";
import { IIS } from "./iis/iis.ts";
import { JSON_LOG } from "./json_log/json_log.ts";
import { KONG } from "./kong/kong.ts";
import { KUBERNETES_AUDIT } from "./kubernetes_audit/kubernetes_audit.ts";
import { MITMPROXY } from "./mitmproxy/mitmproxy.ts";
import { NEWMAN } from "./newman/newman.ts";
import { NOCK } from "./nock/nock.ts";
import { OTLP_SPANS } from "./otlp_spans/otlp_spans.ts";
import { POSTMAN } from "./postman/postman.ts";
import type { FormatFamily, RecordingFormat } from "./recording_format.ts";
import { RUBY_VCR } from "./ruby_vcr/ruby_vcr.ts";
import { SCHEMATHESIS } from "./schemathesis/schemathesis.ts";
import { SCHEMATHESIS_EVENTS } from "./schemathesis_events/schemathesis_events.ts";
import { TRAFFIC_FILE } from "./traffic_file/traffic.ts";
import { VCRPY } from "./vcrpy/vcrpy.ts";

/**
 * Every format of recordings. The first that recognizes a document reads it, so stricter formats come first:
 * Schemathesis before Ruby VCR, whose list has the same name, logs before cassettes, whose requests have the same
 * members, and traffic files last.
 */
export const FORMATS: readonly RecordingFormat[] = [
  HAR,
  POSTMAN,
  NEWMAN,
  SCHEMATHESIS,
  SCHEMATHESIS_EVENTS,
  COMMON_LOG,
  IIS,
  CLOUDFRONT,
  CLOUDFRONT_JSON,
  AWS_ALB,
  HAPROXY,
  ENVOY_TEXT,
  CADDY,
  KONG,
  APISIX,
  CLOUDFLARE,
  API_GATEWAY,
  ENVOY,
  JSON_LOG,
  KUBERNETES_AUDIT,
  OTLP_SPANS,
  GOREPLAY,
  MITMPROXY,
  RUBY_VCR,
  VCRPY,
  NOCK,
  TRAFFIC_FILE,
];

/** The formats that an importer of a map reads. */
export function formatsOf(family: FormatFamily): readonly RecordingFormat[] {
  return FORMATS.filter((format) => format.family === family);
}

/**
 * Names formats in a sentence.
 *
 * @example
 * ```ts
 * import { formatsOf, formatTitles } from "./formats.ts";
 * import assert from "node:assert/strict";
 *
 * assert.equal(formatTitles(formatsOf("collection"), "or"), "Postman or Newman");
 * ```
 */
export function formatTitles(
  formats: readonly RecordingFormat[],
  conjunction: "and" | "or",
): string {
  const titles = [...new Set(formats.map(({ title }) => title))];
  const last = titles.pop() ?? "";
  return titles.length === 0 ? last : `${titles.join(", ")} ${conjunction} ${last}`;
}
