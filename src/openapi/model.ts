import type { ParameterLocation } from "../values/position.ts";
import type { Diagnostic } from "../values/diagnostic.ts";
import type { SecretNames } from "../redact/redactor.ts";
import type { Place } from "../schema/position.ts";
import type { OpenApiVersion } from "./description_version.ts";

/** A description as covtool sees it, whatever version of OpenAPI it is written in (semantics, sections 1 to 3). */
export interface ApiModel {
  readonly version: OpenApiVersion;
  /** Its name in reports: `OpenAPI 3.1.0`, `Swagger 2.0`. */
  readonly specification: string;
  /** `info.title`; empty if there is none. */
  readonly title: string;
  /** `info.version`; empty if there is none. */
  readonly apiVersion: string;
  /** `jsonSchemaDialect` (3.1 and later). */
  readonly jsonSchemaDialect: string | undefined;
  /** The paths of all servers, each once and without a `/` at the end; the empty one is left out. */
  readonly basePaths: readonly string[];
  /** The hosts of all servers with a full URL, as `URL.host` has them, each once. */
  readonly serverHosts: readonly string[];
  /** True if it has paths, whether covtool can use an operation of them or not. */
  readonly hasPaths: boolean;
  /** In document order. */
  readonly operations: readonly OperationModel[];
  /** Under which names its security schemes take keys. */
  readonly secretNames: SecretNames;
  /** Reads what a response carries, which few recordings need. */
  readonly readResponse: (response: ResponseModel) => ResponseContent;
  /** Parts of the description that cannot be used; the positions are not looked up yet. */
  readonly diagnostics: readonly Diagnostic[];
}

/** One path template and method. */
export interface OperationModel {
  /** In upper case; in `additionalOperations` as it is written. */
  readonly method: string;
  /** The template as the description writes it. */
  readonly path: string;
  /** Pointer of the operation object, after following references; with the label of another file. */
  readonly pointer: string;
  readonly operationId: string | null;
  /** As written; empty if there are none. */
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** Unique by location and name: the path item's that the operation does not replace, its own, the body. */
  readonly parameters: readonly ParameterModel[];
  /** Statuses ascending, then ranges, then `default`. */
  readonly responses: readonly ResponseModel[];
  /** The URL of the first server of the operation, path item or description, variables at their defaults. */
  readonly server?: string;
  /** The credentials that it needs; absent where it needs none, or what it needs can't be told. */
  readonly security?: SecurityModel;
  /** The credentials to send with a request; absent where it needs none, or none of them can be told. */
  readonly credentials?: readonly CredentialModel[];
  /** Where all credentials are that it accepts, needed or not; absent where nothing says. */
  readonly keys?: readonly CredentialPlace[];
  /** The scopes of each alternative that it accepts; empty where it needs nothing, absent where nothing says. */
  readonly scopes?: readonly (readonly string[])[];
  /** The field `x-covtool-access` of the operation or its path item, as it is; absent where there is none. */
  readonly access?: unknown;
}

/** The alternatives of credentials that an operation accepts: at least one, each with at least one place. */
export type SecurityModel = readonly (readonly CredentialPlace[])[];

export interface CredentialPlace {
  /** The field `Authorization`, or where an API key is. */
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
  /** The media types of its body, as written; absent where none is documented. */
  readonly mediaTypes?: readonly string[];
  /** The response object, after following references; absent where there is none. */
  readonly place?: Place;
  /** Swagger 2.0: the media types of the operation's responses; absent where none are listed. */
  readonly produces?: readonly string[];
}

/** What a response carries, in the form of parameters: their examples do not count, so they have none. */
export interface ResponseContent {
  /** Its media types; in Swagger 2.0 one for all that the operation produces. */
  readonly mediaTypes: readonly ParameterModel[];
  /** Its header fields, `Content-Type` left out. */
  readonly headers: readonly ParameterModel[];
}

/** The encoding of a property in a form or multipart body (OpenAPI, Encoding Object). */
export interface EncodingModel {
  /** Media types, separated by commas. */
  readonly contentType?: string;
  /** The style of the property in forms; undefined if the description has none. */
  readonly style?: string;
  /** True if items and properties are fields of their own; undefined if not specified. */
  readonly explode?: boolean;
  /** True if reserved characters are sent as they are; undefined if not specified. */
  readonly allowReserved?: boolean;
}

export interface ExampleModel {
  /** The example's value; its pointer ends in `/example`, or in the field of an Example Object, such as `/value`. */
  readonly place: Place;
}

/** A parameter, or one media type of a body. */
export interface ParameterModel {
  /** The place that reports show for it. */
  readonly location: ParameterLocation;
  /** As written; for a body the media type, in Swagger 2.0 the parameter's name. */
  readonly name: string;
  /** True if it must be sent; path parameters always must. */
  readonly required: boolean;
  readonly deprecated: boolean;
  /** The parameter or media type object, after following references. */
  readonly place: Place;
  /** Undefined if there is none; parameters of Swagger 2.0 other than `body` are their own schemas. */
  readonly schema: Place | undefined;
  /** The schema of each item of sequential JSON (3.2). */
  readonly itemSchema?: Place;
  /** The field `in` of the description; `body` for the media types of a request body. */
  readonly in: "path" | "query" | "querystring" | "header" | "cookie" | "body" | "formData";
  /** The style, the default of the location where none is given. */
  readonly style: string;
  /** True if items and properties are separate parameters, by default as the style says. */
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Swagger 2.0 arrays: the formats of the array and of the arrays in it, outermost first. */
  readonly collectionFormat?: readonly string[];
  /** The media type of a parameter with `content`. */
  readonly content?: string;
  /** Swagger 2.0 bodies and form fields: the media types that apply; undefined if there are none. */
  readonly consumes?: readonly string[];
  /** The media type of a body (OpenAPI 3). */
  readonly mediaType?: string;
  /** By property, for bodies and for parameters with `content`. */
  readonly encoding?: Readonly<Record<string, EncodingModel>>;
  /** Examples of the parameter itself, in document order; those in its schema are not included. */
  readonly examples: readonly ExampleModel[];
}
