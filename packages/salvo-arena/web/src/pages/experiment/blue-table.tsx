import type { ReactNode } from 'react';
import { RateBar, TableSection, visibleText } from 'salvo/viewer-parts';
import { Link } from 'wouter';
import { gamesHref } from '../../../../src/app/view/page-hrefs.ts';
import type { ExperimentResults, GameMetrics } from '../../../../src/experiment/results/experiment-results.ts';
import styles from './experiment-page.module.css';

/** The figures of each Blue over all its games. */
export function BlueTable({ results }: { results: ExperimentResults }) {
  const { blues, experiment, precision_used, clustered_by, overall, structures } = results;
  const hasUnresolved = blues.some(({ by_twin }) => by_twin?.unresolved);
  const isByTwin = precision_used === 'twin';
  return (
    <TableSection
      name="Blue Teams"
      rows={blues.map((metrics) => ({ ...metrics, used: usedFigures(metrics, isByTwin) }))}
      keyOf={({ blue }) => blue}
      columns={[
        [
          'Blue',
          ({ blue }) => (
            <div className={styles.team}>
              <Link href={gamesHref(experiment.experiment_id, { blue })}>{visibleText(blue)}</Link>
            </div>
          ),
          'head',
        ],
        [{ number: 'Games' }, ({ games }) => games],
        ['Recall', ({ pooled: { recall } }) => <RateBar rate={recall.value} interval={recall.interval} />],
        [
          isByTwin ? 'Precision by twin' : 'Precision',
          ({ used: { precision } }) => (
            <RateBar rate={precision.value} interval={precision.interval} none="— nothing reported" />
          ),
        ],
        ...(hasUnresolved ? [UNRESOLVED_OUT] : []),
        [
          isByTwin ? 'Mean F1 by twin' : 'Mean F1',
          ({ used: { f1 } }) => <RateBar rate={f1.value} interval={f1.interval} />,
        ],
        [{ number: 'Found' }, ({ found, vulnerabilities }) => `${found} of ${vulnerabilities}`],
        [{ number: 'False alarms' }, ({ used }) => used.falseAlarms],
        [{ number: 'Consequences' }, ({ consequences }) => consequences],
      ]}
    >
      <p className={styles.note}>
        Recall and precision are pooled over games, F1 is their mean. Intervals are 95%, over{' '}
        {clustered_by === 'structure'
          ? `${structures.count} structures (effective ${structures.effective.toFixed(1)})`
          : 'pieces of code'}
        {overall.clusters < FEW_CLUSTERS ? `, of which there are only ${overall.clusters}: they are wide.` : '.'}{' '}
        {isByTwin &&
          'By the twin: a finding that is also on the same code without the flaws is a false alarm, and one that a flaw caused is none.'}
      </p>
    </TableSection>
  );
}

const FEW_CLUSTERS = 10;

/** False alarms about values that only evaluation finds are left out. */
const UNRESOLVED_OUT: [string, (metrics: GameMetrics) => ReactNode] = [
  'Unresolved out',
  ({ by_twin }) => (
    <RateBar
      rate={by_twin?.precision_without_unresolved.value ?? null}
      interval={by_twin?.precision_without_unresolved.interval ?? null}
      none="—"
    />
  ),
];

/** By the clean twin if all Blues looked at it. */
export function usedFigures({ by_twin, pooled, average, false_alarms }: GameMetrics, isByTwin: boolean) {
  return isByTwin && by_twin
    ? { precision: by_twin.precision, f1: by_twin.f1, falseAlarms: by_twin.false_alarms }
    : { precision: pooled.precision, f1: average.f1, falseAlarms: false_alarms };
}
