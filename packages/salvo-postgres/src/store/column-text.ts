/**
 * A text as it can be in a column: PostgreSQL refuses NULs, and lone surrogates have no form in UTF-8. Both are written
 * as a backslash and four digits, and so is a backslash. Every other text is left as it is.
 */
export function columnText(text: string): string {
  if (text.isWellFormed() && !/[\0\\]/.test(text)) return text;
  return text.replace(/[\0\\]|\p{Surrogate}/gu, (character) => {
    return `\\${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** The exact inverse. */
export function textInColumn(column: string): string {
  if (!column.includes('\\')) return column;
  return column.replace(/\\([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** The same for a column that can be null. */
export function nullableText(text: string | null): string | null {
  return text === null ? null : columnText(text);
}

/** A row as it was before `columnText`: the columns with these names have texts, all others are left as they are. */
export function withTexts(row: Record<string, unknown>, columns: readonly string[]): Record<string, unknown> {
  const texts = columns.map((name) => [name, typeof row[name] === 'string' ? textInColumn(row[name]) : row[name]]);
  return { ...row, ...Object.fromEntries(texts) };
}
