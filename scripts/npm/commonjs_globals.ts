/**
 * Globals that modules take from Node.js when Jest loads them, since some of Jest's environments, such as jsdom, lack
 * these globals.
 *
 * @module
 */
export { ReadableStream } from "node:stream/web";
export { TextDecoder, TextEncoder } from "node:util";
