/** A JSON object or array over several lines; any other text, and one too long or too deep to gain by it, as it is. */
export function prettyJson(text: string, maxChars: number): string {
  if (text.length > maxChars || !/^\s*[[{]/.test(text)) return text;
  try {
    const pretty = JSON.stringify(JSON.parse(text), null, 2);
    // Deep nesting turns into more indentation than content.
    return pretty.length > text.length * 4 + 1000 ? text : pretty;
  } catch {
    return text;
  }
}

/** JSON on one line. A value nested deeper than the stack allows is told, not thrown. */
export function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return '(nested too deeply to be shown)';
  }
}
