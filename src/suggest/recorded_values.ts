import { compileBody } from "../http/body.ts";
import { readForm } from "../http/form_fields.ts";
import { compileFormField } from "../http/form_body.ts";
import { contentTypeOf, selectMediaType } from "../http/media_type.ts";
import { compileParameter } from "../http/parameter_style.ts";
import { requestText } from "../http/request_text.ts";
import type { OperationPlan } from "../map/coverage_plan.ts";
import { collectionFormats, encodingOf, propertyEncodings } from "../map/parameter_encoding.ts";
import { parsePathTemplate } from "../map/path_template.ts";
import { recordedBody } from "../record/recorded_body.ts";
import type { Json } from "../values/json.ts";
import type { RecordedRequest } from "./recorded_requests.ts";

/** The values of an operation's parameters in a recorded request, by their indexes; those that it doesn't carry are absent. */
export function recordedValues(
  operation: OperationPlan,
  { request, captures, query }: RecordedRequest,
): ReadonlyMap<number, Json> {
  const values = new Map<number, Json>();
  const text = requestText(captures, query, request.headers);
  const templates = parsePathTemplate(operation.model.path)?.names ?? [];
  const contentType = contentTypeOf(text.headers.get("content-type")) ?? "application/json";
  const recorded = recordedBody(request, text.headers);
  const body = recorded?.kind === "data" ? recorded.data : undefined;
  const bodies = operation.parameters.flatMap(({ model }, index) =>
    model.location === "body" ? [{ index, mediaType: model.mediaType ?? "*/*" }] : []
  );
  const chosen = bodies[selectMediaType(contentType, bodies.map(({ mediaType }) => mediaType))];
  operation.parameters.forEach((plan, index) => {
    const { model, shape } = plan;
    if (model.location === "body") {
      if (body === undefined || chosen?.index !== index) return;
      const properties = propertyEncodings(model);
      const decoded = compileBody({ shape, properties })(body, contentType);
      if (decoded.kind === "value") values.set(index, decoded.value);
      else if (decoded.kind === "sequence") values.set(index, decoded.items);
      return;
    }
    if (model.location === "form_data") {
      const fields = body === undefined ? undefined : readForm(body, contentType);
      if (fields === undefined || fields === "malformed") return;
      const formats = collectionFormats(model);
      const decoded = compileFormField({ name: model.name, shape, formats })(fields);
      if (decoded !== undefined) values.set(index, decoded.value);
      return;
    }
    const decode = compileParameter(encodingOf(model, shape), templates.lastIndexOf(model.name));
    const decoded = decode(text);
    if (typeof decoded === "object") values.set(index, decoded.value);
  });
  return values;
}
