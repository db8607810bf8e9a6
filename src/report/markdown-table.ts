/** A table of GitHub-flavoured Markdown: the first column left, the others right. Cells are Markdown already; none without a row. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, index) => (index === 0 ? '---' : '---:'));
  return [line(header), line(rule), ...rows.map(line)];
}
