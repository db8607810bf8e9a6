import { useState } from 'react';
import { Link } from 'wouter';
import type { ChangedPair } from '../../../../src/app/view/compare/changed-trials.ts';
import type {
  ComparedCell,
  CompareRow,
  CompareView,
  TogetherCell,
} from '../../../../src/app/view/compare/compare-view.ts';
import { tracesHref } from '../../../../src/app/view/page-hrefs.ts';
import type { Conclusion, Difference } from '../../../../src/run/compare/comparison.ts';
import { formatDifference, formatPoints, formatPointsInterval } from '../../../../src/stats/format.ts';
import { ConclusionBadge } from '../../parts/badge.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { IntervalBar } from '../../parts/interval-bar.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { visibleText } from '../../visible-text.ts';
import styles from './compare-table.module.css';

const FIRST_ROWS = 100;

/** With more scenarios than this, those without a result are folded. */
const MOST_OPEN = 5;

/** All scenarios together, then scenario by run, the largest drop first. */
export function CompareTable({ view }: { view: CompareView }) {
  const [isAll, setAll] = useState(false);
  const [, ...others] = view.runs;
  const rows = isAll ? view.rows : view.rows.slice(0, FIRST_ROWS);
  return (
    <section>
      <h2 className="heading">Scenarios</h2>
      <DataTable
        name="Scenarios"
        className={styles.table}
        columns={[
          'Scenario',
          ...(others.length > 1 ? ['Run'] : []),
          'Before',
          'Now',
          'Difference in points',
          'What it means',
        ]}
      >
        {view.together.some((cell) => cell !== null) && (
          <tbody className={styles.scenario}>
            {view.together.map((cell, index) => {
              const run = others[index];
              return cell && run ? (
                <TogetherRow key={run.source} cell={cell} name={others.length > 1 ? (run.model ?? run.run_id) : null} />
              ) : null;
            })}
          </tbody>
        )}
        {rows.map((row) => (
          <tbody key={`${row.file} ${row.name} ${row.base_model}`} className={styles.scenario}>
            {row.others.map((cell, index) => {
              const run = others[index];
              return cell && run ? (
                <Row
                  key={run.source}
                  row={row}
                  cell={cell}
                  isFolded={view.rows.length > MOST_OPEN && !isResult(cell)}
                  name={others.length > 1 ? (run.model ?? run.run_id) : null}
                />
              ) : null;
            })}
          </tbody>
        ))}
      </DataTable>
      {rows.length < view.rows.length && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          Show all {view.rows.length} scenarios
        </button>
      )}
    </section>
  );
}

function isResult({ conclusion }: ComparedCell): boolean {
  return conclusion !== 'no_evidence' && conclusion !== 'too_few_trials';
}

interface RowOptions {
  row: CompareRow;
  cell: ComparedCell;
  isFolded: boolean;
  name: string | null;
}

function Row({ row, cell, isFolded, name }: RowOptions) {
  const models = cell.model === row.base_model ? cell.model : `${row.base_model} → ${cell.model}`;
  return (
    <tr>
      <th scope="row" className={styles.name}>
        {row.name}
        <div className={styles.model}>{models}</div>
      </th>
      {name !== null && <td>{name}</td>}
      <td data-name="Before">
        <RateBar rate={cell.base.pass_rate} interval={cell.base.pass_rate_ci} />
        <div className={styles.counts}>{counts(cell.base)}</div>
      </td>
      <td data-name="Now">
        <RateBar rate={cell.next.pass_rate} interval={cell.next.pass_rate_ci} />
        <div className={styles.counts}>{counts(cell.next)}</div>
      </td>
      <td>{cell.difference && <DifferenceBar difference={cell.difference} conclusion={cell.conclusion} />}</td>
      <td className={styles.meaning}>
        <ConclusionBadge conclusion={cell.conclusion} />
        {isFolded ? (
          <details className={styles.pairs}>
            <summary>Figures</summary>
            <Evidence cell={cell} />
          </details>
        ) : (
          <Evidence cell={cell} />
        )}
        <Pairs pairs={cell.pairs} isFolded={isFolded} />
      </td>
    </tr>
  );
}

function Evidence({ cell }: { cell: ComparedCell }) {
  return (
    <>
      <p className={styles.sentence}>{visibleText(cell.evidence)}</p>
      {cell.remarks.map((remark) => (
        <p key={remark} className="soft small anywhere">
          {visibleText(remark)}
        </p>
      ))}
    </>
  );
}

function TogetherRow({ cell, name }: { cell: TogetherCell; name: string | null }) {
  return (
    <tr>
      <th scope="row" className={styles.name}>
        All {cell.scenarios} scenarios together
      </th>
      {name !== null && <td>{name}</td>}
      <td data-name="Before">
        <RateBar rate={cell.base_pass_rate} interval={null} />
      </td>
      <td data-name="Now">
        <RateBar rate={cell.next_pass_rate} interval={null} />
      </td>
      <td>
        <DifferenceBar difference={cell.difference} conclusion={cell.conclusion} />
      </td>
      <td className={styles.meaning}>
        <ConclusionBadge conclusion={cell.conclusion} />
        <p className={styles.sentence}>{visibleText(cell.evidence)}</p>
      </td>
    </tr>
  );
}

const TONES = { worse: 'tone-fail', better: 'tone-pass' };

/** A difference of pass rates on a line from -100 to +100 points, with its interval. */
function DifferenceBar({ difference, conclusion }: { difference: Difference; conclusion: Conclusion }) {
  const { value, interval } = difference;
  const range = interval ? `, 95% interval ${formatPointsInterval(interval)}` : '';
  return (
    <IntervalBar
      {...{ value, interval, range: [-1, 1], width: 140, height: 14 }}
      text={`${formatDifference(value)}${range}`}
      className={conclusion === 'worse' || conclusion === 'better' ? `${styles.changed} ${TONES[conclusion]}` : 'soft'}
      after={<span className={styles.points}>{formatPoints(value)}</span>}
    />
  );
}

function counts({ trials_scored, trials_passed, trials_unscored }: ComparedCell['base']): string {
  return `${trials_passed} of ${trials_scored}${trials_unscored > 0 ? `, ${trials_unscored} not scored` : ''}`;
}

/** Trials to look at side by side. */
function Pairs({ pairs, isFolded }: { pairs: ChangedPair[]; isFolded: boolean }) {
  const changed = pairs.filter(({ to }) => to !== null);
  const [example] = pairs;
  if (!example) return null;
  if (changed.length === 0) {
    return (
      <p className="soft small anywhere">
        <Link href={tracesHref(example.base, example.next)}>Two conversations side by side</Link>
      </p>
    );
  }
  return (
    <details className={styles.pairs} open={changed.length <= 3 && !isFolded}>
      <summary>
        {changed.length}{' '}
        {changed[0]?.case === null
          ? changed.length === 1
            ? 'trial'
            : 'trials'
          : changed.length === 1
            ? 'case'
            : 'cases'}{' '}
        changed
      </summary>
      <ul>
        {changed.map((pair) => (
          <li key={`${pair.base.case_index} ${pair.base.trial_number} ${pair.next.trial_number}`}>
            <Link href={tracesHref(pair.base, pair.next)}>
              {pair.case === null ? `Trial ${pair.next.trial_number}` : visibleText(pair.case)}
            </Link>{' '}
            {pair.to === 'failed' ? 'passed before, fails now' : 'failed before, passes now'}
          </li>
        ))}
      </ul>
    </details>
  );
}
