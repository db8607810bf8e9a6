/** A tool call's arguments as JSON. */
export function toolArgumentsText(args: Record<string, unknown>): string {
  try {
    return JSON.stringify(args);
  } catch {
    // JSON.stringify ran out of stack.
    return '(nested too deeply to show)';
  }
}
