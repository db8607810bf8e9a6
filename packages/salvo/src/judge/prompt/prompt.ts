import type { DecisionLevel } from '../../adapters/decision-question.ts';
import { fillTemplate, oneLine } from '../../models/ask/prompts.ts';
import { criterionKeys } from '../../models/scoring/criterion-keys.ts';
import type { CriterionQuestion } from '../../models/scoring/read-decision.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { dataFile } from '../../text/modules/data-file.ts';

/** The instructions of the rubric judge, with `{criteria_block}` for the rubric. */
export const JUDGE_SYSTEM_TEMPLATE = dataFile(import.meta.url, './judge-system.md').trim();

/** The instructions of a decision model, whose questions have the rubric. */
export const DECIDE_SYSTEM_TEMPLATE = dataFile(import.meta.url, './decide-system.md').trim();

/** The rubric as the judge reads it: a line for each criterion, with its scale and reference indented below. */
export function buildCriteriaBlock(criteria: readonly CriterionLike[]): string {
  return criteria.flatMap(criterionLines).join('\n');
}

/** The whole system prompt for a rubric. */
export function buildJudgePrompt(criteria: readonly CriterionLike[]): string {
  return fillTemplate(JUDGE_SYSTEM_TEMPLATE, { criteria_block: buildCriteriaBlock(criteria) });
}

function criterionLines({ name, weight, description, scale, binary, reference }: CriterionLike): string[] {
  const bands = Object.entries(scale ?? {}).sort(([a], [b]) => Number(a) - Number(b));
  return [
    `- **${oneLine(name)}** (weight: ${weight}): ${oneLine(description)}`,
    ...(bands.length > 0 ? ['  Scale of this criterion:'] : []),
    ...bands.map(([score, meaning]) => `    ${score}: ${oneLine(meaning)}`),
    ...(binary ? ['  Score only 0 or 1, nothing between.'] : []),
    ...(reference === undefined
      ? []
      : [
          '  Reference to compare with:',
          ...reference
            .trim()
            .split(LINE_BREAK)
            .map((line) => `    ${line}`),
        ]),
  ];
}

const LINE_BREAK = /\r\n?|[\n\u0085\u2028\u2029]/;

type ScoredLevel = DecisionLevel & { score: number };

/** The points of the scale that a criterion has unless it brings its own. */
const ANCHORS: readonly ScoredLevel[] = [
  { score: 0, label: 'completely fails', description: 'It completely fails the criterion.' },
  { score: 0.25, label: 'mostly fails', description: 'It mostly fails the criterion.' },
  { score: 0.5, label: 'partially meets', description: 'It partially meets the criterion.' },
  { score: 0.75, label: 'mostly meets', description: 'It mostly meets the criterion.' },
  { score: 1, label: 'fully meets', description: 'It fully meets the criterion.' },
];

/** One question for each criterion: how likely each level of its scale is, or of a binary one, that it is met. */
export function decisionQuestions(criteria: readonly CriterionLike[]): CriterionQuestion[] {
  const keys = criterionKeys(criteria);
  return criteria.map((criterion): CriterionQuestion => {
    const name = keys.get(criterion.name) ?? criterion.name;
    if (criterion.binary) {
      const instructions = `What the agent did meets this criterion. ${criterionText(criterion)}`;
      return { criterion: criterion.name, question: { type: 'predicate', name, instructions }, scores: [0, 1] };
    }
    const instructions = `How far does what the agent did meet this criterion? ${criterionText(criterion)}`;
    const levels = levelsOf(criterion);
    return {
      criterion: criterion.name,
      question: { type: 'score', name, instructions, levels: levels.map(({ score: _, ...level }) => level) },
      scores: levels.map(({ score }) => score),
    };
  });
}

export function criterionText({ name, description, reference }: CriterionLike): string {
  const compared = reference === undefined ? '' : `\nReference to compare with:\n${reference.trim()}`;
  return `${oneLine(name)}: ${oneLine(description)}${compared}`;
}

/** The bands of its own scale, if it has at least two, which a question needs. */
function levelsOf({ scale = {} }: CriterionLike): readonly ScoredLevel[] {
  const bands = new Map(Object.entries(scale).map(([score, meaning]) => [Number(score), oneLine(meaning)]));
  const levels = [...bands]
    .filter(([score]) => score >= 0 && score <= 1)
    .sort(([a], [b]) => a - b)
    .map(([score, description]) => ({ score, label: String(score), description }));
  return levels.length < 2 ? ANCHORS : levels;
}
