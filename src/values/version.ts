/** The version of covtool, as reports and `--version` give it. */
export const VERSION = "0.1.0";
