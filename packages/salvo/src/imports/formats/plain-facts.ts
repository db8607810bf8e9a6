import { isRecord } from '../../text/json/is-record.ts';
import type { GivenOutcome, ImportedConversation, Loss } from '../import-format.ts';
import { isoTimeOf, numberOf, textOf, trialOf } from './record-fields.ts';
import { timeOf } from './session/session-clock.ts';

type Fields = Record<string, unknown>;

const NAMES = {
  id: [
    'id',
    'uuid',
    'conversation_id',
    'conversationId',
    'thread_id',
    'threadId',
    'session_id',
    'sessionId',
    'custom_id',
    'key',
    'recordId',
    'requestId',
  ],
  suite: ['suite', 'domain', 'benchmark', 'dataset'],
  case: ['case', 'case_id', 'task_id', 'taskId', 'test_id', 'sample_id', 'question_id', 'instance_id'],
  trial: ['trial', 'trial_id', 'attempt', 'epoch'],
  passed: ['passed', 'success', 'pass', 'correct', 'resolved'],
  reward: ['reward'],
  time: ['timestamp', 'created_at', 'createdAt', 'created', 'start_time'],
} as const;

export const PLAIN_NAMES: readonly string[] = [...Object.values(NAMES).flat(), 'score', 'scores', 'metadata'];

type Facts = Pick<ImportedConversation, 'id' | 'suite' | 'case' | 'trial' | 'given'> & { timestamp: string | null };

/** What a record says about its conversation under plain names: in its own fields, or in its metadata. */
export function plainFacts(record: Fields, line: number, losses: Loss[]): Facts {
  const { metadata } = record;
  const beside = isRecord(metadata) ? metadata : null;
  const text = (names: readonly string[]): string | null =>
    textOf(record, ...names) ?? (beside === null ? null : textOf(beside, ...names));
  const value = (names: readonly string[]): unknown =>
    firstOf(record, names) ?? (beside === null ? undefined : firstOf(beside, names));
  return {
    id: text(NAMES.id),
    suite: text(NAMES.suite),
    case: text(NAMES.case),
    trial: trialOf(value(NAMES.trial)),
    given: givenOf({ passed: value(NAMES.passed), reward: value(NAMES.reward), record }, line, losses),
    timestamp: isoTimeOf(timeOf(value(NAMES.time))),
  };
}

function firstOf(record: Fields, names: readonly string[]): unknown {
  for (const name of names) {
    const value = record[name];
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

interface Told {
  passed: unknown;
  reward: unknown;
  record: Fields;
}

function givenOf({ passed: told, reward: paid, record }: Told, line: number, losses: Loss[]): GivenOutcome | null {
  const passed = truthOf(told);
  const reward = typeof paid === 'boolean' ? Number(paid) : numberOf(paid);
  if (paid !== undefined && reward === null) losses.push({ line, place: 'reward', problem: 'is not a number' });
  if (told === undefined && paid === undefined && !record.scores && !('score' in record)) return null;
  const score = isRecord(record.scores) ? record.scores : { score: record.score };
  const scores = Object.fromEntries(
    Object.entries(score).flatMap(([name, each]): [string, number | boolean][] =>
      typeof each === 'boolean' || (typeof each === 'number' && Number.isFinite(each)) ? [[name, each]] : [],
    ),
  );
  const isSilent = passed === null && reward === null && Object.keys(scores).length === 0;
  return isSilent ? null : { passed, reward, scores };
}

const TRUTHS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 1, 'true', 'True'].map((value) => [value, true] as const),
  ...[false, 0, 'false', 'False'].map((value) => [value, false] as const),
]);

/** Metadata may have only texts. */
function truthOf(value: unknown): boolean | null {
  return TRUTHS.get(value) ?? null;
}
