import { figure, type Look, table, toTerminal } from 'salvo/kit/report';
import { estimateReport } from 'salvo/kit/report-files';
import { formatCount, formatMoney, formatPlural, formatSeconds, relativeTime } from 'salvo/kit/stats';
import type { ExperimentRecord } from '../../experiment/experiment-record.ts';
import type { ExperimentEstimate } from '../../experiment/plan/estimate-experiment.ts';

const TEAMS = { red: 'Red', blue: 'Blue', judge: 'Judge' } as const;

/** What an experiment would do and cost, for `salvo experiment --estimate`. */
export function renderExperimentEstimate(estimate: ExperimentEstimate, look: Look): string {
  const { games, codes, model_calls, cost_usd, seconds } = estimate;
  const teams = table(estimate.teams, [
    { header: '', priority: 4, cell: ({ team }) => TEAMS[team] },
    { header: 'Team', priority: 5, min: 12, cell: ({ name }) => name },
    figure('Times', 2, ({ times }) => formatCount(times)),
    figure('Model calls', 1, ({ model_calls: calls }) => (calls === 0 ? 'none' : `at least ${formatCount(calls)}`)),
    figure('Cost', 3, ({ cost_usd: cost }) => formatMoney(cost)),
  ]);
  const calls = model_calls === 0 ? 'no model call' : `at least ${formatPlural(model_calls, 'model call')}`;
  const duration = seconds === null ? '' : `, about ${formatSeconds(seconds)} one after the other`;
  const totals = [
    `${formatPlural(games, 'game')} on ${formatPlural(codes, 'piece')} of code, ${calls}`,
    `cost ${cost_usd === null ? 'unknown' : `about ${formatMoney(cost_usd)}`}${duration}`,
  ];
  const notes =
    cost_usd === null
      ? ['The cost of a model is known from stored games with it: play a few first (tasks: {sample: 2}).']
      : [];
  return toTerminal(estimateReport({ calls: teams, totals, notes }), look);
}

/** Stored experiments, newest first. */
export function renderExperimentList(
  experiments: readonly ExperimentRecord[],
  { now, ...look }: Look & { now: number },
): string {
  if (experiments.length === 0) return 'No experiment is stored yet: salvo experiment FILE.yaml plays one.\n';
  const list = table(experiments, [
    { header: 'Experiment', priority: 5, cell: ({ experiment_id }) => experiment_id },
    { header: 'When', priority: 2, cell: ({ created_at }) => relativeTime(created_at, now) },
    { header: 'Status', priority: 3, cell: ({ status }) => status },
    figure('Games', 1, ({ games_planned }) => formatCount(games_planned)),
    { header: 'Name', priority: 4, min: 10, cell: ({ name }) => name },
  ]);
  return toTerminal([list], look);
}
