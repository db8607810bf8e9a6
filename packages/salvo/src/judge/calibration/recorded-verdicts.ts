import { meetsThreshold } from '../../stats/mean.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { aValue, kindOfValue } from '../../text/words/value-words.ts';
import { type ComparedJudge, compareWithPeople, type JudgedItem } from './compare-with-people.ts';
import { type Complain, field, firstObject, isMissing, readLabelLines, readText } from './label-lines.ts';

/** A verdict, as pass or fail or as a score from 0 to 1. */
interface Verdict {
  passed: boolean;
  score: number | null;
}

interface NamedVerdict {
  /** Null in a plain list of votes. */
  judge: string | null;
  /** Null when the judge gave none. */
  verdict: Verdict | null;
}

/** More than any panel has, so that a broken file can't take hours. */
const MOST_VOTES = 200;

/** Whether a line has the verdict of people and of a judge, instead of an answer to be judged. */
export function isRecordedVerdict(value: Record<string, unknown>): boolean {
  return Object.hasOwn(value, 'human');
}

export function holdsRecordedVerdicts(text: string): boolean {
  const first = firstObject(text);
  return first !== null && isRecordedVerdict(first);
}

/**
 * The verdicts that some other judge has given, beside those of people, one object a line:
 * `{"human": true, "judge": false}`, or `"votes": [true, false, true]`, or the votes of a panel by the names of its
 * judges. A verdict is true, false or a score from 0 to 1. `scenario`, `case`, `task`, `id`, `response` and `reasoning`
 * are optional. Lines with the same `id`, or the same task and response, are about the same answer.
 * Throws with the problems of the whole file at once, each with its line.
 */
export function readRecordedVerdicts(
  text: string,
  { file, threshold }: { file: string; threshold: number },
): JudgedItem[] {
  return readLabelLines(text, {
    file,
    example: '{"human": true, "judge": false}',
    maps: ['votes'],
    read: (value, complain) => readItem(value, threshold, complain),
  });
}

/** Compares recorded verdicts with people. No model is called. */
export function compareRecordedVerdicts(
  items: readonly JudgedItem[],
  { threshold, skipped, seed = 0 }: { threshold: number; skipped?: number | undefined; seed?: number | undefined },
): ComparedJudge {
  const votes = items.flatMap(({ comparison }) => comparison?.votes.flat() ?? []);
  return compareWithPeople({
    items,
    criteria: [],
    threshold,
    skipped,
    votes: votes.length,
    failedVotes: 0,
    unreadableVotes: votes.filter((vote) => vote === null).length,
    seed,
  });
}

function readItem(
  value: Record<string, unknown>,
  threshold: number,
  complain: Complain,
): Omit<JudgedItem, 'line'> | null {
  if (!isRecordedVerdict(value)) {
    complain('has no "human", and the first line has: put answers that are to be judged into a file of their own');
    return null;
  }
  const human = verdictOf(field(value, 'human'), '"human"', threshold, complain);
  const votes = readVotes(field(value, 'votes'), threshold, complain);
  const given = field(value, 'judge');
  if (given === undefined && votes === null) {
    complain('has neither "judge" nor "votes"');
    return null;
  }
  if (human === null && isMissing(field(value, 'human')))
    complain('"human" should be true, false or a score from 0 to 1');
  const judge = given === undefined ? majorityOf(votes ?? []) : verdictOf(given, '"judge"', threshold, complain);
  if (!human) return null;
  const reasoning = readText(value, 'reasoning', complain);
  const response = readText(value, 'response', complain);
  const cast = votes ?? [{ judge: null, verdict: judge }];
  return {
    scenario: readText(value, 'scenario', complain),
    case: readText(value, 'case', complain),
    task: readText(value, 'task', complain),
    response,
    answer: readId(value, complain) ?? response,
    weight: null,
    comparison: judge && { human, judge, votes: [cast.map(({ verdict }) => verdict?.passed ?? null)] },
    error: judge ? null : 'there is no verdict',
    panel: cast.flatMap(({ judge: name, verdict }) => {
      return name === null ? [] : [{ judge: name, passed: verdict?.passed ?? null }];
    }),
    said: [{ criterion: null, score: judge?.score ?? null, label: human.score, reasoning }],
  };
}

/** What names the answer: lines with the same id are about the same one. */
function readId(value: Record<string, unknown>, complain: Complain): string | null {
  const id = field(value, 'id');
  return typeof id === 'number' ? String(id) : readText(value, 'id', complain);
}

/** Null when it is missing, or wrong, about which is complained. */
function verdictOf(value: unknown, what: string, threshold: number, complain: Complain): Verdict | null {
  if (isMissing(value)) return null;
  if (typeof value === 'boolean') return { passed: value, score: null };
  if (typeof value === 'number' && value >= 0 && value <= 1) {
    return { passed: meetsThreshold(value, threshold), score: value };
  }
  complain(`${what} should be true, false or a score from 0 to 1, but is ${aValue(value)}`);
  return null;
}

function readVotes(value: unknown, threshold: number, complain: Complain): NamedVerdict[] | null {
  if (isMissing(value)) return null;
  if (Array.isArray(value)) {
    if (value.length === 0) complain('"votes" is empty');
    if (value.length > MOST_VOTES) {
      complain(`"votes" has ${value.length} entries, and at most ${MOST_VOTES} are read`);
      return null;
    }
    return value.map((vote: unknown, index) => {
      const what = `vote ${index + 1}`;
      if (!isRecord(vote)) return { judge: null, verdict: verdictOf(vote, what, threshold, complain) };
      const name = field(vote, 'judge');
      if (typeof name !== 'string') complain(`${what} should name its "judge"`);
      const verdict = field(vote, 'passed') ?? field(vote, 'score');
      return { judge: String(name), verdict: verdictOf(verdict, what, threshold, complain) };
    });
  }
  if (isRecord(value)) {
    return readVotes(
      Object.entries(value).map(([judge, vote]) => ({ judge, passed: vote })),
      threshold,
      complain,
    );
  }
  complain(`"votes" should be a list, or a map of judges and their verdicts, but is ${kindOfValue(value)}`);
  return null;
}

/** The verdict of more than half of the readable votes. A tie fails. Null when no more than half can be read. */
function majorityOf(votes: readonly NamedVerdict[]): Verdict | null {
  const readable = votes.flatMap(({ verdict }) => verdict ?? []);
  if (readable.length * 2 <= votes.length) return null;
  return { passed: readable.filter(({ passed }) => passed).length * 2 > readable.length, score: null };
}
