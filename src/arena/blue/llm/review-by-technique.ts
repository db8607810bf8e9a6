import type { Finding } from '../../../match/claims/finding.ts';
import { mergeFindings } from '../merge-findings.ts';
import type { FindQuote } from './find-quote.ts';
import { proveFindings } from './prove-findings.ts';
import { type Review, reviewOnce } from './review.ts';
import type { Technique } from './technique.ts';

const MOST_PASSES = 3;

/** How one reviewer looks at one part of the code: once, again until nothing new comes, or with proof. */
export async function lookAt(review: Review, technique: Technique, find: FindQuote): Promise<Finding[]> {
  const first = await reviewOnce(review);
  if (technique === 'precise') return proveFindings(review, first, find);
  return technique === 'iterative' ? lookAgain(review, first) : first;
}

async function lookAgain(review: Review, first: readonly Finding[]): Promise<Finding[]> {
  let found = [...first];
  for (let pass = 2; pass <= MOST_PASSES; pass += 1) {
    const more = await reviewOnce(review, found);
    const groups = mergeFindings([found, more]);
    // A finding that was there before is not made surer by the same model saying it again.
    const fresh = groups.slice(found.length).map(({ finding }) => finding);
    review.dropped.add('it was reported in an earlier pass', more.length - fresh.length);
    if (fresh.length === 0) break;
    found = [...found, ...fresh];
  }
  return found;
}
