import { seededRandom } from '../../stats/seeded-random.ts';
import type { Trace } from '../../trace/trace.ts';
import { traceFrom } from '../../trace/trace-from.ts';
import type { LabelledItem } from '../calibration/calibration-labels.ts';
import type { NumberedItem } from '../calibration/judge-labels.ts';
import type { JudgedScenario } from '../prompt/context.ts';
import type { JudgeSettings } from '../votes/cast-vote.ts';
import { type AnswerBias, answerPair } from './answer-pairs.ts';
import { BIASES, type Bias, type BiasDocument } from './bias-document.ts';
import { familyOf, languageExchanges } from './bias-texts.ts';

/** Two versions of an answer that a judge is asked about. */
interface PlannedPair {
  plain: NumberedItem;
  changed: NumberedItem;
  cluster: string;
}

export interface PlannedBias {
  bias: Bias;
  pairs: PlannedPair[];
  leftOut: BiasDocument['left_out'];
}

/** An answer of the labels, and the case that it is of. */
export interface BiasAnswer {
  item: LabelledItem;
  cluster: string;
}

/**
 * The pairs that a judge is asked about: for each bias up to `most` answers that have a pair, drawn without a look at any
 * verdict, and exchanges of our own for languages.
 */
export function planBiases(
  answers: readonly BiasAnswer[],
  options: {
    settings: Pick<JudgeSettings, 'judges' | 'turn'>;
    scenario: JudgedScenario | undefined;
    most: number;
    seed?: number | undefined;
  },
): PlannedBias[] {
  const { settings, scenario, most, seed = 0 } = options;
  const families = new Set(settings.judges.map(({ model }) => familyOf(model)));
  const [family = null] = families.size === 1 ? families : [];
  const order = drawn(answers, seed);
  const versions = createVersions();
  return BIASES.map((bias) => {
    if (bias === 'language') return { bias, pairs: languagePairs(), leftOut: [] };
    const pairs: PlannedPair[] = [];
    const reasons: string[] = [];
    for (const { item, cluster } of order) {
      if (pairs.length === most) break;
      const pair = pairOf(bias, item, { scenario, family, turn: settings.turn, seed });
      if ('reason' in pair) reasons.push(pair.reason);
      else pairs.push({ plain: versions(item, pair.plain), changed: versions(item, pair.changed), cluster });
    }
    return { bias, pairs, leftOut: counted(reasons) };
  });
}

/** Different versions of answers that have to be judged besides the answers themselves. */
export function versionsToJudge(planned: readonly PlannedBias[], answers: readonly BiasAnswer[]): NumberedItem[] {
  const own = new Set<NumberedItem>(answers.map(({ item }) => item));
  const all = planned.flatMap(({ pairs }) => pairs.flatMap(({ plain, changed }) => [plain, changed]));
  return [...new Set(all)].filter((item) => !own.has(item));
}

/** One answer of each case first, then the second of each, so that few answers are of many cases. */
function drawn(answers: readonly BiasAnswer[], seed: number): BiasAnswer[] {
  const random = seededRandom(seed, 'answers for biases');
  const placed = answers.map((answer) => ({ answer, at: random() })).toSorted((a, b) => a.at - b.at);
  const ofCase = new Map<string, number>();
  const rounds = placed.map(({ answer }) => {
    const round = ofCase.get(answer.cluster) ?? 0;
    ofCase.set(answer.cluster, round + 1);
    return { answer, round };
  });
  return rounds.toSorted((a, b) => a.round - b.round).map(({ answer }) => answer);
}

function pairOf(
  bias: AnswerBias,
  { trace, line }: LabelledItem,
  context: {
    scenario: JudgedScenario | undefined;
    family: string | null;
    turn: JudgeSettings['turn'];
    seed: number;
  },
): ReturnType<typeof answerPair> {
  const { scenario, family, turn, seed } = context;
  if (turn !== undefined && turn !== 'last') return { reason: 'the judge does not judge the last answer alone' };
  const last = trace.messages.findLast(({ role }) => role === 'assistant');
  if (last?.role === 'assistant' && last.files && last.files.length > 0) return { reason: 'comes with files' };
  const given = trace.messages.flatMap(({ role, content }) =>
    role === 'user' || role === 'system' ? (content ?? []) : [],
  );
  return answerPair(bias, {
    answer: trace.final_content ?? '',
    asked: [...given, scenario?.prompt ?? '', scenario?.system_prompt ?? ''],
    family,
    random: seededRandom(seed, bias, line),
  });
}

/** The same version of an answer is judged once, however many biases need it. */
function createVersions(): (item: LabelledItem, text: string) => NumberedItem {
  const known = new Map<string, NumberedItem>();
  return (item, text) => {
    if (text === item.trace.final_content) return item;
    const key = `${item.line} ${text}`;
    const version = known.get(key) ?? { ...item, trace: withAnswer(item.trace, text) };
    known.set(key, version);
    return version;
  };
}

/** The trace with another last answer, wherever a judge may read it. */
function withAnswer(trace: Trace, text: string): Trace {
  const at = trace.messages.findLastIndex(
    ({ role, content }) => role === 'assistant' && content === trace.final_content,
  );
  const messages = trace.messages.map((message, index) =>
    index === at && message.role === 'assistant' ? { ...message, content: text } : message,
  );
  return { ...trace, messages, final_content: text };
}

/** Each language beside English. The pairs of an exchange are a case. */
function languagePairs(): PlannedPair[] {
  return languageExchanges().flatMap((exchange, index) => {
    const itemOf = (language: string): NumberedItem | null => {
      const given = exchange[language];
      return given ? { trace: traceFrom(given), line: index + 1, labels: null, passed: null } : null;
    };
    const plain = itemOf('en');
    if (!plain) return [];
    return Object.keys(exchange).flatMap((language) => {
      const changed = language === 'en' ? null : itemOf(language);
      return changed ? [{ plain, changed, cluster: `exchange ${index + 1}` }] : [];
    });
  });
}

function counted(reasons: readonly string[]): BiasDocument['left_out'] {
  const groups = [...Map.groupBy(reasons, (reason) => reason)];
  return groups
    .map(([reason, of]) => ({ reason, answers: of.length }))
    .toSorted((a, b) => b.answers - a.answers || (a.reason < b.reason ? -1 : 1));
}
