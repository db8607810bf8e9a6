/** From `start` up to `end` of a text. */
export interface Span {
  start: number;
  end: number;
}

const MARKERS = /\[REDACTED(?::\w+)?\]/g;

/** Where a global pattern matches. */
export function matchSpans(pattern: RegExp, text: string): Span[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({ start: index, end: index + match.length }));
}

/**
 * Replaces each span by the marker. A pattern can also match inside an earlier marker, which then stays (`\w+` matches
 * every marker), or across one, which is then replaced as a whole.
 */
export function replaceSpans(text: string, spans: readonly Span[], marker: string): string {
  if (spans.length === 0) return text;
  const markers = text.includes('[REDACTED') ? matchSpans(MARKERS, text) : [];
  let next = 0;
  let redacted = '';
  let done = 0;
  for (const span of spans) {
    let { start, end } = span;
    while ((markers[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
    const first = markers[next];
    if (first !== undefined && first.start <= start && end <= first.end) continue;
    if (first !== undefined && first.start < start) start = first.start;
    for (let at = next; (markers[at]?.start ?? Number.POSITIVE_INFINITY) < end; at++) {
      end = Math.max(end, markers[at]?.end ?? end);
      next = at;
    }
    if (end <= start || end <= done) continue;
    redacted += start < done ? '' : text.slice(done, start) + marker;
    done = end;
  }
  return redacted + text.slice(done);
}
