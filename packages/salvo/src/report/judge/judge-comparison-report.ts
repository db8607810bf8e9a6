import type { ComparedJudgeRow, JudgeComparison, JudgePair } from '../../judge/which/judge-comparison.ts';
import {
  formatInterval,
  formatMoney,
  formatP,
  formatPercent,
  formatPlural,
  formatPoints,
  formatPointsInterval,
  formatSeconds,
  MISSING,
  signedTwoDigits,
  twoDigits,
  twoDigitsInterval,
} from '../../stats/format.ts';
import { type Block, column, figure, type ReportDocument, table, toned } from '../document/document.ts';
import { toTerminal } from '../document/terminal.ts';
import type { Look } from '../terminal/look.ts';
import { VERDICT_SYMBOLS, VERDICT_TONES } from './calibration-report.ts';

/** Judges compared on the same labels, for `salvo calibrate --judges`: what to do first, then the figures. */
export function renderJudgeComparison(comparison: JudgeComparison, look: Look): string {
  return toTerminal(comparisonReport(comparison), look);
}

function comparisonReport(comparison: JudgeComparison): ReportDocument {
  const { judges, pairs, notes } = comparison;
  return [
    headline(comparison),
    { lines: notes },
    sentenceList(judges),
    verdictTable(judges),
    probabilityTable(judges),
    ...judges.map(reliabilityTable),
    ...judges.map(biasTable),
    { lines: judges.some(({ biases }) => biases) ? toned('dim', BIAS_NOTES) : [] },
    pairTable(pairs),
  ];
}

function headline({ judges, labels, threshold }: JudgeComparison): Block {
  const { answers, human_passed } = labels;
  return {
    lines: [
      { text: `Which judge? ${formatPlural(judges.length, 'judge')} on the same labels`, tone: 'bold' },
      ...toned('dim', [
        `${formatPlural(answers, 'labelled answer')}, of which people passed ${human_passed}; threshold ${threshold}`,
      ]),
    ],
  };
}

function sentenceList(judges: readonly ComparedJudgeRow[]): Block {
  return {
    items: judges.map(({ name, verdict, sentences }) => ({
      symbol: { text: VERDICT_SYMBOLS[verdict], tone: VERDICT_TONES[verdict] },
      text: { parts: [{ text: name, tone: 'bold' }, verdict] },
      below: sentences,
    })),
  };
}

function verdictTable(judges: readonly ComparedJudgeRow[]): Block {
  const measure = { align: 'right' } as const;
  const kappa = 'agreement beyond chance; 1 is perfect, 0 is chance';
  return table(judges, [
    column('Judge', { priority: 9, min: 8 }, ({ name }) => name),
    column('Asked', { priority: 3 }, ({ mode, k }) => (mode === 'decide' ? 'decides' : formatPlural(k, 'vote'))),
    column('Agrees', { ...measure, priority: 8 }, ({ agreement: { rate, ci } }) => rateWords(rate, ci)),
    column('Kappa', { ...measure, priority: 7, meaning: kappa }, (row) => estimateWords(row.kappa, row.kappa_ci)),
    column('Sensitivity', { ...measure, priority: 6, meaning: 'of what people passed, how much it passed' }, (row) =>
      rateWords(row.sensitivity.rate, row.sensitivity.ci),
    ),
    column('Specificity', { ...measure, priority: 5, meaning: 'of what people failed, how much it failed' }, (row) =>
      rateWords(row.specificity.rate, row.specificity.ci),
    ),
    figure('Unscored', 4, ({ unscored: { rate } }) => formatPercent(rate)),
    figure('Cost', 2, ({ cost_usd_per_verdict: usd, cached, judged }) =>
      usd === null && judged > 0 && cached === judged ? 'cached' : formatMoney(usd),
    ),
    figure('Time', 1, ({ seconds_per_verdict }) => formatSeconds(seconds_per_verdict)),
  ]);
}

function probabilityTable(judges: readonly ComparedJudgeRow[]): Block {
  const measure = (header: string, priority: number, meaning: string, cell: (row: ComparedJudgeRow) => string) =>
    column(header, { align: 'right', priority, meaning }, cell);
  return table(judges, [
    column('Scores', { priority: 9, min: 8 }, ({ name }) => name),
    measure('AUROC', 8, 'how well it ranks what people pass above what they fail; 0.5 is chance', (row) =>
      estimateWords(row.auroc, row.auroc_ci),
    ),
    measure('Brier', 6, 'squared error of its probabilities; 0 is perfect', ({ reliability }) =>
      reliability ? estimateWords(reliability.brier, reliability.brier_ci) : MISSING,
    ),
    measure('ECE', 7, 'how far its probabilities are off on average', ({ reliability }) =>
      reliability ? estimateWords(reliability.calibration_error, reliability.calibration_error_ci) : MISSING,
    ),
    measure('Fitted', 5, 'agreement with a threshold that is chosen on the other half of the labels', ({ fitted }) =>
      fitted ? rateWords(fitted.agreement, fitted.agreement_ci) : MISSING,
    ),
    measure('At', 4, 'the two thresholds that were chosen', ({ fitted }) =>
      fitted ? fitted.thresholds.map((each) => String(Number(each.toFixed(3)))).join(', ') : MISSING,
    ),
  ]);
}

function reliabilityTable({ name, reliability }: ComparedJudgeRow): Block {
  return table(
    reliability?.bins ?? [],
    [
      column('Says', { align: 'right', priority: 9 }, ({ said }) => formatPercent(said)),
      figure('Answers', 7, ({ n }) => String(n)),
      column('People passed', { align: 'right', priority: 8 }, ({ observed, ci }) => rateWords(observed, ci)),
    ],
    { heading: `Where ${name} says that an answer passes with this probability` },
  );
}

const BIAS_NOTES = [
  'Pairs of answers that differ in one thing only. An effect that your rubric asks for, such as for brevity, is no bias.',
  'Position is measured by pairwise judging.',
];

function biasTable({ name, biases = [] }: ComparedJudgeRow): Block {
  return table(
    biases,
    [
      column('Bias', { priority: 9 }, ({ bias }) => bias),
      figure('Pairs', 4, ({ n }) => String(n)),
      column('Points of 5', { align: 'right', priority: 8 }, ({ points, ci }) =>
        points === null ? MISSING : `${signedTwoDigits(points)} (${twoDigitsInterval(ci)})`,
      ),
      column('Pass rate', { align: 'right', priority: 6 }, ({ pass_rate_difference: difference, pass_rate_ci: ci }) =>
        difference === null ? MISSING : `${formatPoints(difference)} (${formatPointsInterval(ci)})`,
      ),
      column('p', { align: 'right', priority: 5, meaning: 'by Holm, for all biases of the judge' }, ({ p_holm }) =>
        formatP(p_holm),
      ),
      column('Found', { priority: 7 }, ({ found }) => found),
      column('Left out', { priority: 1, min: 12 }, ({ left_out }) =>
        left_out.map(({ reason, answers }) => `${answers} ${reason}`).join('; '),
      ),
    ],
    { heading: `What changes the scores of ${name}, and should not` },
  );
}

function pairTable(pairs: readonly JudgePair[]): Block {
  return table(
    pairs.filter(({ n }) => n > 0),
    [
      column('Pair', { priority: 9, min: 12 }, ({ first, second }) => `${first} − ${second}`),
      figure('Answers', 3, ({ n }) => String(n)),
      column(
        'Agrees more often by',
        { align: 'right', priority: 8 },
        ({ difference, ci }) => `${signedTwoDigits(difference)} (${twoDigitsInterval(ci)})`,
      ),
      column('p', { align: 'right', priority: 7, meaning: 'by Holm, for all pairs together' }, ({ p_holm }) =>
        formatP(p_holm),
      ),
    ],
    { heading: 'Each two judges on the same answers' },
  );
}

function rateWords(rate: number | null, ci: readonly [number, number] | null): string {
  return rate === null ? MISSING : `${formatPercent(rate)} (${formatInterval(ci)})`;
}

function estimateWords(value: number | null, ci: readonly [number, number] | null): string {
  return value === null ? MISSING : `${twoDigits(value)} (${twoDigitsInterval(ci)})`;
}
