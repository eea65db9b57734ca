/** The icon of every page, as a URL that holds it. */
export const PAGE_ICON: string = "data:image/svg+xml," + encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">` +
    `<circle cx="8" cy="8" r="6.5" fill="none" stroke="#0f766e" stroke-width="2"/>` +
    `<path d="M8 1.5a6.5 6.5 0 0 1 0 13z" fill="#0f766e"/></svg>`,
);
