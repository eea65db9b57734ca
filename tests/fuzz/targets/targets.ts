import type { FuzzTarget } from "../fuzz_target.ts";
import { commandLines } from "./command_lines.ts";
import { configFiles } from "./config_files.ts";
import { descriptions, descriptionTexts } from "./descriptions.ts";
import { hitsFiles } from "./hits_files.ts";
import { proxyBytes } from "./proxy_bytes.ts";
import { recordings } from "./recordings.ts";
import { xmlBodies } from "./xml_bodies.ts";

/** All targets. */
export const TARGETS: readonly FuzzTarget[] = [
  descriptions,
  descriptionTexts,
  recordings,
  xmlBodies,
  hitsFiles,
  configFiles,
  commandLines,
  proxyBytes,
];
