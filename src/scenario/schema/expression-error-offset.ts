/** Expressions longer than this are not searched for their error: each step compiles a beginning of it. */
const MAX_SEARCHED = 1000;

interface Library {
  tokenize(expression: string): { start: number; type: string }[];
  compile(expression: string): unknown;
}

/**
 * Where a JMESPath expression goes wrong, which the library does not say: at the end of the shortest beginning that
 * nothing could complete. A beginning that could be completed fails at the end of input or not at all.
 */
export function expressionErrorOffset(expression: string, library: Library): number | undefined {
  if (expression.length > MAX_SEARCHED) return undefined;
  const tokens = tokensOf(expression, library);
  if (!tokens) return undefined;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'EOF') return expression.length;
    const end = tokens[index + 1]?.start ?? expression.length;
    if (!canBeCompleted(expression.slice(0, end), library)) return token.start;
  }
  return expression.length;
}

function tokensOf(expression: string, library: Library) {
  try {
    return library.tokenize(expression);
  } catch {
    return null;
  }
}

function canBeCompleted(beginning: string, library: Library): boolean {
  try {
    library.compile(beginning);
    return true;
  } catch (error) {
    return error instanceof Error && error.message.includes('EOF');
  }
}
