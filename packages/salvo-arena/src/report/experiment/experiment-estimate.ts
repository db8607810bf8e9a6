import type { Column, Look } from 'salvo/kit/report';
import { renderEstimateLayout } from 'salvo/kit/report-files';
import { formatCount, formatMoney, formatPlural, formatSeconds } from 'salvo/kit/stats';
import { safeLine } from 'salvo/kit/text';
import type { ExperimentEstimate } from '../../experiment/plan/estimate-experiment.ts';

const COLUMNS: readonly Column<'team' | 'name' | 'times' | 'calls' | 'cost'>[] = [
  { key: 'team', header: '', priority: 4 },
  { key: 'name', header: 'Team', priority: 5, min: 12 },
  { key: 'times', header: 'Times', align: 'right', priority: 2 },
  { key: 'calls', header: 'Model calls', align: 'right', priority: 1 },
  { key: 'cost', header: 'Cost', align: 'right', priority: 3 },
];

const TEAMS = { red: 'Red', blue: 'Blue', judge: 'Judge' } as const;

/** What an experiment would do and cost, for `salvo experiment --estimate`. */
export function renderExperimentEstimate(estimate: ExperimentEstimate, look: Look): string {
  const { games, codes, model_calls, cost_usd, seconds } = estimate;
  const rows = estimate.teams.map(({ team, name, times, model_calls: calls, cost_usd: cost }) => ({
    team: { text: TEAMS[team] },
    name: { text: safeLine(name, 200) },
    times: { text: formatCount(times) },
    calls: { text: calls === 0 ? 'none' : `at least ${formatCount(calls)}` },
    cost: { text: formatMoney(cost) },
  }));
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
  return renderEstimateLayout({ columns: COLUMNS, rows: () => rows, totals, notes }, look);
}
