/** A word of an expression in a template. */
export interface ExpressionToken {
  kind: 'name' | 'number' | 'text' | 'sign';
  text: string;
}

const SIGNS = ['===', '!==', '==', '!=', '<=', '>=', '**', '//', ...'+-*/%~<>|.,:()[]{}'];
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** The words of an expression. Throws a `SyntaxError` for a character that none can have. */
export function expressionTokens(text: string): ExpressionToken[] {
  const tokens: ExpressionToken[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (/\s/.test(character)) at += 1;
    else if (character === '"' || character === "'") at = readText(text, at, tokens);
    else {
      const word = /^(?:[A-Za-z_$][\w$]*|\d+(?:\.\d+)?)/.exec(text.slice(at, at + 200))?.[0];
      const sign = word === undefined ? SIGNS.find((each) => text.startsWith(each, at)) : undefined;
      const found = word ?? sign;
      if (found === undefined) throw new SyntaxError(`unexpected ${JSON.stringify(character)}`);
      const kind = word === undefined ? 'sign' : /^\d/.test(word) ? 'number' : 'name';
      tokens.push({ kind, text: found });
      at += found.length;
    }
  }
  return tokens;
}

function readText(text: string, start: number, tokens: ExpressionToken[]): number {
  let content = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === text[start]) {
      tokens.push({ kind: 'text', text: content });
      return at + 1;
    }
    if (character === '\\') {
      at += 1;
      const escaped = text[at] ?? '';
      content += ESCAPES[escaped] ?? escaped;
    } else content += character;
  }
  throw new SyntaxError('a quote is never closed');
}
