import type { GateResult } from '../../../run/record/gate-result.ts';
import { formatMoney, formatPercent, formatScore, formatSeconds } from '../../../stats/format.ts';

/** A value, limit or end of an interval of a gate. */
export function gateValue({ gate }: Pick<GateResult, 'gate'>, value: number | null): string {
  switch (gate) {
    case 'min_pass_rate':
    case 'min_pass_hat_k':
    case 'min_pass_at_k':
      return formatPercent(value);
    case 'min_score':
    case 'min_criteria':
      return formatScore(value);
    case 'max_cost_usd':
      return formatMoney(value);
    case 'max_latency_seconds':
      return formatSeconds(value);
  }
}

/** With enough digits that a value that misses its limit does not look like the limit. */
export function exactGateValue(gate: Pick<GateResult, 'gate' | 'value' | 'limit'>, value: number | null): string {
  const other = value === gate.limit ? gate.value : gate.limit;
  const text = gateValue(gate, value);
  if (value === null || other === null || other === value || gateValue(gate, other) !== text) return text;
  const [scale, unit, before] = units(gate);
  const digits = [2, 3, 4, 5, 6].find((count) => (value * scale).toFixed(count) !== (other * scale).toFixed(count));
  return digits === undefined ? text : `${before}${(value * scale).toFixed(digits)}${unit}`;
}

function units({ gate }: Pick<GateResult, 'gate'>): [scale: number, unit: string, before: string] {
  if (gate === 'max_cost_usd') return [1, '', '$'];
  if (gate === 'max_latency_seconds') return [1, 's', ''];
  return gate === 'min_score' || gate === 'min_criteria' ? [1, '', ''] : [100, '%', ''];
}
