/** A shorter one belongs to what is said: `(CMK)`, `(missing encryption block)`. */
const FEWEST_WORDS = 8;
const PARENTHESES = /\(([^()]*)\)/g;

/** A title without its long remarks in parentheses: those give reasons, and reasons touch on other flaws. */
export function splitAsides(title: string): { title: string; asides: string } {
  const asides: string[] = [];
  const rest = title.replace(PARENTHESES, (whole, inner: string) => {
    if (inner.trim().split(/\s+/).length < FEWEST_WORDS) return whole;
    asides.push(inner);
    return ' ';
  });
  return rest.trim() === '' ? { title, asides: '' } : { title: rest, asides: asides.join(' . ') };
}
