import type { Finding } from '../../../match/claims/finding.ts';
import { mergeFindings } from '../merge-findings.ts';
import type { FindQuote } from './find-quote.ts';
import { proveFindings } from './prove-findings.ts';
import { type Review, reviewOnce } from './review.ts';
import type { Technique } from './technique.ts';

const MOST_PASSES = 3;

/** Reviews one part of the code: once, again until nothing new is found, or with a proof for each finding. */
export async function reviewByTechnique(review: Review, technique: Technique, find: FindQuote): Promise<Finding[]> {
  const first = await reviewOnce(review);
  if (technique === 'precise') return proveFindings(review, first, find);
  return technique === 'iterative' ? reviewRepeatedly(review, first) : first;
}

async function reviewRepeatedly(review: Review, first: readonly Finding[]): Promise<Finding[]> {
  let found = [...first];
  for (let pass = 2; pass <= MOST_PASSES; pass += 1) {
    const more = await reviewOnce(review, found);
    const groups = mergeFindings([found, more]);
    // The same model reporting a finding again does not make it more certain, so only new ones are kept.
    const fresh = groups.slice(found.length).map(({ finding }) => finding);
    review.dropped.add('it was reported in an earlier pass', more.length - fresh.length);
    if (fresh.length === 0) break;
    found = [...found, ...fresh];
  }
  return found;
}
