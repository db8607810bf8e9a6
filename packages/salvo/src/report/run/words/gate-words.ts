import { couldBeLuck, type GateResult } from '../../../run/record/gate-result.ts';
import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import { formatCount, formatMoney, formatPercent, formatScore, formatSeconds } from '../../../stats/format.ts';
import { safeLine } from '../../../text/output/safe-text.ts';

/** The value of a gate, its interval and its limit: `pass^3 71% (95% CI 50–86%), at least 80% required (min_pass_hat_k)`. */
export function gateInWords(
  gate: GateResult,
  { cases }: Pick<ScenarioSummary, 'cases'>,
  { withInterval }: { withInterval: boolean } = { withInterval: true },
): string {
  const name = NAMES[gate.gate](gate.of);
  if (gate.value === null) return `${name} unknown: ${whyUnknown(gate, cases.length > 1)} (${gate.gate})`;
  const interval =
    gate.interval === null || !withInterval
      ? ''
      : ` (95% CI ${gate.interval.map((end) => gateValue(gate, end)).join(' to ')})`;
  return `${name} ${exactGateValue(gate, gate.value)}${interval}, ${required(gate)}`;
}

/** If more trials could turn the outcome: a sentence without a full stop. Null if not. */
function luckInWords(gate: GateResult, { cases }: Pick<ScenarioSummary, 'cases'>): string | null {
  if (!couldBeLuck(gate)) return null;
  const [unit, counted] = cases.length > 1 ? ['cases', 'more cases'] : ['trials', 'more trials'];
  const enough = gate.needed === null ? counted : `about ${formatCount(gate.needed)} ${unit}`;
  return `could be luck, as the interval contains the limit; ${enough} would tell`;
}

/** One line for each gate that the sentence about the verdict does not explain. */
export function gateLines(scenario: ScenarioSummary): { met: boolean | null; text: string }[] {
  return scenario.gates.flatMap((gate) => {
    const luck = luckInWords(gate, scenario);
    if (isInSentence(gate) && luck === null) return [];
    const words = gateInWords(gate, scenario);
    return [{ met: gate.met, text: safeLine(luck === null ? words : `${words}: ${luck}`) }];
  });
}

/** The gates that were missed or are unknown, and that the sentence about the verdict does not name. */
export function missedGates(scenario: ScenarioSummary): { met: boolean | null; text: string }[] {
  const decided = verdictGates(scenario);
  return scenario.gates
    .filter((gate) => gate.met !== true && !isInSentence(gate) && !decided.includes(gate))
    .map((gate) => ({ met: gate.met, text: safeLine(gateInWords(gate, scenario, { withInterval: false })) }));
}

/** The sentence about the verdict has the numbers of these. */
function isInSentence({ gate }: GateResult): boolean {
  return gate === 'min_pass_rate' || gate === 'min_score';
}

const FURTHER: ReadonlySet<ScenarioSummary['decided_by']> = new Set([
  ...(['min_pass_hat_k', 'min_pass_at_k', 'min_criteria', 'max_cost_usd', 'max_latency_seconds'] as const),
]);

/** The gates that decided the verdict: those that were missed or, if none was, those that are unknown. */
export function verdictGates({ gates, decided_by }: Pick<ScenarioSummary, 'gates' | 'decided_by'>): GateResult[] {
  if (decided_by === 'unknown_gate') return gates.filter(({ met }) => met === null);
  return FURTHER.has(decided_by) ? gates.filter(({ met }) => met === false) : [];
}

/** What a gate is about. */
const NAMES: Record<GateResult['gate'], (of: string | null) => string> = {
  min_pass_rate: () => 'pass rate',
  min_score: () => 'mean score',
  min_pass_hat_k: (k) => `pass^${k}`,
  min_pass_at_k: (k) => `pass@${k}`,
  min_criteria: (criterion) => `criterion ${criterion}`,
  max_cost_usd: () => 'cost per trial',
  max_latency_seconds: (quantile) => `latency ${quantile}`,
};

function required(gate: GateResult): string {
  const words = gate.gate.startsWith('max_') ? 'at most' : 'at least';
  const after = gate.gate.startsWith('max_') ? 'allowed' : 'required';
  return `${words} ${exactGateValue(gate, gate.limit)} ${after} (${gate.gate})`;
}

function whyUnknown({ unknown, of }: GateResult, hasCases: boolean): string {
  switch (unknown) {
    case 'too_few_trials':
      return `${hasCases ? 'every case' : 'the scenario'} needs ${of} scored trials; run ${of} trials or more`;
    case 'no_price':
      return 'the cost of a trial is unknown; an agent of your own can return `usage` or `cost_usd`, and `prices` of salvo.yaml has prices of models';
    case 'no_time':
      return 'the time of a trial is unknown; a conversation that was recorded elsewhere can have `latency_seconds`';
    case 'no_criterion':
      return 'a judgement does not have this criterion; judge the trials again with salvo reeval';
    case 'nothing_scored':
    case null:
      return 'nothing was scored';
  }
}

/** How values are shown, and how with more digits. */
interface GateUnit {
  show: (value: number | null) => string;
  scale: number;
  before?: string;
  after?: string;
}

const SHARE: GateUnit = { show: formatPercent, scale: 100, after: '%' };
const SCORE: GateUnit = { show: formatScore, scale: 1 };
const UNITS: Record<GateResult['gate'], GateUnit> = {
  ...{ min_pass_rate: SHARE, min_pass_hat_k: SHARE, min_pass_at_k: SHARE, min_score: SCORE, min_criteria: SCORE },
  max_cost_usd: { show: formatMoney, scale: 1, before: '$' },
  max_latency_seconds: { show: formatSeconds, scale: 1, after: 's' },
};

/** A value, limit or end of an interval of a gate. */
export function gateValue({ gate }: Pick<GateResult, 'gate'>, value: number | null): string {
  return UNITS[gate].show(value);
}

/** With enough digits that a value that misses its limit does not look like the limit. */
export function exactGateValue(gate: Pick<GateResult, 'gate' | 'value' | 'limit'>, value: number | null): string {
  const other = value === gate.limit ? gate.value : gate.limit;
  const text = gateValue(gate, value);
  if (value === null || other === null || other === value || gateValue(gate, other) !== text) return text;
  const { scale, before = '', after = '' } = UNITS[gate.gate];
  const digits = [2, 3, 4, 5, 6].find((count) => (value * scale).toFixed(count) !== (other * scale).toFixed(count));
  return digits === undefined ? text : `${before}${(value * scale).toFixed(digits)}${after}`;
}
