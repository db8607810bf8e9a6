import { SalvoError } from '../text/salvo-error.ts';
import type { Span } from './spans.ts';

/** A project's own pattern, as a function that finds it. RE2: no pattern can hang, whatever the text. */
export async function compileCustomPattern(pattern: string): Promise<(text: string) => Span[]> {
  const { RE2JS } = await import('re2js');
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => {
      const spans: Span[] = [];
      const matcher = compiled.matcher(text);
      while (matcher.find()) {
        // An empty match hides nothing.
        if (matcher.end() > matcher.start()) spans.push({ start: matcher.start(), end: matcher.end() });
      }
      return spans;
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SalvoError(
      'REDACTION_PATTERN_INVALID',
      `The custom_redaction_patterns entry ${JSON.stringify(pattern)} is not a valid regular expression: ${reason}. Look-around and backreferences are not supported.`,
      { cause },
    );
  }
}
