/** The words of a command line as a shell would split it. A comment, a redirection or a pipe ends it. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const [, quoted, single, plain = ''] of line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)) {
    if (quoted === undefined && single === undefined && /^(?:#|&&|\|+|;|\d?>>?)/.test(plain)) break;
    words.push(quoted ?? single ?? plain);
  }
  return words;
}

export interface CodeBlock {
  /** The word after the fence, such as yaml; empty for commands and what they print. */
  language: string;
  text: string;
  /** Where the text begins in the page. */
  index: number;
}

/** The fenced blocks of a page, in their order. */
export function codeBlocks(page: string): CodeBlock[] {
  return [...page.matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const [, indent = '', info = '', text = ''] = match;
    return { language: info.split(' ', 1)[0] ?? '', text, index: match.index + indent.length + info.length + 4 };
  });
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
        .replace(/^(?:- run: |\$ )/, '')
        .replace(/^npx /, ''),
    )
    .filter((part) => /^salvo /.test(part));
}
