const OPTION = /\{option:([\w.]+)\}/g;

/**
 * Messages name an option as `{option:maxDrop}`: who calls the library reads `maxDrop` in backticks, and who uses the
 * command line the flag that `name` returns.
 */
export function nameOptions(message: string, name: (option: string) => string): string {
  return message.replace(OPTION, (_, option: string) => name(option));
}
