import { cutEnd, wordsOf } from 'salvo/kit/text';
import type { Factor } from '../candidates/matcher.ts';
import { categoriesOfMask } from '../claims/categories.ts';
import type { Claim } from '../claims/claim.ts';
import { extractKeywords, keywordOf } from '../claims/keywords.ts';
import { addressKey, parseAddress, sameResource } from '../claims/resource-address.ts';
import type { ClaimNumbers } from './claim-numbers.ts';
import { countCommon, POINTS, sameCategory } from './documented-score.ts';

const MOST_WORDS = 8;
const LONGEST_TEXT = 80;

/** How many points each factor of the documented score gave to a pair, and why. */
export function explainDocumented(vulnerability: ClaimNumbers, finding: ClaimNumbers): Factor[] {
  return [
    categoryFactor(vulnerability, finding),
    resourceFactor(vulnerability.claim, finding.claim),
    keywordFactor(vulnerability, finding),
    severityFactor(vulnerability.claim, finding.claim),
  ];
}

function factor(name: keyof typeof POINTS, share: number, reason: string): Factor {
  return { name, points: (POINTS[name] * share) / 100, most: POINTS[name] / 100, reason };
}

function categoryFactor(a: ClaimNumbers, b: ClaimNumbers): Factor {
  const shared = categoriesOfMask(a.categories & b.categories);
  if (shared.length > 0) return factor('category', 1, `both are about ${shared.map(categoryInWords).join(', ')}`);
  if (sameCategory(a, b)) {
    return factor('category', 1, `both are of the type ${shortened(wordsOf(a.claim.type).join(' '))}`);
  }
  const [ofA, ofB] = [describeTopic(a), describeTopic(b)];
  if (ofA === '' || ofB === '') return factor('category', 0, 'one side has no known category');
  return factor('category', 0, `about ${ofA} against ${ofB}`);
}

/** The categories, or a type that belongs to none. */
function describeTopic({ claim, categories }: ClaimNumbers): string {
  return categoriesOfMask(categories).map(categoryInWords).join(', ') || shortened(wordsOf(claim.type).join(' '));
}

function categoryInWords(category: string): string {
  return category.replaceAll('_', ' ');
}

function resourceFactor(a: Claim, b: Claim): Factor {
  const common = a.resources.find((resource) => sameResource([resource], b.resources));
  if (common !== undefined) return factor('resource', 1, `the same resource, ${shortened(common)}`);
  const [ofA, ofB] = [namedResource(a), namedResource(b)];
  if (ofA === undefined || ofB === undefined) return factor('resource', 0, 'one side names no resource');
  return factor('resource', 0, `different resources, ${shortened(ofA)} against ${shortened(ofB)}`);
}

function namedResource({ resources }: Claim): string | undefined {
  return resources.find((resource) => addressKey(parseAddress(resource)) !== '');
}

function keywordFactor(a: ClaimNumbers, b: ClaimNumbers): Factor {
  const common = countCommon(a.keywords, b.keywords);
  const either = a.keywords.length + b.keywords.length - common;
  if (a.keywords.length === 0 || b.keywords.length === 0) {
    return factor('keywords', 0, 'one side says nothing in words');
  }
  if (common === 0) return factor('keywords', 0, 'no words in common');
  const words = commonWords(a.claim, b.claim);
  const more = words.length > MOST_WORDS ? `, and ${words.length - MOST_WORDS} more` : '';
  const list = words.slice(0, MOST_WORDS).map(shortened).join(', ');
  return factor('keywords', common / either, `${common} of ${either} words in common: ${list}${more}`);
}

/** As the first side writes them, because a stem is not readable. */
function commonWords(a: Claim, b: Claim): string[] {
  const keywords = extractKeywords(b);
  const words = new Map<string, string>();
  for (const word of [a.type, a.title, a.description].flatMap(wordsOf)) {
    const keyword = keywordOf(word);
    if (keywords.has(keyword) && !words.has(keyword)) words.set(keyword, word);
  }
  return [...words.values()];
}

function severityFactor(a: Claim, b: Claim): Factor {
  if (a.severity === null || b.severity === null) return factor('severity', 0, 'one side states no severity');
  if (a.severity === b.severity) return factor('severity', 1, `the same severity, ${a.severity}`);
  return factor('severity', 0, `severity ${a.severity} against ${b.severity}`);
}

/** Texts are not trusted: they are put on one line and shortened. */
function shortened(text: string): string {
  return cutEnd(text.replace(/\s+/g, ' '), LONGEST_TEXT);
}
