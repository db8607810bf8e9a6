import { visibleControls } from '../../../text/output/safe-text.ts';

/** Attributes of an element, each after a blank. */
export function attributes(values: Record<string, string | number>): string {
  const escaped = Object.entries(values).map(([name, value]) => {
    const text = content(String(value)).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
    return ` ${name}="${text}"`;
  });
  return escaped.join('');
}

/** XML 1.0 has no way at all to write most control characters, lone surrogates, U+FFFE and U+FFFF. */
export function content(text: string): string {
  return visibleControls(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#13;');
}
