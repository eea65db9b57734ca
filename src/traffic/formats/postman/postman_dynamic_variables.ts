type Value = string | ((occurrence: number) => string);

/** A different version 4 UUID for each occurrence. */
function uuid(occurrence: number): string {
  return `7f3d9a52-6c1e-4b08-9a4d-${occurrence.toString(16).padStart(12, "0")}`;
}

/** The time of every recording that has none: noon of the first day of 2026, UTC. */
const NOW = "2026-01-01T12:00:00.000Z";

const LOREM = "Lorem ipsum dolor sit amet, consectetur adipiscing elit.";

/** The names that Postman gives values (https://learning.postman.com/docs/tests-and-scripts/write-scripts/variables-list). */
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

/** What Postman could have put in, the same on every run; undefined for names that it does not know. */
export function postmanDynamicVariable(name: string, occurrence: number): string | undefined {
  if (!Object.hasOwn(VALUES, name)) return undefined;
  const value = VALUES[name];
  return typeof value === "function" ? value(occurrence) : value;
}
