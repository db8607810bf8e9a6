import type { SourceText, Span } from '../../text/source-text.ts';
import type { Path } from '../diagnostics/located-value.ts';

/**
 * Where a field is written in a file of code. Values are computed, so this is known only if the name of the field, or of
 * one that it is in, occurs just once as a key. Otherwise it is the beginning of the file.
 */
export function codePlace(source: SourceText, path: Path): Span {
  for (const step of path.toReversed()) {
    if (typeof step === 'number' || !/^\w+$/.test(step)) continue;
    const found = [...source.text.matchAll(new RegExp(`(?<=(?:^|[{,])[ \\t]{0,80})${step}(?=\\s{0,20}[:(])`, 'gm'))];
    const [only] = found;
    if (only && found.length === 1) return { source, start: only.index, end: only.index + step.length };
  }
  return { source, start: 0, end: 0 };
}
