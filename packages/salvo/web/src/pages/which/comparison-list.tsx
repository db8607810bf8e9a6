import { Link } from 'wouter';
import type { ComparisonLine } from '../../../../src/app/view/judges/comparison-view.ts';
import { comparisonHref } from '../../../../src/app/view/page-hrefs.ts';
import { formatPercent } from '../../../../src/stats/format.ts';
import { useAnswer } from '../../api.ts';
import { api } from '../../client.ts';
import { formatTime } from '../../format-time.ts';
import { CalibrationBadge } from '../../parts/badge.tsx';
import { RowTable } from '../../parts/data-table.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { visibleText } from '../../visible-text.ts';
import styles from './comparison-list.module.css';

/** The stored comparisons of judges, newest first. */
export function ComparisonList() {
  const query = useAnswer(['comparisons'], (options) => api.comparisons.$get({}, options));
  return (
    <section>
      <h2 className="heading">Which judge? Comparisons on the same labels</h2>
      <LoadState query={query}>
        {({ comparisons, unreadable }) => (
          <>
            {comparisons.length === 0 ? <NoComparisons /> : <ComparisonTable lines={comparisons} />}
            {unreadable.map(({ comparison_id, why }) => (
              <p key={comparison_id} className="soft small anywhere">
                The comparison {comparison_id} can't be read ({visibleText(why)}).{' '}
                <code>salvo calibrate --forget {comparison_id}</code> removes it.
              </p>
            ))}
          </>
        )}
      </LoadState>
    </section>
  );
}

function NoComparisons() {
  return (
    <p>
      <code>salvo calibrate labels.jsonl --judges judges.yaml</code> compares several judges on the same labels, and
      shows the comparison here.
    </p>
  );
}

function ComparisonTable({ lines }: { lines: ComparisonLine[] }) {
  return (
    <RowTable
      name="Comparisons of judges"
      rows={lines}
      keyOf={({ comparison_id }) => comparison_id}
      columns={[
        [
          'Compared',
          ({ comparison_id, created_at }) => (
            <>
              <Link href={comparisonHref(comparison_id)}>{comparison_id}</Link>
              <div className={styles.when}>{formatTime(created_at)}</div>
            </>
          ),
        ],
        ['Labels', ({ labels_file }) => visibleText(labels_file), () => 'anywhere'],
        [{ number: 'Answers' }, ({ answers }) => answers],
        ['Judges, and how often they agree with people', ({ judges }) => <Judges judges={judges} />],
      ]}
    />
  );
}

function Judges({ judges }: Pick<ComparisonLine, 'judges'>) {
  return (
    <ul className={styles.judges}>
      {judges.map(({ name, verdict, agreement }) => (
        <li key={name}>
          <span className={styles.rate}>{formatPercent(agreement)}</span> {visibleText(name)}{' '}
          <CalibrationBadge verdict={verdict} />
        </li>
      ))}
    </ul>
  );
}
