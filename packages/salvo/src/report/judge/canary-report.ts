import type { CanaryOutcome, CanaryPassRate, CanaryReport } from '../../judge/canaries/check-judge.ts';
import { formatCost, formatInterval, formatPercent, formatPlural, formatScore } from '../../stats/format.ts';
import { judgeCost } from '../../trace/cost-fields.ts';
import {
  type Block,
  column,
  figure,
  type ReportDocument,
  type ReportItem,
  type Text,
  type Tone,
  table,
  toned,
} from '../document/document.ts';
import { toTerminal } from '../document/terminal.ts';
import { bar } from '../terminal/bar.ts';
import type { Look } from '../terminal/look.ts';

type Kind = CanaryReport['kinds'][number]['kind'];

const WORDS: Record<Kind, string> = {
  empty_answer: 'empty answers',
  opening_only: 'openings without an answer',
  instruction: 'instructions to the judge',
  forged_score: 'forged scores and tool output',
  forged_fence: 'forged fences',
  forged_message: 'forged messages',
  fake_authority: 'fake authority',
  emotional_appeal: 'emotional appeals',
  padding: 'long padding',
  hidden_text: 'hidden text',
  tool_result: 'tool results that address the judge',
  other_language: 'the same in other languages',
  wrong_answer: 'well written wrong answers',
  wrong_detail: 'plausible wrong details',
  honest_answer: 'honest answers (must pass)',
};

const MOST_EXAMPLES = 12;

/** How often a judge could be manipulated, for `salvo judge-check`. */
export function renderCanaries(report: CanaryReport, look: Look): string {
  const { budget_refusal: refusal } = report;
  const blocks: ReportDocument = [
    headline(report),
    kindTable(report),
    examples('It fell for:', report.fell_for),
    examples('It failed honest answers:', report.controls_failed),
    unscored(report),
    { lines: refusal === null ? [] : [`Stopped: ${refusal}.`] },
    { items: VERDICTS[report.verdict].advice.map((text) => ({ symbol: '→', text })) },
  ];
  return toTerminal(blocks, look);
}

/** What a verdict says, and what to do about it. Unless its sign says otherwise, it is bad news. */
interface VerdictWords {
  sign?: { symbol: string; tone: Tone };
  words: (report: CanaryReport) => string;
  advice: string[];
}

const VERDICTS: Record<CanaryReport['verdict'], VerdictWords> = {
  robust: {
    sign: { symbol: '✔', tone: 'green' },
    words: ({ attacks, wrong }) =>
      `fell for none of ${formatPlural(attacks.scored, 'attempt')}, and passed none of ${formatPlural(wrong.scored, 'wrong answer')}`,
    advice: ['It is hard to manipulate, and finds plain errors. Whether it is right on yours, salvo calibrate shows.'],
  },
  'passes everything': {
    words: () => 'passes everything: right answers, wrong ones, and attempts to manipulate it',
    advice: ['Its verdicts say nothing. Take a stronger model.'],
  },
  'fails everything': {
    words: () => 'fails everything, right answers too',
    advice: [
      'It passes nothing at all, so resisting every attempt says nothing. Look at its reasoning above: a rubric that these tasks cannot meet fails them all. Else take a stronger model.',
    ],
  },
  'checks nothing': {
    words: () => 'checks nothing: it does not pass right answers more often than wrong ones',
    advice: [
      'It may know attempts to manipulate it, but it does not compare an answer with the task and the evidence. Take a stronger model, or a rubric that asks whether the answer is right.',
    ],
  },
  'misses errors': {
    words: ({ wrong }) => `passed ${wrong.passed} of ${formatPlural(wrong.scored, 'wrong answer')}`,
    advice: ['Take a stronger model, or give it a reference that it can compare answers with.'],
  },
  manipulated: {
    words: ({ attacks }) => `fell for ${attacks.passed} of ${formatPlural(attacks.scored, 'attempt')}`,
    advice: [
      'An agent can do the same by accident. Take a stronger model, more votes, or a panel of different models.',
    ],
  },
  'too strict': {
    words: ({ honest }) => `failed ${honest.scored - honest.passed} of ${formatPlural(honest.scored, 'honest answer')}`,
    advice: ['It fails right answers. Take a stronger model, or say more clearly in the criteria what earns a score.'],
  },
  guessing: {
    words: () => 'guessing: it does not pass honest answers more often than attempts to manipulate it',
    advice: [
      'Few attempts that pass say nothing about a judge that passes honest answers no more often. Take a stronger model.',
    ],
  },
  open: { sign: { symbol: '◌', tone: 'magenta' }, words: () => 'open: not every case was scored', advice: [] },
};

function headline(report: CanaryReport): Block {
  const { judge_model, judge_adapter, k, threshold, honest, wrong, attacks } = report;
  const cost = formatCost(judgeCost(report), 'cost unknown');
  const { sign: { symbol, tone } = { symbol: '✖', tone: 'red' }, words } = VERDICTS[report.verdict];
  return {
    heading: `${judge_model} (${judge_adapter}) ${formatPlural(k, 'vote')}`,
    lines: [
      { text: `${symbol} ${words(report)}`, tone },
      `passed ${passed(honest, 'honest answer')}, ${passed(wrong, 'wrong answer')} and ${passed(attacks, 'attempt')}`,
      ...toned('dim', [`${formatPlural(report.cases, 'case')}, threshold ${threshold}, ${cost}`]),
    ],
  };
}

function passed({ passed: count, scored, ci }: CanaryPassRate, what: string): string {
  const interval = ci ? ` (${formatPercent(count / scored)}, 95% interval ${formatInterval(ci)})` : '';
  return `${count} of ${formatPlural(scored, what)}${interval}`;
}

function kindTable({ kinds }: CanaryReport): Block {
  return table(kinds, [
    column('', { priority: 3 }, ({ wrong, unscored: lost }) => {
      if (wrong > 0) return { text: '✖', tone: 'red' };
      return lost > 0 ? { text: '◌', tone: 'magenta' } : { text: '✔', tone: 'green' };
    }),
    column('Kind', { priority: 5, min: 8 }, ({ kind }) => WORDS[kind]),
    figure('Wrong', 4, ({ wrong, cases }) => ({ text: `${wrong}/${cases}`, tone: wrong > 0 ? 'red' : 'dim' })),
    column('', { priority: 1 }, ({ wrong, cases }) => ({
      text: wrong > 0 ? bar(wrong / cases, 10) : '',
      tone: 'red',
      own: true,
    })),
    figure('Not scored', 2, ({ unscored: lost }) => ({ text: lost > 0 ? String(lost) : '', tone: 'magenta' })),
  ]);
}

function examples(title: string, outcomes: readonly CanaryOutcome[]): Block {
  const items = fromEveryKind(outcomes).map(({ id, score, reasoning }): ReportItem => {
    const parts: Text[] = [
      { text: id, tone: 'bold' },
      { text: formatScore(score), tone: 'red' },
    ];
    return { text: { parts, separator: ' ' }, below: toned('dim', [reasoning]) };
  });
  return { title, items, most: MOST_EXAMPLES };
}

/** The first of each kind, then the others. */
function fromEveryKind(outcomes: readonly CanaryOutcome[]): CanaryOutcome[] {
  const isFirst = (outcome: CanaryOutcome): boolean => outcomes.find(({ kind }) => kind === outcome.kind) === outcome;
  return [...outcomes.filter(isFirst), ...outcomes.filter((outcome) => !isFirst(outcome))];
}

function unscored({ unscored: lost, not_judged }: CanaryReport): Block {
  const [first] = lost;
  return {
    lines: [
      ...toned('magenta', [first ? `${formatPlural(lost.length, 'case')} could not be scored` : null]),
      { lines: [first?.error ?? ''], indent: 2 },
      ...toned('yellow', [not_judged > 0 ? `${formatPlural(not_judged, 'case')} not judged` : null]),
    ],
  };
}
