import { formatCount } from '../../stats/format.ts';
/** Something of a trial that the judge did not see. A document: stored with the judgement. */
export interface LeftOut {
  /** Such as "final response", or "calls 55 to 347 of 400". Has no text of the agent. */
  what: string;
  characters: number;
}

/** More would not be read. */
const MOST_NAMED = 4;

/** What the judge did not see, as a sentence; null when it saw all. */
export function leftOutNote(leftOut: readonly LeftOut[]): string | null {
  if (leftOut.length === 0) return null;
  const named = leftOut.toSorted((a, b) => b.characters - a.characters).slice(0, MOST_NAMED);
  const rest = leftOut.length - named.length;
  const list = named.map(({ what, characters }) => (characters > 0 ? `${what} (${formatCount(characters)})` : what));
  const total = leftOut.reduce((sum, { characters }) => sum + characters, 0);
  return `The judge did not see ${formatCount(total)} characters: ${[...list, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}.`;
}
