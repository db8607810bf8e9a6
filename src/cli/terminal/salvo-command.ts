/** How this command was started, for processes that it starts itself. */
export function salvoCommand(): string[] {
  return [process.execPath, ...process.execArgv, ...process.argv.slice(1, 2)];
}
