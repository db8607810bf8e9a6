/**
 * A table of GitHub-flavoured Markdown, or no lines without rows. Cells are Markdown already. `alignment` has a letter
 * per column, `l` or `r`; without it the first column is left-aligned and the others are right-aligned.
 */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  alignment = header.map((_, index) => (index === 0 ? 'l' : 'r')).join(''),
): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = [...alignment].map((letter) => (letter === 'l' ? '---' : '---:'));
  return [line(header), line(rule), ...rows.map(line)];
}
