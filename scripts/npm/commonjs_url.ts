/**
 * Replaces `import.meta.url` in the package's CommonJS modules.
 *
 * @module
 */
import { pathToFileURL } from "node:url";

declare const __filename: string;

export const moduleUrl: string = pathToFileURL(__filename).href;
