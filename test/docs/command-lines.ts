/** The words of a command line as a shell would split it. A comment, a redirection or a pipe ends it. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const [, quoted, single, plain = ''] of line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)) {
    if (quoted === undefined && single === undefined && /^(?:#|&&|\|+|;|\d?>>?)/.test(plain)) break;
    words.push(quoted ?? single ?? plain);
  }
  return words;
}

/** The command lines of a block that call salvo, without `npx` and `$`. */
export function salvoLines(block: string): string[] {
  return block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line) => line.split(/&&|\|\|?|;/))
    .map((part) =>
      part
        .trim()
        .replace(/^(?:- run: |- |\$ )/, '')
        .replace(/^npx /, ''),
    )
    .filter((part) => /^salvo /.test(part));
}
