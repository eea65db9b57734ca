/** The beginning of every hits file, which tells it from recordings. */
export const HITS_START = '{"covtool_hits":';
