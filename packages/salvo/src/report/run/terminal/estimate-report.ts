import type { CostEstimate, Estimate, ScenarioEstimate } from '../../../run/estimate/estimate.ts';
import { formatCount, formatMoney, formatPlural } from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';
import { figure, type Text, table } from '../../document/document.ts';
import { estimateReport } from '../../document/estimate.ts';
import { toTerminal } from '../../document/terminal.ts';
import type { Look } from '../../terminal/look.ts';

/** What a run or a reevaluation would do and cost, for `--estimate`. */
export function renderEstimate(estimate: Estimate, look: Look): string {
  const calls = table(estimate.scenarios.flatMap(scenarioRows), [
    { header: 'Scenario', priority: 6, min: 10, cell: ({ name: text = '' }) => ({ text, tone: 'bold' }) },
    { header: 'Who', priority: 5, min: 12, cell: ({ who }) => who },
    figure('Calls', 4, ({ calls: count = '' }) => count),
    figure('Tokens in', 1, ({ tokens = '' }) => tokens),
    figure('About', 3, ({ cost = '' }) => cost),
    figure('At most', 2, ({ most = '' }) => most),
  ]);
  return toTerminal(estimateReport({ calls, totals: totals(estimate), notes: notes(estimate) }), look);
}

interface Row {
  who: string;
  name?: string;
  calls?: string;
  tokens?: string;
  cost?: Text;
  most?: string;
}

function scenarioRows({ name, agent, user, judges }: ScenarioEstimate): Row[] {
  const money = (usd: number | null): Text => ({ text: formatMoney(usd), ...(usd === null && { tone: 'dim' }) });
  const rows = judges.map(
    ({ model, calls, input_tokens, cost_usd }): Row => ({
      who: safeLine(`judge ${model}`, 40),
      calls: countRange(calls),
      tokens: formatCount(input_tokens),
      cost: money(cost_usd?.typical ?? null),
      most: cost_usd === null ? '' : formatMoney(cost_usd.most),
    }),
  );
  if (user)
    rows.unshift({
      who: safeLine(`user ${user.model}`, 40),
      calls: countRange(user.calls),
      cost: money(user.cost_usd),
    });
  if (agent) {
    const who = safeLine(`agent ${agent.model}`, 40);
    rows.unshift({ who, calls: formatCount(agent.runs), cost: money(agent.cost_usd) });
  }
  const [first = { who: 'no judge' }, ...others] = rows;
  return [{ ...first, name: safeLine(name, 60) }, ...others];
}

function totals(estimate: Estimate): string[] {
  const { agent_runs, agent_cost_usd, user_calls, user_cost_usd, judge_calls, judge_cost_usd, cached_votes } = estimate;
  const runs = agent_runs === 0 ? 'no agent run' : formatPlural(agent_runs, 'agent run');
  const cached = cached_votes > 0 ? ` (${formatPlural(cached_votes, 'vote')} already in the cache)` : '';
  return [
    agent_runs === 0
      ? runs
      : `${runs}: ${agent_cost_usd === null ? 'cost unknown' : `about ${formatMoney(agent_cost_usd)}`}`,
    ...(user_calls
      ? [
          `${countRange(user_calls)} calls of simulated users: ${user_cost_usd === null || user_cost_usd === undefined ? 'cost unknown' : `about ${formatMoney(user_cost_usd)}`}`,
        ]
      : []),
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
