import { AWS_ALB, ENVOY_TEXT, HAPROXY } from "../logs/line_logs.ts";
import {
  API_GATEWAY,
  APISIX,
  CADDY,
  CLOUDFLARE,
  CONTAINER_LOG,
  ENVOY,
  JSON_LOG,
  KONG,
  TRAEFIK,
} from "../logs/json_logs.ts";
import { CLOUDFRONT, CLOUDFRONT_JSON, IIS } from "../logs/w3c_logs.ts";
import { COMMON_LOG } from "./common_log/common_log.ts";
import { GOREPLAY } from "./goreplay/goreplay.ts";
import { HAR } from "./har/har.ts";
import { KUBERNETES_AUDIT } from "./kubernetes_audit/kubernetes_audit.ts";
import { MITMPROXY } from "./mitmproxy/mitmproxy.ts";
import { NEWMAN } from "./newman/newman.ts";
import { NOCK } from "./nock/nock.ts";
import { OTLP_SPANS } from "./otlp_spans/otlp_spans.ts";
import { POSTMAN } from "./postman/postman.ts";
import type { FormatFamily, RecordingFormat } from "./recording.ts";
import { RUBY_VCR, URL_VCR, VCRPY } from "./vcr/vcr.ts";
import { SCHEMATHESIS, SCHEMATHESIS_EVENTS } from "./schemathesis/schemathesis.ts";
import { TRAFFIC_FILE } from "./traffic_file/traffic.ts";

/** All formats of recordings. The first that recognizes a document reads it, so stricter formats come first. */
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
  TRAEFIK,
  ENVOY,
  JSON_LOG,
  CONTAINER_LOG,
  KUBERNETES_AUDIT,
  OTLP_SPANS,
  GOREPLAY,
  MITMPROXY,
  RUBY_VCR,
  URL_VCR,
  VCRPY,
  NOCK,
  TRAFFIC_FILE,
];

export function formatsInFamily(family: FormatFamily): readonly RecordingFormat[] {
  return FORMATS.filter((format) => format.family === family);
}

export function formatTitles(
  formats: readonly RecordingFormat[],
  conjunction: "and" | "or",
): string {
  const titles = [...new Set(formats.map(({ title }) => title))];
  const last = titles.pop() ?? "";
  return titles.length === 0 ? last : `${titles.join(", ")} ${conjunction} ${last}`;
}
