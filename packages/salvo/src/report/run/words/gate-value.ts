import type { GateResult } from '../../../run/record/gate-result.ts';
import { formatMoney, formatPercent, formatScore, formatSeconds } from '../../../stats/format.ts';

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
