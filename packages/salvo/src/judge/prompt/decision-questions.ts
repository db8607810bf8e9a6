import type { DecisionLevel } from '../../adapters/decision.ts';
import { oneLine } from '../../models/ask/prompts.ts';
import { criterionKeys } from '../../models/scoring/criterion-keys.ts';
import type { CriterionQuestion } from '../../models/scoring/read-decision.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';

/** The points of the scale that a criterion has unless it brings its own. */
export const ANCHORS: readonly (DecisionLevel & { score: number })[] = [
  { score: 0, label: 'completely fails', description: 'It completely fails the criterion.' },
  { score: 0.25, label: 'mostly fails', description: 'It mostly fails the criterion.' },
  { score: 0.5, label: 'partially meets', description: 'It partially meets the criterion.' },
  { score: 0.75, label: 'mostly meets', description: 'It mostly meets the criterion.' },
  { score: 1, label: 'fully meets', description: 'It fully meets the criterion.' },
];

/** One question for each criterion: how likely each level of its scale is, or of a binary one, that it is met. */
export function decisionQuestions(criteria: readonly CriterionLike[]): CriterionQuestion[] {
  const keys = criterionKeys(criteria);
  return criteria.map((criterion) => {
    const name = keys.get(criterion.name) ?? criterion.name;
    const levels = levelsOf(criterion);
    if (criterion.binary) {
      const instructions = [`What the agent did meets this criterion. ${criterionText(criterion)}`, ...bandLines(criterion)];
      return { criterion: criterion.name, question: { type: 'predicate', name, instructions: instructions.join('\n') }, scores: [0, 1] };
    }
    const instructions = `How far does what the agent did meet this criterion? ${criterionText(criterion)}`;
    return {
      criterion: criterion.name,
      question: { type: 'score', name, instructions, levels: levels.map(({ score: _, ...level }) => level) },
      scores: levels.map(({ score }) => score),
    };
  });
}

function criterionText({ name, description, reference }: CriterionLike): string {
  const compared = reference === undefined ? '' : `\nReference to compare with:\n${reference.trim()}`;
  return `${oneLine(name)}: ${oneLine(description)}${compared}`;
}

function bandsOf({ scale }: CriterionLike): { score: number; meaning: string }[] {
  return Object.entries(scale ?? {})
    .map(([score, meaning]) => ({ score: Number(score), meaning: oneLine(meaning) }))
    .sort((a, b) => a.score - b.score);
}

function bandLines(criterion: CriterionLike): string[] {
  return bandsOf(criterion).map(({ score, meaning }) => `${score}: ${meaning}`);
}

/** A question needs at least two levels, so one band alone is explained beside the points of the default scale. */
function levelsOf(criterion: CriterionLike): readonly (DecisionLevel & { score: number })[] {
  const bands = bandsOf(criterion);
  if (bands.length < 2) return ANCHORS.map((anchor) => ({ ...anchor, description: withBand(anchor, bands) }));
  return bands.map(({ score, meaning }) => ({ score, label: String(score), description: meaning }));
}

function withBand({ score, description }: DecisionLevel & { score: number }, bands: ReturnType<typeof bandsOf>): string {
  return bands.find((band) => band.score === score)?.meaning ?? description;
}
