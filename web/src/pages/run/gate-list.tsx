import type { RunView } from '../../../../src/app/view/run-view.ts';
import type { GateResult } from '../../../../src/run/gate-result.ts';
import { formatDuration, formatMoney, formatShare } from '../../format.ts';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import styles from './sections.module.css';

/** What the scenarios had to reach, and what they reached. */
export function GateList({ view }: { view: RunView }) {
  const gates = view.scenarios.flatMap(({ name, label, summary }, index) =>
    (summary?.gates ?? []).map((gate) => ({
      entry: view.models.length > 0 ? `${name} · ${label}` : name,
      index,
      gate,
    })),
  );
  if (gates.length === 0 || view.is_running) return null;
  return (
    <section>
      <h2 className={styles.head}>Gates</h2>
      <ScrollRegion name="Gates">
        <table>
          <thead>
            <tr>
              <th scope="col">Scenario</th>
              <th scope="col">Gate</th>
              <th scope="col" className={styles.number}>
                Limit
              </th>
              <th scope="col" className={styles.number}>
                Value
              </th>
              <th scope="col" className={styles.number}>
                95% interval
              </th>
              <th scope="col">Outcome</th>
            </tr>
          </thead>
          <tbody>
            {gates.map(({ entry, index, gate }) => (
              <tr key={`${index} ${gate.gate} ${gate.of}`}>
                <td>{entry}</td>
                <td>
                  {gate.gate}
                  {gate.of !== null && <span className={styles.soft}> · {gate.of}</span>}
                </td>
                <td className={styles.number}>{formatValue(gate, gate.limit)}</td>
                <td className={styles.number}>{formatValue(gate, gate.value)}</td>
                <td className={styles.number}>
                  {gate.interval && `${formatValue(gate, gate.interval[0])} – ${formatValue(gate, gate.interval[1])}`}
                </td>
                <td className={`${styles.text} ${gate.met === false ? styles.missed : ''}`}>{outcomeOf(gate)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

function formatValue({ gate }: GateResult, value: number | null): string {
  if (gate === 'max_cost_usd') return formatMoney(value);
  return gate === 'max_latency_seconds' ? formatDuration(value) : formatShare(value);
}

const UNKNOWN: Record<NonNullable<GateResult['unknown']>, string> = {
  too_few_trials: 'unknown: too few trials',
  no_price: 'unknown: a price is missing',
  no_criterion: 'unknown: no judge has this criterion',
  nothing_scored: 'unknown: nothing was scored',
};

function outcomeOf({ met, unknown, needed }: GateResult): string {
  if (met === null) return unknown === null ? 'unknown' : UNKNOWN[unknown];
  const luck = needed === null ? '' : `, which could be luck: about ${needed} trials would tell`;
  return `${met ? '✓ met' : '✕ missed'}${luck}`;
}
