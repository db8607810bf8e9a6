/** Texts as Red edits them: without a byte order mark, with `\n` as the line end and one at the end. */
export function plainTexts(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([file, text]) => {
      const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
      return [file, plain === '' || plain.endsWith('\n') ? plain : `${plain}\n`];
    }),
  );
}

/**
 * Edited texts with the line ends of the originals; a new file has those of most files. A file without edits is as it
 * was, byte by byte.
 */
export function withOwnLineEnds(
  edited: Readonly<Record<string, string>>,
  originals: Readonly<Record<string, string>>,
): Record<string, string> {
  const texts = Object.values(originals);
  const isUsual = texts.filter(hasReturns).length * 2 > texts.length;
  const plain = plainTexts(originals);
  const changed = Object.entries(edited).flatMap(([file, text]): [string, string][] => {
    const original = originals[file];
    if (original !== undefined && plain[file] === text) return [];
    const withReturns = original === undefined ? isUsual : hasReturns(original);
    const mark = original?.startsWith('\uFEFF') ? '\uFEFF' : '';
    return [[file, mark + (withReturns ? text.replaceAll('\n', '\r\n') : text)]];
  });
  return { ...originals, ...Object.fromEntries(changed) };
}

function hasReturns(text: string): boolean {
  return text.includes('\r\n');
}
