import {
  DataTable,
  formatPercent,
  NumberCell,
  RateBar,
  twoDigits,
  twoDigitsInterval,
  visibleText,
} from 'salvo/viewer-parts';
import type { Scorecard, ScorecardRow } from '../../../../src/experiment/results/experiment-results.ts';
import styles from './experiment-page.module.css';

/** How a scanner does on flawed code and on its clean twin: in all, and by what varies. */
export function ScorecardTables({ scorecard }: { scorecard: Scorecard }) {
  const { overall, difficulties, languages, categories, structures, metrics } = scorecard;
  const groups: { name: string; rows: (ScorecardRow & { name: string })[] }[] = [
    { name: 'In all', rows: [{ name: 'all flaws', ...overall }] },
    { name: 'Difficulty', rows: difficulties.map((row) => ({ name: row.difficulty, ...row })) },
    ...(languages.length > 1
      ? [{ name: 'Language', rows: languages.map((row) => ({ name: row.language, ...row })) }]
      : []),
    { name: 'Category', rows: categories.map((row) => ({ name: row.category, ...row })) },
  ];
  return (
    <section>
      <h2 className="heading">Scorecard</h2>
      <DataTable
        name="Scorecard"
        columns={[
          'Flaws',
          { number: 'Found' },
          'Recall',
          { number: 'Clean resources flagged' },
          'False-positive rate',
          { number: 'J' },
          '95% interval',
        ]}
      >
        {groups.map(({ name, rows }) => (
          <tbody key={name}>
            <tr>
              <th scope="rowgroup" colSpan={7}>
                {name}
              </th>
            </tr>
            {rows.map((row) => (
              <Row key={row.name} row={row} />
            ))}
          </tbody>
        ))}
      </DataTable>
      <p className={styles.note}>
        J is recall minus the false-positive rate: 1 is perfect, 0 is as good as silence. The score of the scanner is
        the mean of J over the categories. Intervals are 95%, over {structures.count} structures (effective{' '}
        {structures.effective.toFixed(1)}).{' '}
        {overall.resolved_alarms !== null &&
          overall.resolved_alarms < overall.alarms &&
          `Of ${overall.alarms} alarms on the clean twins, ${overall.alarms - overall.resolved_alarms} are unresolved: about values that only evaluation finds. Without them, ${formatPercent(overall.false_positive_rate_without_unresolved)} of the clean resources are flagged, and precision by the twin is ${formatPercent(metrics?.by_twin?.precision_without_unresolved.value ?? null)} instead of ${formatPercent(metrics?.by_twin?.precision.value ?? null)}.`}
      </p>
    </section>
  );
}

function Row({ row }: { row: ScorecardRow & { name: string } }) {
  const { value, interval } = row.youden_j;
  return (
    <tr>
      <th scope="row">{visibleText(row.name)}</th>
      <NumberCell>
        {row.found} of {row.flaws}
      </NumberCell>
      <td>
        <RateBar rate={row.recall.value} interval={row.recall.interval} />
      </td>
      <NumberCell>
        {row.flagged_resources} of {row.resources}
      </NumberCell>
      <td>
        <RateBar rate={row.false_positive_rate.value} interval={row.false_positive_rate.interval} />
      </td>
      <NumberCell>{twoDigits(value)}</NumberCell>
      <td>{twoDigitsInterval(interval)}</td>
    </tr>
  );
}
