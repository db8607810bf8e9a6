import type { CanaryOutcome, CanaryPassRate, CanaryReport } from '../../judge/canaries/check-judge.ts';
import { formatCost, formatInterval, formatPercent, formatPlural, formatScore } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { judgeCost } from '../../trace/cost-fields.ts';
import { type Block, figure, table } from '../document/document.ts';
import { terminalBlocks } from '../document/terminal.ts';
import { bar } from '../terminal/bar.ts';
import { type Canvas, type Look, renderFor } from '../terminal/look.ts';
import { bullet, fewLines, joinBlocks, wrap } from '../terminal/wrap.ts';

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
  return renderFor(look, (canvas) =>
    joinBlocks([
      headline(report, canvas),
      ...terminalBlocks([kindTable(report)], canvas),
      examples('It fell for', report.fell_for, canvas),
      examples('It failed honest answers', report.controls_failed, canvas),
      unscored(report, canvas),
      report.budget_refusal === null ? [] : wrap(`Stopped: ${report.budget_refusal}.`, canvas.width),
      advice(report).flatMap((text) => bullet(text, canvas.width)),
    ]),
  );
}

const VERDICTS: Record<CanaryReport['verdict'], { symbol: string; colour: 'green' | 'red' | 'magenta' }> = {
  robust: { symbol: '✔', colour: 'green' },
  'passes everything': { symbol: '✖', colour: 'red' },
  'fails everything': { symbol: '✖', colour: 'red' },
  'checks nothing': { symbol: '✖', colour: 'red' },
  'misses errors': { symbol: '✖', colour: 'red' },
  manipulated: { symbol: '✖', colour: 'red' },
  'too strict': { symbol: '✖', colour: 'red' },
  guessing: { symbol: '✖', colour: 'red' },
  open: { symbol: '◌', colour: 'magenta' },
};

function headline(report: CanaryReport, { width, style }: Canvas): string[] {
  const { judge_model, judge_adapter, k, threshold, verdict } = report;
  const judge = `${judge_model} (${judge_adapter}) ${formatPlural(k, 'vote')}`;
  const cost = formatCost(judgeCost(report), 'cost unknown');
  const { symbol, colour } = VERDICTS[verdict];
  return [
    style.bold(safeLine(judge, width)),
    ...wrap(`${symbol} ${verdictWords(report)}`, width).map(style[colour]),
    ...wrap(
      `passed ${passed(report.honest, 'honest answer')}, ${passed(report.wrong, 'wrong answer')} and ${passed(report.attacks, 'attempt')}`,
      width,
    ),
    ...wrap(`${formatPlural(report.cases, 'case')}, threshold ${threshold}, ${cost}`, width).map(style.dim),
  ];
}

function verdictWords({ verdict, attacks, wrong, honest }: CanaryReport): string {
  switch (verdict) {
    case 'robust':
      return `fell for none of ${formatPlural(attacks.scored, 'attempt')}, and passed none of ${formatPlural(wrong.scored, 'wrong answer')}`;
    case 'passes everything':
      return 'passes everything: right answers, wrong ones, and attempts to manipulate it';
    case 'fails everything':
      return 'fails everything, right answers too';
    case 'checks nothing':
      return 'checks nothing: it does not pass right answers more often than wrong ones';
    case 'misses errors':
      return `passed ${wrong.passed} of ${formatPlural(wrong.scored, 'wrong answer')}`;
    case 'manipulated':
      return `fell for ${attacks.passed} of ${formatPlural(attacks.scored, 'attempt')}`;
    case 'too strict':
      return `failed ${honest.scored - honest.passed} of ${formatPlural(honest.scored, 'honest answer')}`;
    case 'guessing':
      return 'guessing: it does not pass honest answers more often than attempts to manipulate it';
    case 'open':
      return 'open: not every case was scored';
  }
}

function passed({ passed: count, scored, ci }: CanaryPassRate, what: string): string {
  const interval = ci ? ` (${formatPercent(count / scored)}, 95% interval ${formatInterval(ci)})` : '';
  return `${count} of ${formatPlural(scored, what)}${interval}`;
}

function kindTable({ kinds }: CanaryReport): Block {
  return table(kinds, [
    {
      header: '',
      priority: 3,
      cell: ({ wrong, unscored: lost }) =>
        wrong > 0
          ? { text: '✖', tone: 'red' }
          : lost > 0
            ? { text: '◌', tone: 'magenta' }
            : { text: '✔', tone: 'green' },
    },
    { header: 'Kind', priority: 5, min: 8, cell: ({ kind }) => WORDS[kind] },
    figure('Wrong', 4, ({ wrong, cases }) => ({ text: `${wrong}/${cases}`, tone: wrong > 0 ? 'red' : 'dim' })),
    {
      header: '',
      priority: 1,
      cell: ({ wrong, cases }) => ({ text: wrong > 0 ? bar(wrong / cases, 10) : '', tone: 'red', own: true }),
    },
    figure('Not scored', 2, ({ unscored: lost }) => ({ text: lost > 0 ? String(lost) : '', tone: 'magenta' })),
  ]);
}

function examples(title: string, outcomes: readonly CanaryOutcome[], { width, style }: Canvas): string[] {
  if (outcomes.length === 0) return [];
  const shown = fromEveryKind(outcomes, MOST_EXAMPLES).flatMap(({ id, score, reasoning }) => [
    `  ${style.bold(safeLine(id, width - 10))} ${style.red(formatScore(score))}`,
    ...(reasoning === null ? [] : fewLines(reasoning, width - 4).map((line) => `    ${style.dim(line)}`)),
  ]);
  const rest = outcomes.length - MOST_EXAMPLES;
  const more = rest > 0 ? wrap(`  and ${rest} more (JSON lists all)`, width).map(style.dim) : [];
  return [...wrap(`${title}:`, width), ...shown, ...more];
}

/** The first of each kind, then the others. */
function fromEveryKind(outcomes: readonly CanaryOutcome[], most: number): CanaryOutcome[] {
  const isFirst = (outcome: CanaryOutcome): boolean => outcomes.find(({ kind }) => kind === outcome.kind) === outcome;
  return [...outcomes.filter(isFirst), ...outcomes.filter((outcome) => !isFirst(outcome))].slice(0, most);
}

function unscored({ unscored: lost, not_judged }: CanaryReport, { width, style }: Canvas): string[] {
  const [first] = lost;
  return [
    ...(first
      ? [
          ...wrap(`${formatPlural(lost.length, 'case')} could not be scored`, width).map(style.magenta),
          ...fewLines(first.error ?? '', width - 2).map((line) => `  ${line}`),
        ]
      : []),
    ...(not_judged > 0 ? wrap(`${formatPlural(not_judged, 'case')} not judged`, width).map(style.yellow) : []),
  ];
}

function advice({ verdict }: CanaryReport): string[] {
  switch (verdict) {
    case 'robust':
      return ['It is hard to manipulate, and finds plain errors. Whether it is right on yours, salvo calibrate shows.'];
    case 'passes everything':
      return ['Its verdicts say nothing. Take a stronger model.'];
    case 'fails everything':
      return [
        'It passes nothing at all, so resisting every attempt says nothing. Look at its reasoning above: a rubric that these tasks cannot meet fails them all. Else take a stronger model.',
      ];
    case 'checks nothing':
      return [
        'It may know attempts to manipulate it, but it does not compare an answer with the task and the evidence. Take a stronger model, or a rubric that asks whether the answer is right.',
      ];
    case 'misses errors':
      return ['Take a stronger model, or give it a reference that it can compare answers with.'];
    case 'manipulated':
      return [
        'An agent can do the same by accident. Take a stronger model, more votes, or a panel of different models.',
      ];
    case 'too strict':
      return ['It fails right answers. Take a stronger model, or say more clearly in the criteria what earns a score.'];
    case 'guessing':
      return [
        'Few attempts that pass say nothing about a judge that passes honest answers no more often. Take a stronger model.',
      ];
    case 'open':
      return [];
  }
}
