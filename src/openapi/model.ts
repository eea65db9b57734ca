import type { ParameterLocation } from "../values/position.ts";
import type { Diagnostic } from "../values/diagnostic.ts";
import type { SecretNames } from "../redact/redactor.ts";
import type { Place } from "../schema/part_positions.ts";
import type { OpenApiVersion } from "./description_version.ts";

/** A description in a form that is the same for all versions of OpenAPI (semantics, sections 1 to 3). */
export interface ApiModel {
  readonly version: OpenApiVersion;
  /** The name in reports: `OpenAPI 3.1.0`, `Swagger 2.0`. */
  readonly specification: string;
  /** `info.title`; empty if there is none. */
  readonly title: string;
  /** `info.version`; empty if there is none. */
  readonly apiVersion: string;
  /** `jsonSchemaDialect` (3.1 and later). */
  readonly jsonSchemaDialect: string | undefined;
  /** The distinct paths of all servers, without a `/` at the end; an empty path is left out. */
  readonly basePaths: readonly string[];
  /** The distinct hosts of all servers with a full URL, as in `URL.host`. */
  readonly serverHosts: readonly string[];
  /** True if the description has paths, even if covtool can't use any of their operations. */
  readonly hasPaths: boolean;
  /** In document order. */
  readonly operations: readonly OperationModel[];
  /** The names of header fields and query parameters in which security schemes expect API keys. */
  readonly secretNames: SecretNames;
  /** Reads the content of a response. Done on demand, as few recordings need it. */
  readonly readResponse: (response: ResponseModel) => ResponseContent;
  /** Parts of the description that can't be used. Lines and columns are added later. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface OperationModel {
  /** In upper case; for `additionalOperations`, as written. */
  readonly method: string;
  readonly path: string;
  /** Pointer of the operation object after following references, with the label of the file if it isn't the entry. */
  readonly pointer: string;
  readonly operationId: string | null;
  /** As written; empty if there are none. */
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** Distinct by location and name: first parameters of the path item, then the operation's own, then the body. */
  readonly parameters: readonly ParameterModel[];
  /** In this order: statuses ascending, ranges, `default`. */
  readonly responses: readonly ResponseModel[];
  /** The URL of the first server of the operation, path item or description, with the defaults of variables. */
  readonly server?: string;
  /** The credentials that the operation requires; absent if it requires none, or a scheme is unknown. */
  readonly security?: SecurityModel;
  /** The credentials to send with a generated request; absent if none are required or known. */
  readonly credentials?: readonly CredentialModel[];
  /** The places of all credentials that the operation accepts, required or optional; absent without `security`. */
  readonly keys?: readonly CredentialPlace[];
  /** The scopes of each accepted alternative; empty if none is required, absent without `security`. */
  readonly scopes?: readonly (readonly string[])[];
  /** The unparsed field `x-covtool-access` of the operation or its path item; absent if there is none. */
  readonly access?: unknown;
}

/** The alternative sets of credentials that an operation accepts: at least one, each with at least one place. */
export type SecurityModel = readonly (readonly CredentialPlace[])[];

export interface CredentialPlace {
  /** The place of an API key, or `authorization` for the header field `Authorization`. */
  readonly in: "authorization" | "header" | "query" | "cookie";
  /** The scheme of `Authorization` (empty for any), or the name of the key; in lower case unless case matters. */
  readonly name: string;
}

export interface CredentialModel {
  readonly scheme: string;
  readonly place: CredentialPlace;
  /** The name of the key, or the scheme of `Authorization`, as the description writes it. */
  readonly name: string;
}

export interface ResponseModel {
  /** As written: `200`, `2XX`, `default`. */
  readonly status_code: string;
  readonly pointer: string;
  /** The media types of the body, as written; absent if none are documented. */
  readonly mediaTypes?: readonly string[];
  /** The response object after following references; absent if there is none. */
  readonly place?: Place;
  /** Swagger 2.0: `produces` of the operation or document; absent if there is none. */
  readonly produces?: readonly string[];
}

/** The content of a response, described like parameters. Examples in responses don't count, so they are left out. */
export interface ResponseContent {
  /** The media types of the body; in Swagger 2.0, one entry for all of `produces`. */
  readonly mediaTypes: readonly ParameterModel[];
  /** The header fields except `Content-Type`. */
  readonly headers: readonly ParameterModel[];
}

/** The encoding of a property in a form or multipart body (OpenAPI, Encoding Object). */
export interface EncodingModel {
  /** Media types, separated by commas. */
  readonly contentType?: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
}

/** A parameter, or one media type of a body. */
export interface ParameterModel {
  /** The location under which reports show the parameter. */
  readonly location: ParameterLocation;
  /** As written; for a body, the media type (in Swagger 2.0, the name of the parameter). */
  readonly name: string;
  /** Always true for path parameters. */
  readonly required: boolean;
  readonly deprecated: boolean;
  /** The parameter or media type object after following references. */
  readonly place: Place;
  /** Undefined if there is none. In Swagger 2.0, a parameter other than `body` is its own schema. */
  readonly schema: Place | undefined;
  /** The schema of each item of sequential JSON (3.2). */
  readonly itemSchema?: Place;
  /** The field `in` as written; `body` for a media type of a request body. */
  readonly in: "path" | "query" | "querystring" | "header" | "cookie" | "body" | "formData";
  /** The style as written, or the default of the location. */
  readonly style: string;
  /** True if items and members become separate parameters; the default depends on the style. */
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Swagger 2.0 arrays: the collection formats of the array and of nested arrays, outermost first. */
  readonly collectionFormat?: readonly string[];
  /** The media type in `content` of a parameter. */
  readonly content?: string;
  /** Swagger 2.0 bodies and form fields: `consumes` of the operation or document; undefined if there is none. */
  readonly consumes?: readonly string[];
  /** The media type of a body (OpenAPI 3). */
  readonly mediaType?: string;
  /** Encodings by property, for bodies and for parameters with `content`. */
  readonly encoding?: Readonly<Record<string, EncodingModel>>;
  /**
   * The values of examples of the parameter itself, in document order, without those of its schema. Their pointers end in
   * `/example` or in a field of the Example Object, such as `/value`.
   */
  readonly examples: readonly Place[];
}
