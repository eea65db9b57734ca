const loading = () => import("./measure_loading.ts");
const recording = () => import("./measure_recording.ts");
const reports = () => import("./measure_reports.ts");
const suggestions = () => import("./measure_suggestions.ts");

/** Measurements, each of which runs in its own process and is the only one loaded there. */
export const PARTS = {
  load: async (name: string) => (await loading()).measureLoading(name),
  corpus: async () => (await loading()).measureCorpus(),
  record: async (name: string, count = "20000") =>
    (await recording()).measureRecording(name, Number(count)),
  ajv: async (name: string) => (await recording()).measureValidation(name),
  growth: async (name: string, most: string) =>
    (await recording()).measureGrowth(name, Number(most)),
  operations: async (count: string) => (await recording()).measureOperations(Number(count)),
  report: async (name: string, count: string) =>
    (await reports()).measureReports(name, Number(count)),
  merge: async (name: string, count: string) => (await reports()).measureMerge(name, Number(count)),
  watch: async () => (await reports()).measureWatch(),
  suggest: async (name: string) => (await suggestions()).measureSuggestions(name),
  suggestAll: async () => (await suggestions()).measureSuggestionsOfAll(),
  read: async (how: string, path: string) =>
    (await import("./measure_reading.ts")).measureReading(how, path),
};

/** The name of a measurement. */
export type Part = keyof typeof PARTS;

/** The result of a measurement. */
export type Result<P extends Part> = Awaited<ReturnType<(typeof PARTS)[P]>>;
