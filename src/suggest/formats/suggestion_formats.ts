import { curlFormat } from "./curl_format.ts";
import { harFormat } from "./har_format.ts";
import { httpFormat } from "./http_format.ts";
import { postmanFormat } from "./postman_format.ts";
import type { SuggestionFormat } from "../suggestion.ts";
import { textFormat } from "./text_format.ts";
import { trafficFormat } from "./traffic_format.ts";

/** The formats of suggested requests. To add one, add its line. */
export const SUGGESTION_FORMATS: readonly SuggestionFormat[] = [
  textFormat,
  curlFormat,
  httpFormat,
  trafficFormat,
  harFormat,
  postmanFormat,
];
