import { useState } from 'react';
import { gamesHref } from '../../../../src/app/view/page-hrefs.ts';
import type {
  ExperimentResults,
  GameMetrics,
  GroupRecall,
  RateEstimate,
} from '../../../../src/experiment/results/experiment-results.ts';
import { usedFigures } from './blue-table.tsx';
import styles from './matrix.module.css';
import { Choice, HeatScale, Matrix, type MatrixCell } from './matrix.tsx';

type Metric = 'recall' | 'precision' | 'f1';

const DIMENSIONS = { red: 'Red', difficulty: 'Difficulty', language: 'Language', strategy: 'Strategy' } as const;

/** Each Red against each Blue, and each dimension that varies. */
export function RateMatrix({ results }: { results: ExperimentResults }) {
  const [metric, setMetric] = useState<Metric>('recall');
  const { experiment, pairings, dimensions, precision_used } = results;
  const { red: reds, blue: blues } = experiment.plan;
  const isByTwin = precision_used === 'twin';
  const byTwin = isByTwin ? ' by twin' : '';
  const cellOf = (metrics: GameMetrics | undefined, filter: Record<string, string>): MatrixCell | null =>
    metrics
      ? {
          estimate: metricOf(metrics, metric, isByTwin),
          note: `${metrics.found} of ${metrics.vulnerabilities}`,
          href: gamesHref(experiment.experiment_id, filter),
        }
      : null;
  const redRows = reds.map((red) => ({
    name: red,
    cells: blues.map((blue) =>
      cellOf(
        pairings.find((each) => each.red === red && each.blue === blue),
        { red, blue },
      ),
    ),
  }));
  const others = (['difficulty', 'language', 'strategy'] as const).flatMap((dimension) => {
    const rows = experiment.plan[dimension].map((value) => ({
      name: value,
      cells: blues.map((blue) =>
        cellOf(
          dimensions.find((each) => each.dimension === dimension && each.value === value && each.blue === blue),
          dimension === 'strategy' ? { blue } : { [dimension]: value, blue },
        ),
      ),
    }));
    return rows.length > 1 ? [{ name: DIMENSIONS[dimension], rows }] : [];
  });
  return (
    <section>
      <div className={styles.head}>
        <h2 className="heading">Red against Blue</h2>
        <Choice
          label="Metric"
          names={[
            { value: 'recall', name: 'Recall' },
            { value: 'precision', name: `Precision${byTwin}` },
            { value: 'f1', name: `F1${byTwin}` },
          ]}
          chosen={metric}
          onChoose={setMetric}
        />
        <HeatScale />
      </div>
      <Matrix name="Red against Blue" corner="Red" blues={blues} groups={[{ name: null, rows: redRows }, ...others]} />
    </section>
  );
}

function metricOf(metrics: GameMetrics, metric: Metric, isByTwin: boolean): RateEstimate {
  return metric === 'recall' ? metrics.pooled.recall : usedFigures(metrics, isByTwin)[metric];
}

const MOST_ROWS = 12;

interface GroupMatrixProps {
  title: string;
  corner: string;
  recalls: GroupRecall[];
  results: ExperimentResults;
}

/** The recall of each Blue by group, such as the category of the flaw. */
export function GroupMatrix({ title, corner, recalls, results }: GroupMatrixProps) {
  const [isOpen, setOpen] = useState(false);
  const blues = results.experiment.plan.blue;
  const groups = [...new Set(recalls.map(({ group }) => group))];
  if (groups.length === 0) return null;
  const rows = groups.slice(0, isOpen ? groups.length : MOST_ROWS).map((group) => ({
    name: group,
    cells: blues.map((blue): MatrixCell | null => {
      const recall = recalls.find((each) => each.group === group && each.blue === blue);
      return recall ? { estimate: recall.recall, note: `${recall.found} of ${recall.vulnerabilities}` } : null;
    }),
  }));
  return (
    <section>
      <div className={styles.head}>
        <h2 className="heading">{title}</h2>
        <HeatScale />
      </div>
      <Matrix name={`Recall ${title.toLowerCase()}`} corner={corner} blues={blues} groups={[{ name: null, rows }]} />
      {groups.length > MOST_ROWS && (
        <button type="button" className="more" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Show fewer' : `Show all ${groups.length}`}
        </button>
      )}
    </section>
  );
}
