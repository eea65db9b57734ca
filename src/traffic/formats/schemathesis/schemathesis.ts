import { headerLookup } from "../../../http/headers.ts";
import type { HttpRequest, Interaction } from "../../../http/interaction.ts";
import { readCassetteEntry } from "../../cassette/cassette_request.ts";
import { asFields, isFields } from "../../decode/fields.ts";
import { Place, type RecordingFormat } from "../recording.ts";

const EVENT =
  /^(?:Initialize|(?:Loading|Engine|Phase|Suite|Scenario|Fuzz\w*)(?:Started|Finished))$/;

/** Events of Schemathesis (`--report ndjson`), one per line. Interactions are in the events of finished scenarios. */
export const SCHEMATHESIS_EVENTS: RecordingFormat = {
  name: "Schemathesis events",
  title: "Schemathesis",
  family: "cassette",
  recognize: (value) => {
    const event: unknown = Array.isArray(value) ? value[0] : value;
    if (!isFields(event)) return false;
    const [name = "", ...others] = Object.keys(event);
    return others.length === 0 && EVENT.test(name) && isFields(event[name]);
  },
  list: "",
  findEntries: (value) =>
    (Array.isArray(value) ? value : [value]).flatMap((event: unknown, index) => {
      const { recorder } = asFields(asFields(event)["ScenarioFinished"]);
      // Interactions by the identifier of their test case.
      return Object.entries(asFields(asFields(recorder)["interactions"]))
        .map(([id, exchange]) => ({ exchange, name: `event ${index + 1}, ${id}` }));
    }),
  begin: () => (entry, { problems }) => {
    const { exchange, name } = entry as { readonly exchange: unknown; readonly name: string };
    return readSchemathesisEntry(exchange, new Place(name, problems));
  },
};

const FILTERED = "[Filtered]";

/** Cassettes of Schemathesis (`--report vcr`; `--cassette-path` before version 4). */
export const SCHEMATHESIS: RecordingFormat = {
  name: "a Schemathesis cassette",
  title: "Schemathesis",
  family: "cassette",
  recognize: (value) => {
    if (!isFields(value) || !Array.isArray(value["http_interactions"])) return false;
    const { recorded_with: program } = value;
    if (typeof program === "string" && program.startsWith("Schemathesis")) return true;
    const first: unknown = value["http_interactions"][0];
    return isFields(first) && Array.isArray(first["checks"]);
  },
  list: "http_interactions",
  begin: () => readSchemathesisEntry,
};

function readSchemathesisEntry(entry: unknown, place: Place): Interaction | undefined {
  return readCassetteEntry(entry, place, {
    onRequest: (request, headers) => {
      if (!isFiltered(request, Object.keys(asFields(headers)))) return;
      place.addProblem(
        `values that Schemathesis replaced by ${FILTERED} are not recorded ` +
          "(with `--output-sanitize false` it keeps them)",
        "request",
      );
    },
  });
}

function isFiltered({ url, headers }: HttpRequest, names: readonly string[]): boolean {
  if (url.includes(FILTERED) || url.includes(encodeURIComponent(FILTERED))) return true;
  const lookup = headerLookup(headers);
  return names.some((name) => lookup.values(name).includes(FILTERED));
}
