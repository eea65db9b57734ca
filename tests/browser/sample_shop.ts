import type { Json } from "../../src/values/json.ts";
import type { ParameterLocation } from "../../src/values/position.ts";

/** What a sample's parameter is like. */
export interface ParameterPlan {
  readonly location: ParameterLocation;
  readonly name: string;
  readonly required: boolean;
  /** Pointers from the root, or keywords of the parameter's own schema. */
  readonly keywords: readonly string[];
  readonly examples: readonly Json[];
}

/** What a sample's operation is like. */
export interface OperationPlan {
  readonly method: string;
  readonly path: string;
  readonly id: string | null;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** How likely it is called, 0 to 1. */
  readonly called: number;
  readonly parameters: readonly ParameterPlan[];
  readonly statuses: readonly string[];
}

function component(name: string, properties: Readonly<Record<string, string>>): string[] {
  const base = `/components/schemas/${name}`;
  return [
    `${base}/type`,
    `${base}/required`,
    `${base}/properties`,
    `${base}/additionalProperties`,
    ...Object.entries(properties).flatMap(([property, keywords]) =>
      keywords.split(" ").map((keyword) => `${base}/properties/${property}/${keyword}`)
    ),
  ];
}

const ADDRESS = component("Address", {
  street: "type minLength maxLength",
  city: "type minLength",
  postcode: "type pattern",
  country: "type enum",
});

const USER = [
  ...component("User", {
    name: "type minLength maxLength",
    email: "type format",
    age: "type minimum maximum",
    tags: "type maxItems uniqueItems items items/type items/pattern",
    nickname: "type nullable",
  }),
  ...ADDRESS,
];

const PRODUCT = component("Product", {
  sku: "type pattern",
  title: "type minLength maxLength",
  price: "type exclusiveMinimum multipleOf",
  currency: "type enum",
  dimensions: "type required properties properties/width/type properties/height/type",
  images: "type maxItems items items/type items/format",
});

const ORDER = [
  ...component("Order", {
    lines: "type minItems items items/type items/required",
    note: "type maxLength nullable",
    delivery: "oneOf oneOf/0/type oneOf/0/required oneOf/1/type oneOf/1/required",
    voucher: "type",
  }),
  ...ADDRESS,
];

const LOGIN = component("Login", { email: "type format", password: "type minLength maxLength" });

function parameter(
  location: ParameterLocation,
  name: string,
  keywords: string,
  examples: readonly Json[] = [],
  required = location === "path",
): ParameterPlan {
  return {
    location,
    name,
    required,
    keywords: keywords === "" ? [] : keywords.split(" "),
    examples,
  };
}

function body(keywords: readonly string[], examples: readonly Json[] = []): ParameterPlan {
  return { location: "body", name: "application/json", required: true, keywords, examples };
}

const PAGE = [
  parameter("query", "limit", "type minimum maximum", [10]),
  parameter("query", "offset", "type minimum"),
];
const SORT = parameter("query", "sort", "type enum", ["name", "-created_at"]);
const SEARCH = parameter("query", "q", "type minLength maxLength", ["chair"]);
const TRACE = parameter("header", "X-Request-Id", "type format");
const KEY = parameter("header", "Idempotency-Key", "type maxLength");

function id(name: string): ParameterPlan {
  return parameter("path", name, "type format", ["6f1e2a9c-3c1a-4f8e-9d55-1b0f2c7a4e11"]);
}

interface More {
  readonly deprecated?: boolean;
  readonly called?: number;
}

function operation(
  line: string,
  parameters: readonly ParameterPlan[],
  statuses: string,
  { deprecated = false, called = 0.85 }: More = {},
): OperationPlan {
  const [tag = "", name = "", method = "", path = ""] = line.split(" ");
  return {
    method,
    path,
    id: name === "-" ? null : name,
    tags: tag === "-" ? [] : [tag],
    deprecated,
    called,
    parameters,
    statuses: statuses.split(" "),
  };
}

const PERSON: Json = {
  name: "Ada",
  email: "ada@example.org",
  age: 36,
  tags: ["early", "math"],
  address: { street: "12 St James’s Square", city: "London", postcode: "SW1Y 4JH", country: "GB" },
};

/** The operations of a shop, with what its schemas demand. */
export function describeShop(): OperationPlan[] {
  return [
    operation("users listUsers GET /users", [...PAGE, SORT, TRACE], "200 400 401"),
    operation("users createUser POST /users", [KEY, body(USER, [PERSON])], "201 400 409 default"),
    operation("users getUser GET /users/{user_id}", [id("user_id")], "200 404"),
    operation(
      "users replaceUser PUT /users/{user_id}",
      [id("user_id"), body(USER)],
      "200 400 404 409",
      { called: 0.4 },
    ),
    operation("users deleteUser DELETE /users/{user_id}", [id("user_id")], "204 404 4XX", {
      called: 0,
    }),
    operation("users - GET /users/{user_id}/avatar.{format}", [
      id("user_id"),
      parameter("path", "format", "type enum"),
    ], "200 404"),
    operation("sessions login POST /sessions", [body(LOGIN)], "201 401 429"),
    operation("sessions logout DELETE /sessions/current", [], "204", { called: 1 }),
    operation("sessions loginLegacy POST /login", [body(LOGIN)], "200", {
      deprecated: true,
      called: 0.2,
    }),
    operation("products listProducts GET /products", [
      ...PAGE,
      SORT,
      SEARCH,
      parameter("query", "filter", "type properties additionalProperties", [{ color: "red" }]),
      parameter("query", "ids", "type maxItems items items/type items/format"),
    ], "200 400"),
    operation("products createProduct POST /products", [
      KEY,
      body(PRODUCT, [{ sku: "AB-1", title: "Chair", price: 10.5, currency: "EUR" }]),
      { ...body([]), name: "application/xml" },
    ], "201 400 401 403 409"),
    operation("products getProduct GET /products/{sku}", [
      parameter("path", "sku", "type pattern", ["AB-1"]),
      TRACE,
    ], "200 404"),
    operation("products updateProduct PATCH /products/{sku}", [
      parameter("path", "sku", "type pattern"),
      { ...body(PRODUCT), name: "application/merge-patch+json" },
    ], "200 400 404 412"),
    operation(
      "products priceHistory GET /products/{sku}/prices",
      [
        parameter("path", "sku", "type pattern"),
        parameter("query", "from", "type format", ["2026-01-01"]),
        parameter("query", "to", "type format"),
      ],
      "200 404",
      { deprecated: true, called: 0 },
    ),
    operation("orders listOrders GET /orders", [
      ...PAGE,
      parameter("query", "status", "type items items/enum uniqueItems"),
      parameter("cookie", "session", "type minLength"),
    ], "200 401"),
    operation("orders createOrder POST /orders", [KEY, body(ORDER)], "201 400 402 409 5XX"),
    operation("orders getOrder GET /orders/{order_id}", [id("order_id")], "200 404"),
    operation(
      "orders cancelOrder POST /orders/{order_id}:cancel",
      [id("order_id")],
      "202 404 409",
      { called: 0.3 },
    ),
    operation(
      "orders orderEvents GET /orders/{order_id}/events",
      [id("order_id"), parameter("header", "Last-Event-ID", "type")],
      "200",
      { called: 0.3 },
    ),
    operation(
      "payments pay POST /orders/{order_id}/payments",
      [
        id("order_id"),
        parameter("form_data", "amount", "type exclusiveMinimum"),
        parameter("form_data", "card", "type pattern"),
      ],
      "201 400 402",
      { called: 0 },
    ),
    operation(
      "payments refund POST /payments/{payment_id}/refunds",
      [
        id("payment_id"),
        body(component("Refund", { amount: "type minimum", reason: "type enum" })),
      ],
      "201 404 409",
      { called: 0 },
    ),
    operation("- - GET /health", [], "200 503", { called: 1 }),
  ];
}
