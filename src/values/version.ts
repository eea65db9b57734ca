/** The first characters of every hits file, which distinguish it from recordings. */
export const HITS_START = '{"covtool_hits":';

export const VERSION = "0.1.0";
