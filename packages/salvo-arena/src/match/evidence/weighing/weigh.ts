import type { RuleRelation } from '../../weaknesses/relate-rules.ts';
import type { PlaceRelation } from '../places/place.ts';
import { AGREEMENT, type Content } from './content.ts';
import { featuresOf } from './features.ts';
import { loadModel, type Model, probabilityOf } from './model.ts';

/** Why a score is limited, however much else agrees. */
export type Limit = 'flaw' | 'related' | 'thing' | 'details' | 'substance' | 'place' | 'praise';

/** A pair's score and its parts. */
export type Weighed = ReturnType<typeof weighWith>;

/** The highest score of a pair with any limit except `related`. */
export const HARD_LIMIT = 0.3;
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
/**
 * From this share of the same words on, two claims may be about the same flaw although the lexicon reads different flaws
 * in them, or none. The name of a thing has fewer words than these.
 */
export const SAME_WORDS = 0.7;
/** Two claims about different flaws may share a long description of the thing, so they need more. */
const NEARLY_ALL_WORDS = 0.9;
const FEWEST_WORDS = 3;
/**
 * From here on, two claims are near the same weakness of the catalogue, in whatever words they name it. Then they may be
 * a match although they share nothing that the lexicon knows, and at one resource although it reads different flaws.
 */
export const SAME_WEAKNESS = 0.65;
/** At one resource, two related flaws need less. */
const LIKELY_SAME = 0.5;
/**
 * From here on, this is enough for a match: several authors wrote the texts of a weakness. It is high because a text may
 * also be about a weakness that the catalogue lacks, and is then near another one.
 */
const SURELY_SAME = 0.95;
const SAME_WEAKNESS_SCORE = 0.6;

/** Two rules that report one weakness are enough for a match. */
const SAME_RULE = 0.8;
/** A rule that names a part of the weakness, at its place, is just enough: any finding that names it goes before. */
const RULE_IN_PART = 0.6;
/**
 * Rules of different weaknesses divide the odds by this. It is set by hand, because the training sentences have no rules.
 * It is no limit, because two rules may differ only because the catalogue is too fine.
 */
const DIFFERENT_RULES = 3;

/** The lowest score of a match. @internal */
export const ENOUGH = 0.55;
/** A score that is nearly a match. */
const NEARLY_ENOUGH = 0.5;

export interface Evidence {
  content: Content;
  place: PlaceRelation;
  rules: RuleRelation;
  /** One side says that something is in order, and the other that it is not. */
  contradiction: boolean;
  /** No other vulnerability of the manifest is about this service. */
  isAlone: boolean;
  /** One side misses encryption and the other a key of one's own, and the two are to count as the same. */
  isKeyOfEncryption: boolean;
}

export function weigh(evidence: Evidence): Weighed {
  return weighWith(loadModel(), evidence);
}

/** The score with other weights than those of the package, for training. @internal */
export function scoreWith(weights: Pick<Model, 'bias' | 'weights'>, evidence: Evidence): number {
  return weighWith(weights, evidence).score;
}

function weighWith(weights: Pick<Model, 'bias' | 'weights'>, evidence: Evidence) {
  const { content, place, rules } = evidence;
  const learned = sharesNothing(content) ? 0 : probabilityOf(weights, featuresOf(content, place));
  const byRules = rulePoints(rules, learned);
  const byWeakness = rules === 'different' ? 0 : weaknessPoints(content, learned + byRules);
  const raw = learned + byRules + byWeakness;
  const limit = unlessOverruled(limitOf(evidence), learned, evidence);
  const raise = limit === null ? raiseOf(evidence, raw) : null;
  const raised = raw + (raise?.points ?? 0);
  const score = limit === null ? raised : Math.min(raised, LIMITS[limit]);
  return {
    score,
    /** What the learned model says, without rules and limits. */
    learned,
    /** What the rules added or subtracted. */
    rules: byRules,
    /** What it added that both texts are surely about one weakness of the catalogue. */
    weakness: byWeakness,
    /** What made the score enough for a match, and what it added; null if nothing did. */
    raise,
    /** What the limit subtracted, and which limit it is; 0 and null without a limit. */
    taken: score - raised,
    limit: raised > score ? limit : null,
  };
}

/** Why a score is raised to that of a match: see `raiseOf`. */
export type Raise = 'wording' | 'place' | 'alone' | 'keys';

/**
 * Nearly the same wording is always a match. At one resource, and for the only flaw of a service in the manifest, a score
 * that is a little too low is enough: there is nothing else that the finding could be about.
 */
function raiseOf(evidence: Evidence, raw: number): { why: Raise; points: number } | null {
  const { content, place, rules, isAlone } = evidence;
  const to = (why: Raise, score: number) => (raw < score ? { why, points: score - raw } : null);
  if (rules === 'different') return null;
  if (evidence.isKeyOfEncryption) return to('keys', ENOUGH);
  if (isNearlyIdentical(content)) return to('wording', ENOUGH);
  if (raw < NEARLY_ENOUGH) return null;
  if (place === 'same') return to('place', ENOUGH);
  return isAlone && (content.object ?? 0) >= AGREEMENT ? to('alone', ENOUGH) : null;
}

function isNearlyIdentical({ ofVulnerability, ofFinding, fewestWords }: Content): boolean {
  return fewestWords >= FEWEST_WORDS && Math.min(ofVulnerability.literal, ofFinding.literal) >= NEARLY_ALL_WORDS;
}

/** Limits that come from what the lexicon reads, which may be too little, give way to what the model has learned. */
function unlessOverruled(limit: Limit | null, learned: number, evidence: Evidence): Limit | null {
  return limit !== null && mayBeOverruled(limit, evidence) && learned >= ENOUGH ? null : limit;
}

/** Whether a limit gives way if the learned model is sure enough. */
export function mayBeOverruled(limit: Limit, { content, place }: Evidence): boolean {
  if (limit === 'substance') {
    return content.fewestWords >= FEWEST_WORDS && content.ofVulnerability.literal >= SAME_WORDS;
  }
  // A name is like many texts, and another resource may have another flaw.
  const isLikely = content.oneWeakness >= SAME_WEAKNESS && !content.hasName && place !== 'near';
  return (limit === 'flaw' || limit === 'related') && isLikely;
}

/** The place alone is no evidence: one place may have many flaws. */
function sharesNothing({ substance, ofVulnerability, ofFinding }: Content): boolean {
  return !substance && ofVulnerability.share === 0 && ofFinding.share === 0;
}

function rulePoints(rules: RuleRelation, learned: number): number {
  if (rules === 'same') return Math.max(0, SAME_RULE - learned);
  if (rules === 'in_part') return Math.max(0, RULE_IN_PART - learned);
  return rules === 'different' ? learned / (learned + DIFFERENT_RULES * (1 - learned)) - learned : 0;
}

function weaknessPoints({ oneWeakness }: Content, score: number): number {
  return oneWeakness >= SURELY_SAME ? Math.max(0, SAME_WEAKNESS_SCORE - score) : 0;
}

/** The limit that applies, the first of several. Rules of one weakness outweigh words, but not the place. */
export function limitOf(evidence: Evidence): Limit | null {
  const { content, place, rules, contradiction } = evidence;
  if (contradiction) return 'praise';
  if (place === 'other') return 'place';
  if (rules === 'same' || rules === 'in_part' || evidence.isKeyOfEncryption) return null;
  const { aspect, object } = content;
  // What is at the same resource is about the same thing, whatever it calls it: a rule for a port of a database.
  if (object !== null && object < AGREEMENT && place !== 'same' && place !== 'part') return 'thing';
  if (content.detailsDiffer || decides(content, place)) return 'details';
  if (saysTheSame(content)) return null;
  if (content.oneWeakness >= (place === 'same' ? SAME_WEAKNESS : SURELY_SAME)) return null;
  // The lexicon has read the flaw in the text below, which may be about something else.
  if (place === 'same' && content.saysHeadline) return null;
  if (aspect !== null && aspect < AGREEMENT) return 'flaw';
  const isRelated = aspect !== null && aspect < SAME_FLAW;
  if (isRelated && !(place === 'same' && content.oneWeakness >= LIKELY_SAME)) return 'related';
  return content.substance || content.oneWeakness >= SAME_WEAKNESS ? null : 'substance';
}

function decides({ deciding }: Content, place: PlaceRelation): boolean {
  return deciding === 'differ' || (deciding === 'differ_unless_one_place' && place !== 'same' && place !== 'part');
}

function saysTheSame({ aspect, ofVulnerability, ofFinding, fewestWords }: Content): boolean {
  const enough = aspect !== null && aspect < AGREEMENT ? NEARLY_ALL_WORDS : SAME_WORDS;
  return fewestWords >= FEWEST_WORDS && Math.min(ofVulnerability.literal, ofFinding.literal) >= enough;
}
