/** A name with a value. */
export interface PostmanPair {
  readonly key: string;
  /** Undefined if nothing follows the name, as in `?page`. */
  readonly value: string | undefined;
}

/** A part of a multipart form. */
export interface PostmanPart {
  readonly key: string;
  /** Undefined for a file that is known by its name only. */
  readonly value: string | Uint8Array | undefined;
  /** Undefined for a part that isn't a file. */
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
}

/** A body as a collection describes it. */
export type PostmanBody =
  | { readonly mode: "raw"; readonly text: string; readonly language: string | undefined }
  | { readonly mode: "urlencoded"; readonly fields: readonly PostmanPair[] }
  | { readonly mode: "formdata"; readonly parts: readonly PostmanPart[] }
  | { readonly mode: "file"; readonly content: Uint8Array | undefined }
  | {
    readonly mode: "graphql";
    readonly query: string | undefined;
    readonly operationName: string | undefined;
    /** JSON. */
    readonly variables: string | undefined;
  };

/** The authorization of a request. */
export interface PostmanAuth {
  /** `noauth`, `basic`, `bearer`, `apikey`, `oauth2`, … */
  readonly type: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A request as a collection of any version describes it, without its disabled parts and with nothing resolved. */
export interface PostmanRequest {
  readonly method: string;
  /** With its query; has `{{variables}}` and `:variables` of the path. */
  readonly url: string;
  /** Values for the `:variables` of the path. */
  readonly pathVariables: ReadonlyMap<string, string>;
  readonly headers: readonly PostmanPair[];
  readonly body: PostmanBody | undefined;
  /** Undefined if it is that of the folder. */
  readonly auth: PostmanAuth | undefined;
}

/** A request of a collection with the responses that were saved for it. */
export interface PostmanItem {
  readonly request: PostmanRequest;
  /** The settings of the collection, its folders and the request. */
  readonly auth: PostmanAuth | undefined;
  /** The lists of variables in scope, the innermost first. */
  readonly variables: readonly unknown[];
  /** True if a body is sent with methods that usually have none (`disableBodyPruning`). */
  readonly keepsBody: boolean;
  readonly responses: readonly PostmanResponse[];
  /** The place of the request. */
  readonly place: string;
}

/** A saved response. */
export interface PostmanResponse {
  /** The request that it answered; undefined if that is not kept. */
  readonly request: PostmanRequest | undefined;
  readonly status: unknown;
  /** Milliseconds; absent in examples, which somebody wrote or a tool made: no server sent those. */
  readonly time: unknown;
  readonly headers: readonly PostmanPair[];
  /** Text, or undefined. */
  readonly body: unknown;
  /** The bytes in its place: a `Buffer` of Node.js as JSON. */
  readonly stream: unknown;
  /** The place of the response. */
  readonly place: string;
}
