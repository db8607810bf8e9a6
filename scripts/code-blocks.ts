export interface CodeBlock {
  /** The word after the fence: `sh` for commands, `text` for what they print. */
  language: string;
  text: string;
  /** Where the text begins and ends in the page. */
  start: number;
  end: number;
}

/** The fenced blocks of a Markdown page, in their order. */
export function codeBlocks(page: string): CodeBlock[] {
  return [...page.matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^\1```$/gm)].map((match) => {
    const [, indent = '', language = '', text = ''] = match;
    const start = match.index + indent.length + '```\n'.length + language.length;
    return { language, text, start, end: start + text.length };
  });
}
