import { type Block, figure, table } from 'salvo/kit/report';
import {
  formatCount,
  formatInterval,
  formatMoney,
  formatPercent,
  formatPlural,
  oneDigit,
  twoDigits,
} from 'salvo/kit/stats';
import type { ExperimentResults, Spread } from '../../experiment/results/experiment-results.ts';

type Details = Pick<ExperimentResults, 'runs' | 'efforts' | 'traps'>;

/** What findings cost and how severities agree; what is found always, sometimes and never; what Blue falls for. */
export function detailBlocks({ runs, efforts, traps }: Details): Block[] {
  const trapsOf = new Map(traps.map((each) => [each.blue, each]));
  return [
    table(
      efforts.filter(({ findings }) => findings > 0),
      [
        { header: 'Findings', priority: 9, min: 12, cell: ({ blue }) => blue },
        figure('Reported', 6, ({ findings }) => formatCount(findings)),
        figure('Per game', 4, ({ seconds_per_game }) => secondsText(seconds_per_game)),
        figure('Per match', 5, ({ seconds_per_match }) => secondsText(seconds_per_match)),
        figure('Cost per match', 7, ({ cost_per_match_usd: usd }) => (usd === null ? '—' : formatMoney(usd))),
        figure('Same severity', 6, ({ severity }) => shareText(severity.same, severity.matches)),
        figure('One off', 2, ({ severity }) => shareText(severity.one_off, severity.matches)),
        figure('Kappa', 3, ({ severity }) => twoDigits(severity.kappa)),
        figure('Traps taken', 8, ({ blue }) => {
          const trap = trapsOf.get(blue);
          return trap ? shareText(trap.alarmed, trap.places) : '—';
        }),
        figure('95% CI', 1, ({ blue }) => formatInterval(trapsOf.get(blue)?.rate.interval ?? null)),
      ],
    ),
    table(runs, [
      {
        header: 'Runs',
        priority: 9,
        min: 12,
        cell: ({ blue, runs: count }) => `${blue}, ${formatPlural(count, 'run')}`,
      },
      figure('Recall', 8, ({ recall }) => spreadText(recall)),
      figure('Precision', 4, ({ precision }) => spreadText(precision)),
      figure('F1', 3, ({ f1 }) => spreadText(f1)),
      figure('Always found', 7, (each) => shareText(each.always, each.always + each.sometimes + each.never)),
      figure('Sometimes', 6, (each) => shareText(each.sometimes, each.always + each.sometimes + each.never)),
      figure('Never', 5, (each) => shareText(each.never, each.always + each.sometimes + each.never)),
    ]),
  ];
}

/** What the columns of these tables mean. */
export function detailNotes({ runs, efforts, traps }: Details): string[] {
  return [
    ...(efforts.some(({ severity }) => severity.matches > 0)
      ? ['Same severity: of the matches with a severity on both sides. Kappa has linear weights.']
      : []),
    ...(traps.length > 0 ? ['Traps: places that look flawed and are safe. Taken: Blue reports the flaw there.'] : []),
    ...(runs.length > 0 ? ['Runs: each Blue on the same code several times, mean ± standard deviation.'] : []),
  ];
}

/** `26 structures (effective 18.5)` */
export function structureWords({ count, effective }: ExperimentResults['structures']): string {
  return `${formatPlural(count, 'structure')} (effective ${oneDigit(effective)})`;
}

function shareText(part: number, whole: number): string {
  return whole === 0 ? '—' : `${formatPercent(part / whole)} of ${formatCount(whole)}`;
}

function spreadText(spread: Spread | null): string {
  return spread ? `${formatPercent(spread.mean)} ± ${formatPercent(spread.sd)}` : '—';
}

/** Seconds with one digit are enough to compare a scanner with a model. */
function secondsText(seconds: number | null): string {
  return seconds === null ? '—' : `${seconds < 10 ? twoDigits(seconds) : oneDigit(seconds)} s`;
}
