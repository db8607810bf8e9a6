import { z } from 'zod';
import type { AdapterTurnResult } from '../../adapters/adapter.ts';
import { DECISION_TOOL } from '../../adapters/decision.ts';
import type { DecisionQuestion } from '../../adapters/decision-question.ts';
import { formatPercent } from '../../stats/format.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import type { Reading } from '../ask/ask-and-repair.ts';
import { readToolAnswer } from '../ask/read-tool-answer.ts';
import type { CriterionScore, LevelProbability, VoteScores } from './read-scores.ts';

/** A question about a criterion, and the score that each of its levels stands for. */
export interface CriterionQuestion {
  criterion: string;
  question: DecisionQuestion;
  /** Of the levels of the question, in their order; of a predicate: if it is false, and if it is true. */
  scores: readonly number[];
}

const answersSchema = z.object({ answers: z.array(z.unknown()) });
const headSchema = z.looseObject({ name: z.string(), type: z.string() });
const probability = z.number().min(0).max(1);
const predicateSchema = z.object({ probability });
const scoreSchema = z.object({ probabilities: z.array(z.object({ label: z.string(), probability })).min(1) });

/**
 * The scores of a decision: the mean of each criterion over its levels. A problem if the answers are not exactly those to
 * the questions, or if one was refused: a criterion without an answer has no score, and never the score 0.
 */
export function readDecision(result: AdapterTurnResult, questions: readonly CriterionQuestion[]): Reading<VoteScores> {
  return readToolAnswer(result, DECISION_TOOL, (value) => scoresOf(value, questions));
}

function scoresOf(value: unknown, questions: readonly CriterionQuestion[]): Reading<VoteScores> {
  const read = answersSchema.safeParse(value);
  if (!read.success) return { problem: 'It has no list "answers"' };
  const heads = read.data.answers.map((answer) => headSchema.safeParse(answer).data);
  const answers = heads.filter((head) => head !== undefined);
  if (answers.length < heads.length) return { problem: 'One of its answers has no "name" or no "type"' };
  const refused = answers.filter(({ type }) => type === 'refusal').map(({ name }) => name);
  const names = new Set(questions.map(({ question }) => question.name));
  const foreign = answers.find(({ name }) => !names.has(name));
  if (foreign) return { problem: `It answers ${named(foreign.name)}, which was not asked` };
  if (refused.length > 0) return { problem: `It refused to answer ${named(refused.join(', '))}` };
  const scores: [string, CriterionScore][] = [];
  for (const asked of questions) {
    const { name } = asked.question;
    const [answer, another] = answers.filter((each) => each.name === name);
    if (!answer) return { problem: `It has no answer to ${named(name)}` };
    if (another) return { problem: `It answers ${named(name)} more than once` };
    const levels = levelsOf(answer, asked);
    if (typeof levels === 'string') return { problem: `Its answer to ${named(name)} ${levels}` };
    scores.push([asked.criterion, decidedScore(levels)]);
  }
  return { value: Object.fromEntries(scores) };
}

/** How likely each level is; or what is wrong with the answer, in words that follow it. */
function levelsOf(
  answer: z.infer<typeof headSchema>,
  { question, scores }: CriterionQuestion,
): LevelProbability[] | string {
  if (answer.type !== question.type) return `is of the type ${named(answer.type)} instead of "${question.type}"`;
  if (question.type === 'predicate') {
    const read = predicateSchema.safeParse(answer);
    if (!read.success) return 'has no probability from 0 to 1';
    const isTrue = read.data.probability;
    return ['false', 'true'].map((label, index) => ({
      label,
      score: scores[index] ?? index,
      probability: index === 0 ? 1 - isTrue : isTrue,
    }));
  }
  const read = scoreSchema.safeParse(answer);
  if (!read.success) return 'has no probabilities from 0 to 1 for its levels';
  const given = new Map(read.data.probabilities.map((each) => [each.label, each.probability]));
  const isComplete = question.levels.every(({ label }) => given.has(label));
  if (!isComplete || read.data.probabilities.length !== question.levels.length) {
    return 'does not have exactly one probability for each level';
  }
  const sum = [...given.values()].reduce((total, each) => total + each, 0);
  if (Math.abs(sum - 1) > ROUNDING * given.size + 1e-6)
    return `has probabilities that add up to ${Number(sum.toFixed(4))}`;
  return question.levels.map(({ label }, index) => ({
    label,
    score: scores[index] ?? 0,
    probability: Math.min(1, (given.get(label) ?? 0) / sum),
  }));
}

/** Of one probability: a server may round to two digits. */
const ROUNDING = 0.005;

/** The mean over the levels. A decision has no reasoning, so the likely levels are in its place. */
function decidedScore(probabilities: LevelProbability[]): CriterionScore {
  const mean = probabilities.reduce((total, each) => total + each.score * each.probability, 0);
  return { score: Math.min(1, Math.max(0, mean)), reasoning: levelWords(probabilities), probabilities };
}

/** Below this, a level is not worth its place in a line. */
const LIKELY = 0.005;

function levelWords(probabilities: readonly LevelProbability[]): string {
  const likely = probabilities.filter((each) => each.probability >= LIKELY);
  const sorted = likely.toSorted((a, b) => b.probability - a.probability);
  return sorted.map(({ label, probability: share }) => `${label}: ${formatPercent(share)}`).join(', ');
}

/** A name as a server wrote it. */
function named(name: string): string {
  return `"${quoteOutput(name, { length: 80 })}"`;
}
