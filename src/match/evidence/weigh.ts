import type { RuleRelation } from '../weaknesses/relate-rules.ts';
import { AGREEMENT, type Content } from './content.ts';
import type { PlaceRelation } from './place.ts';

/** Why a score is limited, however much else agrees. */
export type Limit = 'flaw' | 'related' | 'thing' | 'details' | 'substance' | 'place' | 'praise';

/** A pair's score and its parts, apart from those of the content. */
export interface Weighed {
  score: number;
  /** What the place and the rules added or subtracted. */
  place: number;
  rules: number;
  /** What the limit subtracted, and which limit it is; 0 and null without a limit. */
  taken: number;
  limit: Limit | null;
}

/** The highest score of a pair with any limit except `related`. */
export const HARD_LIMIT = 0.3;
/** All limits are below the threshold of a match, which is 0.4 by default. */
const LIMITS: Readonly<Record<Limit, number>> = {
  praise: 0.2,
  flaw: 0.25,
  thing: HARD_LIMIT,
  details: HARD_LIMIT,
  substance: HARD_LIMIT,
  place: HARD_LIMIT,
  related: 0.38,
};
/** With less agreement on what is wrong, two flaws are related but not the same. */
const SAME_FLAW = 0.5;

const PLACE_POINTS: Readonly<Record<PlaceRelation, number>> = {
  same: 0.15,
  part: 0.1,
  lines: 0.1,
  unknown: 0,
  near: -0.05,
  other: 0,
};
/** The most that the place can give. */
export const MOST_PLACE_POINTS = 0.15;
/** Two rules that report one weakness are enough for a match. */
const SAME_RULE = 0.8;
const RULE_POINTS: Readonly<Record<RuleRelation, number>> = {
  same: SAME_RULE,
  related: 0.1,
  different: -0.3,
  unknown: 0,
};
/** When the words agree this much, the rules may differ only because the catalogue is too fine. */
const WORDS_AGREE = 0.85;
const DIFFERENT_RULE_SAME_WORDS = -0.1;

export interface Evidence {
  content: Content;
  place: PlaceRelation;
  rules: RuleRelation;
  /** One side says that something is in order, and the other that it is not. */
  contradiction: boolean;
}

export function weigh({ content, place, rules, contradiction }: Evidence): Weighed {
  const { given } = content;
  const shared = given.aspects + given.objects + given.details + given.words;
  // The place alone is no evidence: one place may have many flaws.
  if (shared === 0 && rules !== 'same') return { score: 0, place: 0, rules: 0, taken: 0, limit: null };
  const placed = shared + PLACE_POINTS[place];
  const byRules = rulePoints(rules, placed, shared);
  const raw = placed + byRules;
  const limit = strictestLimit(content, place, rules, contradiction);
  const most = limit === null ? 1 : LIMITS[limit];
  const score = Math.max(0, Math.min(raw, most));
  return { score, place: PLACE_POINTS[place], rules: byRules, taken: score - raw, limit: raw > most ? limit : null };
}

function rulePoints(rules: RuleRelation, placed: number, shared: number): number {
  if (rules === 'same') return Math.max(0, SAME_RULE - placed);
  if (rules === 'different' && shared >= WORDS_AGREE) return DIFFERENT_RULE_SAME_WORDS;
  return RULE_POINTS[rules];
}

/** The strictest limit that applies. Rules of one weakness outweigh words, but not the place. */
function strictestLimit(
  content: Content,
  place: PlaceRelation,
  rules: RuleRelation,
  contradiction: boolean,
): Limit | null {
  if (contradiction) return 'praise';
  if (rules !== 'same') {
    if (content.aspect !== null && content.aspect < AGREEMENT) return 'flaw';
    if (content.object !== null && content.object < AGREEMENT) return 'thing';
    if (content.detailsDiffer) return 'details';
    if (!content.substance) return 'substance';
  }
  if (place === 'other') return 'place';
  if (rules !== 'same' && content.aspect !== null && content.aspect < SAME_FLAW) return 'related';
  return null;
}
