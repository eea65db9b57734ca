/** The beginning of every hits file, which tells it from recordings. */
export const HITS_START = '{"covtool_hits":';

/** The version of covtool, as reports and `--version` give it. */
export const VERSION = "0.1.0";
