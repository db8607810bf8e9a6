import type { CostEstimate, Estimate, ScenarioEstimate } from '../../../run/estimate/estimate.ts';
import { formatCount, formatMoney, formatPlural } from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { renderEstimateLayout } from '../../terminal/estimate-layout.ts';
import type { Look } from '../../terminal/look.ts';
import type { Style } from '../../terminal/style.ts';
import type { Cell, Column } from '../../terminal/table.ts';

type Key = 'name' | 'who' | 'calls' | 'tokens' | 'cost' | 'most';

const COLUMNS: readonly Column<Key>[] = [
  { key: 'name', header: 'Scenario', priority: 6, min: 10 },
  { key: 'who', header: 'Who', priority: 5, min: 12 },
  { key: 'calls', header: 'Calls', align: 'right', priority: 4 },
  { key: 'tokens', header: 'Tokens in', align: 'right', priority: 1 },
  { key: 'cost', header: 'About', align: 'right', priority: 3 },
  { key: 'most', header: 'At most', align: 'right', priority: 2 },
];

/** What a run or a reevaluation would do and cost, for `--estimate`. */
export function renderEstimate(estimate: Estimate, look: Look): string {
  const rows = (style: Style) => estimate.scenarios.flatMap((scenario) => scenarioRows(scenario, style));
  return renderEstimateLayout({ columns: COLUMNS, rows, totals: totals(estimate), notes: notes(estimate) }, look);
}

type Row = Partial<Record<Key, Cell>>;

function scenarioRows({ name, agent, judges }: ScenarioEstimate, style: Style): Row[] {
  const money = (usd: number | null): Cell => ({ text: formatMoney(usd), ...(usd === null && { paint: style.dim }) });
  const rows: Row[] = judges.map(({ model, calls, input_tokens, cost_usd }) => ({
    who: { text: safeLine(`judge ${model}`, 40) },
    calls: { text: countRange(calls) },
    tokens: { text: formatCount(input_tokens) },
    cost: money(cost_usd?.typical ?? null),
    most: { text: cost_usd === null ? '' : formatMoney(cost_usd.most) },
  }));
  if (agent) {
    const who = { text: safeLine(`agent ${agent.model}`, 40) };
    rows.unshift({ who, calls: { text: formatCount(agent.runs) }, cost: money(agent.cost_usd) });
  }
  const [first = { who: { text: 'no judge' } }, ...others] = rows;
  return [{ ...first, name: { text: safeLine(name, 60), paint: style.bold } }, ...others];
}

function totals(estimate: Estimate): string[] {
  const { agent_runs, agent_cost_usd, judge_calls, judge_cost_usd, cached_votes } = estimate;
  const runs = agent_runs === 0 ? 'no agent run' : formatPlural(agent_runs, 'agent run');
  const cached = cached_votes > 0 ? ` (${formatPlural(cached_votes, 'vote')} already in the cache)` : '';
  return [
    agent_runs === 0
      ? runs
      : `${runs}: ${agent_cost_usd === null ? 'cost unknown' : `about ${formatMoney(agent_cost_usd)}`}`,
    judge_calls.most === 0
      ? `no judge call${cached}`
      : `${countRange(judge_calls)} judge ${judge_calls.most === 1 ? 'call' : 'calls'}${cached}: ${costWords(judge_cost_usd)}`,
  ];
}

function countRange({ fewest, most }: { fewest: number; most: number }): string {
  return fewest === most ? formatCount(most) : `${formatCount(fewest)}–${formatCount(most)}`;
}

function costWords(cost: CostEstimate): string {
  if (cost === null) return 'cost unknown';
  return `about ${formatMoney(cost.typical)}, at most ${formatMoney(cost.most)}`;
}

function notes({ scenarios, agent_runs, judge_calls }: Estimate): string[] {
  const unseen = scenarios.filter(({ agent, traces }) => agent !== null && traces === 0);
  const judged = unseen.some(({ judges }) => judges.length > 0);
  return [
    ...(unseen.length > 0 && agent_runs > 0
      ? [
          `${unseen.length === scenarios.length ? 'Nothing' : `Of ${formatPlural(unseen.length, 'scenario')} nothing`} is stored yet, so the agent's cost is unknown${judged ? ", and judges' prompts are counted without its answers" : ''}. Run it once to find out.`,
        ]
      : []),
    ...(judge_calls.most > 0
      ? [
          'Tokens are estimated at four characters each, a vote at 150 tokens. At most: every answer has max_tokens, cannot be read, and is asked for once more.',
        ]
      : []),
  ];
}
