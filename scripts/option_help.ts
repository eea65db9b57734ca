/** The help of an option on the command line, in the words of a config file. */
export function keyText(help: string): string {
  return help
    .replace(/;? Can be repeated(; later values win)?\./gi, "")
    .replace(/Can be repeated; (\w)/, (_match, letter: string) => letter.toUpperCase())
    .replace(/; can be repeated\./gi, ".")
    .replace(/Comma-separated (\w)/, (_match, letter: string) => letter.toUpperCase())
    .replace("comma-separated ", "")
    .replace(/ Comma-separated\.?$/, "")
    .replace(
      /--([a-z-]+[a-z])/g,
      (_match, name: string) =>
        `\`${name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())}\``,
    );
}
