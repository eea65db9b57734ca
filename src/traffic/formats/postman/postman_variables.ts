import { nameKind } from "../../../redact/secret_names.ts";
import { asList, isFields } from "../../decode/fields.ts";
import { postmanText } from "./postman_request.ts";
import type { PostmanValues, Problems } from "../recording.ts";

type Values = ReadonlyMap<string, string>;

const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** Values may contain variables. Postman follows them to this depth. */
const MAX_ROUNDS = 19;

/** Maximum growth of a text in UTF-16 units, since variables can double each other. */
const MAX_GROWTH = 1 << 20;

/** A variable within the name of another one. */
const NESTED = /\{\{[^}]*\{\{/;

interface InsertState {
  readonly open: Set<string>;
  room: number;
}

const NAMES_LISTED = 12;

class ResolutionNotes {
  readonly secrets = new Set<string>();
  readonly names = new Set<string>();
  readonly places: string[] = [];
  /** Variables without a value that are a URL's scheme and host. */
  readonly origins = new Set<string>();
  readonly originPlaces: string[] = [];
  dynamic = 0;
}

/** Variables in scope. Precedence: the environment, then inner scopes before outer ones, then globals. */
export class PostmanVariables {
  readonly #overrides: Values;
  readonly #scopes: readonly Values[];
  readonly #notes: ResolutionNotes;

  /** Creates the outermost scope with external values, or a scope within another one that has its own list. */
  constructor(
    values: PostmanValues = { environment: {} },
    within?: { readonly outer: PostmanVariables; readonly list: unknown },
  ) {
    if (within === undefined) {
      this.#overrides = new Map(Object.entries(values.environment));
      this.#scopes = [new Map(Object.entries(values.globals ?? {}))];
      this.#notes = new ResolutionNotes();
      for (const secret of values.secrets ?? []) this.addSecret(secret);
    } else {
      this.#overrides = within.outer.#overrides;
      this.#scopes = [readValues(within.list), ...within.outer.#scopes];
      this.#notes = within.outer.#notes;
      for (const secret of readSecretValues(within.list)) this.addSecret(secret);
    }
  }

  extend(list: unknown): PostmanVariables {
    if (!Array.isArray(list) || list.length === 0) return this;
    return new PostmanVariables(undefined, { outer: this, list });
  }

  /** Inserts the values of variables. As in Postman, variables without a value stay as written. */
  resolve(text: string, place: string): string {
    const resolved = this.#resolveAll(text);
    this.#addUnresolvedIn(resolved, place);
    return resolved;
  }

  /** Resolves a URL. If scheme and host are a variable without a value, only the path is returned. */
  resolveUrl(text: string, place: string): string {
    // Where a description names no server, Postman makes a variable for it whose value is `/`.
    const first = /^\{\{[^{}]*\}\}(?=\/)/.exec(text)?.[0] ?? "";
    const isSlash = first !== "" && this.#resolveAll(first) === "/";
    const resolved = this.#resolveAll(isSlash ? text.slice(first.length) : text);
    const parts = unresolvedUrl(resolved);
    if (parts !== undefined) {
      this.#notes.origins.add(parts.origin);
      this.#notes.originPlaces.push(place);
    }
    this.#addUnresolvedIn(parts?.path ?? resolved, place);
    return parts?.path ?? resolved;
  }

  #resolveAll(text: string): string {
    const state: InsertState = { open: new Set(), room: text.length + MAX_GROWTH };
    let resolved = text;
    for (let round = 0; round < MAX_ROUNDS && state.room > 0; round++) {
      const next = this.#insertValues(resolved, state);
      // Only a name that contains variables, such as `{{{{name}}}}`, needs another round.
      if (next === resolved || !NESTED.test(resolved)) return next;
      resolved = next;
    }
    return resolved;
  }

  /** Inserts values, and resolves the variables in them. A variable in its own value stays as written. */
  #insertValues(text: string, state: InsertState): string {
    return text.replace(VARIABLE, (written, name: string) => {
      const { open } = state;
      if (open.has(name) || open.size >= MAX_ROUNDS || state.room <= 0) return written;
      const value = this.#find(name);
      if (value === undefined) return written;
      state.room -= value.length;
      open.add(name);
      const filled = value.includes("{{") ? this.#insertValues(value, state) : value;
      open.delete(name);
      return filled;
    });
  }

  #addUnresolvedIn(resolved: string, place: string): void {
    for (const [written, name = ""] of resolved.matchAll(VARIABLE)) {
      if (name.trim() !== "") this.addUnresolved(written, place);
    }
  }

  addUnresolved(written: string, place: string): void {
    this.#notes.names.add(written);
    this.#notes.places.push(place);
  }

  secrets(): string[] {
    return [...this.#notes.secrets];
  }

  addSecret(value: string): void {
    // If a value consists of variables, their values are the secrets.
    if (value !== "" && !value.includes("{{")) this.#notes.secrets.add(value);
  }

  report(problems: Problems): void {
    const { names, places, origins, originPlaces } = this.#notes;
    for (const place of originPlaces) {
      problems.add(
        `a URL begins with a variable that has no value, which is read as scheme and host: ${
          listNames(origins)
        }. An environment (\`--env\`) gives it one`,
        place,
      );
    }
    const stay = names.size === 1
      ? "the variable has no value in the collection and stays as written"
      : "variables have no value in the collection and stay as written";
    for (const place of places) problems.add(`${stay}: ${listNames(names)}`, place);
  }

  #find(name: string): string | undefined {
    for (const key of [name, name.trim()]) {
      const value = this.#overrides.get(key) ??
        this.#scopes.find((scope) => scope.has(key))?.get(key);
      if (value !== undefined) return value;
    }
    const dynamic = postmanDynamicVariable(name.trim(), this.#notes.dynamic + 1);
    if (dynamic !== undefined) this.#notes.dynamic++;
    return dynamic;
  }
}

function listNames(names: ReadonlySet<string>): string {
  const listed = [...names].slice(0, NAMES_LISTED).join(", ");
  const more = names.size > NAMES_LISTED ? ` and ${names.size - NAMES_LISTED} more` : "";
  return listed + more;
}

function readValues(list: unknown): Values {
  const values = new Map<string, string>();
  for (const variable of asList(list)) {
    if (!isFields(variable) || variable["disabled"] === true) continue;
    const name = variable["key"] ?? variable["id"];
    const value = postmanText(variable["value"]);
    if (typeof name === "string" && value !== undefined) values.set(name, value);
  }
  return values;
}

/** Returns the values of variables with the type `secret`, or with a name like that of a password or key. */
export function readSecretValues(list: unknown): string[] {
  const values: string[] = [];
  for (const variable of asList(list)) {
    if (!isFields(variable)) continue;
    const value = postmanText(variable["value"]);
    const name = variable["key"] ?? variable["id"];
    const isSecret = variable["type"] === "secret" ||
      typeof name === "string" && nameKind(name) === "secret";
    if (isSecret && value !== undefined) values.push(value);
  }
  return values;
}

const SCHEME = /^(?:[a-z][a-z\d+.-]*|\{\{[^{}]*\}\}):\/\//i;
/** A variable, or two if the first is by its name a scheme, whose value may include `://`. */
const LEADING_VARIABLE = /^(?:\{\{\s*(?:proto|protocol|scheme)\s*\}\})?\{\{[^{}]*\}\}/i;
/** Scheme, host and port, any of which may be variables. Names of variables may contain any character. */
const ORIGIN = /^(?:(?:[a-z][a-z\d+.-]*|\{\{[^{}]*\}\}):\/\/)?(?:\{\{[^{}]*\}\}|[^/?#])*/i;

/** Splits a URL whose scheme and host, or a part of them, are a variable without a value; else undefined. */
export function unresolvedUrl(
  text: string,
): { readonly origin: string; readonly path: string } | undefined {
  let origin = ORIGIN.exec(text)?.[0] ?? "";
  const first = LEADING_VARIABLE.exec(text)?.[0];
  // If the variable is followed by more of the host or by a port, these belong to the origin; else the path begins.
  if (first !== undefined && !SCHEME.test(text) && !/^[.:@-]/.test(text.slice(first.length))) {
    origin = first;
  }
  if (!/\{\{[^{}]*\}\}/.test(origin)) return undefined;
  const rest = text.slice(origin.length);
  return { origin, path: rest.startsWith("/") ? rest : `/${rest}` };
}

type Value = string | ((occurrence: number) => string);

function uuid(occurrence: number): string {
  return `7f3d9a52-6c1e-4b08-9a4d-${occurrence.toString(16).padStart(12, "0")}`;
}

/** The time of all requests without a recorded one: noon of the first day of 2026, UTC. */
const NOW = "2026-01-01T12:00:00.000Z";

const LOREM = "Lorem ipsum dolor sit amet, consectetur adipiscing elit.";

/** Postman's dynamic variables (https://learning.postman.com/docs/tests-and-scripts/write-scripts/variables-list). */
const VALUES: Readonly<Record<string, Value>> = {
  $guid: uuid,
  $randomUUID: uuid,
  $timestamp: String(Date.parse(NOW) / 1000),
  $isoTimestamp: NOW,
  $randomInt: (occurrence) => String((occurrence * 37) % 1001),
  $randomBoolean: (occurrence) => String(occurrence % 2 === 0),
  $randomAlphaNumeric: (occurrence) => (occurrence % 36).toString(36),
  $randomHexColor: "#47594a",
  $randomColor: "teal",
  $randomAbbreviation: "SQL",
  $randomSemver: "7.0.5",

  $randomIP: "192.0.2.17",
  $randomIPV6: "2001:db8:0:0:0:0:0:17",
  $randomMACAddress: "02:00:5e:10:00:17",
  $randomPassword: "t9iXe7COoDKv8k3",
  $randomLocale: "en",
  $randomUserAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
  $randomProtocol: "https",
  $randomUrl: "https://example.com",
  $randomDomainName: "example.com",
  $randomDomainSuffix: "com",
  $randomDomainWord: "example",
  $randomEmail: "ada.lovelace@example.com",
  $randomExampleEmail: "ada.lovelace@example.com",
  $randomUserName: "ada.lovelace",

  $randomFirstName: "Ada",
  $randomLastName: "Lovelace",
  $randomFullName: "Ada Lovelace",
  $randomNamePrefix: "Dr.",
  $randomNameSuffix: "PhD",
  $randomJobArea: "Mobility",
  $randomJobDescriptor: "Senior",
  $randomJobTitle: "Senior Mobility Engineer",
  $randomJobType: "Engineer",
  $randomPhoneNumber: "700-008-5275",
  $randomPhoneNumberExt: "27-199-983-3864",
  $randomCity: "Spinkahaven",
  $randomStreetName: "Kuhic Island",
  $randomStreetAddress: "5742 Harvey Streets",
  $randomCountry: "Norway",
  $randomCountryCode: "NO",
  $randomLatitude: "55.2099",
  $randomLongitude: "40.6609",

  $randomAvatarImage: "https://example.com/avatar.jpg",
  $randomImageUrl: "https://example.com/640/480",
  $randomAbstractImage: "https://example.com/640/480/abstract",
  $randomAnimalsImage: "https://example.com/640/480/animals",
  $randomBusinessImage: "https://example.com/640/480/business",
  $randomCatsImage: "https://example.com/640/480/cats",
  $randomCityImage: "https://example.com/640/480/city",
  $randomFoodImage: "https://example.com/640/480/food",
  $randomNightlifeImage: "https://example.com/640/480/nightlife",
  $randomFashionImage: "https://example.com/640/480/fashion",
  $randomPeopleImage: "https://example.com/640/480/people",
  $randomNatureImage: "https://example.com/640/480/nature",
  $randomSportsImage: "https://example.com/640/480/sports",
  $randomTransportImage: "https://example.com/640/480/transport",
  $randomImageDataUri: "data:image/svg+xml;charset=UTF-8,%3Csvg%2F%3E",

  $randomBankAccount: "09454073",
  $randomBankAccountName: "Savings Account",
  $randomCreditCardMask: "3622",
  $randomBankAccountBic: "EZIAUGJ1",
  $randomBankAccountIban: "GB33BUKB20201555555555",
  $randomTransactionType: "invoice",
  $randomCurrencyCode: "EUR",
  $randomCurrencyName: "Euro",
  $randomCurrencySymbol: "€",
  $randomBitcoin: "3VB8JGT7Y4Z63U68KGGKDXMLLH5",
  $randomPrice: "531.55",
  $randomCompanyName: "Johns and Sons",
  $randomCompanySuffix: "Inc",
  $randomBs: "killer leverage schemas",
  $randomBsAdjective: "viral",
  $randomBsBuzz: "repurpose",
  $randomBsNoun: "markets",
  $randomCatchPhrase: "Future-proofed heuristic archive",
  $randomCatchPhraseAdjective: "Self-enabling",
  $randomCatchPhraseDescriptor: "bandwidth-monitored",
  $randomCatchPhraseNoun: "secured line",
  $randomDepartment: "Tools",
  $randomProduct: "Towels",
  $randomProductName: "Handmade Concrete Tuna",
  $randomProductAdjective: "Unbranded",
  $randomProductMaterial: "Steel",

  $randomDateFuture: "2026-09-17T13:11:53.000Z",
  $randomDatePast: "2025-03-02T09:09:26.000Z",
  $randomDateRecent: "2025-12-31T18:22:07.000Z",
  $randomMonth: "February",
  $randomWeekday: "Thursday",
  $randomDatabaseColumn: "updatedAt",
  $randomDatabaseType: "tinyint",
  $randomDatabaseCollation: "utf8_unicode_ci",
  $randomDatabaseEngine: "InnoDB",

  $randomFileName: "neural_sri_lanka.gdoc",
  $randomFileType: "model",
  $randomFileExt: "war",
  $randomCommonFileName: "well_modulated.mpg4",
  $randomCommonFileType: "application",
  $randomCommonFileExt: "m2v",
  $randomFilePath: "/home/programming_chicken.cpio",
  $randomDirectoryPath: "/usr/bin",
  $randomMimeType: "application/json",

  $randomNoun: "matrix",
  $randomVerb: "parse",
  $randomIngverb: "synthesizing",
  $randomAdjective: "auxiliary",
  $randomWord: "withdrawal",
  $randomWords: "Samoa synergistic sticky",
  $randomPhrase: "You can't program the monitor without navigating the mobile XML program!",
  $randomLoremWord: "est",
  $randomLoremWords: "vel repellat nobis",
  $randomLoremSentence: LOREM,
  $randomLoremSentences: `${LOREM} ${LOREM}`,
  $randomLoremParagraph: `${LOREM} ${LOREM} ${LOREM}`,
  $randomLoremParagraphs: `${LOREM} ${LOREM}\n \r${LOREM} ${LOREM}`,
  $randomLoremText: LOREM,
  $randomLoremSlug: "eos-aperiam-accusamus",
  $randomLoremLines: `${LOREM}\n${LOREM}`,
};

export function postmanDynamicVariable(name: string, occurrence: number): string | undefined {
  if (!Object.hasOwn(VALUES, name)) return undefined;
  const value = VALUES[name];
  return typeof value === "function" ? value(occurrence) : value;
}
