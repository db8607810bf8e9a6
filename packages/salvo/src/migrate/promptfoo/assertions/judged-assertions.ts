import { isRecord } from '../../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';
import { childOf, textOf } from '../../source/located.ts';
import type { SourceAssertion, WrittenAssertion } from './source-assertion.ts';
import { ownText } from './test-texts.ts';

const JUDGED = 'a judge of Salvo scores it by its own prompt: see rubric-judge.md';
const MOST_NAME = 60;

/** What the judge is told for types that come with a question of their own. The reference is the value of the assertion. */
const QUESTIONS: Readonly<Record<string, { name: string; description: string; reference?: true; isStrict?: true }>> = {
  factuality: {
    name: 'factuality',
    description: 'The answer agrees with the facts of the reference. It may say more or less, but contradicts nothing.',
    reference: true,
    isStrict: true,
  },
  'model-graded-closedqa': { name: 'meets the criterion', description: '' },
  'answer-relevance': { name: 'relevant', description: 'The answer is about what was asked, and nothing else.' },
  'conversation-relevance': { name: 'relevant', description: 'Each answer fits the conversation before it.' },
  'context-faithfulness': {
    name: 'faithful',
    description: 'Everything that the answer claims is in the context. The context is the reference.',
    reference: true,
  },
  'context-recall': {
    name: 'recall',
    description: 'The context contains everything that the reference says. The context is part of the task.',
    reference: true,
  },
  'context-relevance': {
    name: 'relevant context',
    description: 'The context in the task is needed for the question in it.',
  },
  'trajectory:goal-success': { name: 'goal', description: '' },
};

/** Types that ask a model. */
export const JUDGED_TYPES: ReadonlySet<string> = new Set([
  ...['llm-rubric', 'g-eval', 'model-graded-factuality', ...Object.keys(QUESTIONS)],
]);

/** A judge that is asked the same. */
export function judgedAssertion(assertion: SourceAssertion): WrittenAssertion {
  assertion.around.notes.changed(assertion.type, JUDGED, assertion.node);
  const criteria =
    assertion.base === 'g-eval' || assertion.base === 'llm-rubric' ? rubric(assertion) : [question(assertion)];
  const { threshold } = assertion;
  const unique = criteria.map((criterion, index) => ({
    ...criterion,
    name: criteria.length > 1 ? `${index + 1}. ${criterion.name}`.slice(0, MOST_NAME) : criterion.name,
  }));
  if (criteria.length === 1 && assertion.base === 'llm-rubric') {
    return { judge: String(criteria[0]?.description), ...(threshold !== undefined && { threshold: share(threshold) }) };
  }
  return { type: 'judge', criteria: unique, ...(threshold !== undefined && { threshold: share(threshold) }) };
}

/** Some configs give scores from 0 to 10. */
function share(threshold: number): number {
  return Math.max(0, Math.min(1, threshold));
}

interface WrittenCriterion {
  name: string;
  description: string;
  reference?: string;
}

function rubric(assertion: SourceAssertion): WrittenCriterion[] {
  const node = assertion.valueNode;
  const value = node?.value;
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  return parts.map((part) => {
    const text = typeof part === 'string' ? part : JSON.stringify(part ?? '');
    if (text.trim() === '' || text === '""') throw assertion.gap('its rubric is empty');
    const own = ownText(rubricText(text), node ?? assertion.node, assertion.around.texts);
    return criterion(own, assertion.isNegated);
  });
}

/** A rubric may be a chat prompt of its own; its last message is what counts. */
function rubricText(text: string): string {
  const value = /^\s*\[/.test(text) ? jsonOrUndefined(text) : undefined;
  const last: unknown = Array.isArray(value) ? value.at(-1) : undefined;
  return isRecord(last) && typeof last.content === 'string' ? last.content : text;
}

function criterion(text: string, isNegated: boolean): WrittenCriterion {
  const description = isNegated ? `This is NOT true of the answer: ${text}` : text;
  return { name: nameOf(text), description: description.trim() };
}

function nameOf(text: string): string {
  const line = text
    .replaceAll(/\{\{[^{}]{0,200}\}\}/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= MOST_NAME ? line || 'rubric' : `${line.slice(0, MOST_NAME - 1)}…`;
}

function question(assertion: SourceAssertion): WrittenCriterion {
  const asked = QUESTIONS[assertion.base] ?? QUESTIONS.factuality;
  if (!asked) throw assertion.gap('it is not translated');
  const goal = isRecord(assertion.valueNode?.value) ? textOf(childOf(assertion.valueNode, 'goal')) : undefined;
  const own = goal ?? (assertion.valueNode ? assertion.text() : contextOf(assertion));
  const description = asked.description === '' ? (own ?? '') : asked.description;
  if (description === '') throw assertion.gap('it has no value');
  const text = assertion.isNegated ? `This is NOT true of the answer: ${description}` : description;
  return { name: asked.name, description: text, ...(asked.reference && own !== undefined && { reference: own }) };
}

/** The variable `context`, which these types read if they have no value. */
function contextOf({ around: { texts }, base }: SourceAssertion): string | undefined {
  if (!base.startsWith('context-') || typeof texts.vars.context !== 'string') return undefined;
  texts.uses('context');
  return texts.hasData ? `{{${texts.renamed.get('context') ?? 'context'}}}` : texts.vars.context;
}
