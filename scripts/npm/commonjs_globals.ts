/**
 * What the modules that Jest loads take from Node.js and not from their global environment, since some environments of
 * Jest, as the one for pages, lack it.
 *
 * @module
 */
export { ReadableStream } from "node:stream/web";
export { TextDecoder, TextEncoder } from "node:util";
