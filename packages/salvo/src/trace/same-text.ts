const REDACTED = /\[REDACTED(?::\w+)?\]/;

/** Whether a text of a trace is what was given, apart from spaces, and from secrets that were redacted when it was stored. */
export function isSameText(reported: string, given: string): boolean {
  const [first = '', ...others] = squeezed(reported).split(REDACTED);
  const text = squeezed(given);
  if (squeezed(reported) === text) return true;
  const last = others.pop();
  if (last === undefined || !text.startsWith(first)) return false;
  let from = first.length;
  for (const piece of others) {
    const found = text.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return text.length >= from + last.length && text.endsWith(last);
}

function squeezed(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
