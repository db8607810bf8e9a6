/** A text as one word of a POSIX shell: as it is when that is safe, otherwise in single quotes. */
export function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
