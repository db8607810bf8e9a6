import type { TrialOutcome } from '../../../../src/run/record/run-record.ts';
import { formatMoney, formatScore, formatSeconds } from '../../../../src/stats/format.ts';
import { Histogram } from '../../parts/histogram.tsx';
import styles from './distributions.module.css';

export function Distributions({ outcomes }: { outcomes: TrialOutcome[] }) {
  const known = (values: (number | null)[]): number[] => values.filter((value) => value !== null);
  return (
    <section>
      <h2>Distributions</h2>
      <div className={styles.charts}>
        <Histogram
          name="Score"
          values={known(outcomes.map(({ score }) => score))}
          format={formatScore}
          range={[0, 1]}
        />
        <Histogram
          name="Latency"
          values={known(outcomes.map(({ latency_seconds }) => latency_seconds))}
          format={formatSeconds}
        />
        <Histogram
          name="Cost of the agent"
          values={known(outcomes.map(({ cost_usd }) => cost_usd))}
          format={formatMoney}
        />
      </div>
    </section>
  );
}
