import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import { formatCost, formatScore } from '../../../../src/stats/format.ts';
import { DataTable, NumberCell } from '../../parts/data-table.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { VerdictBadge } from '../../parts/verdict-badge.tsx';
import styles from './sections.module.css';

/** The models of a run that compares several, over all scenarios. */
export function ModelTable({ view: { models } }: { view: RunView }) {
  if (models.length === 0) return null;
  return (
    <section>
      <h2 className={styles.head}>Models</h2>
      <DataTable
        name="Models"
        columns={['Model', 'Verdict', 'Pass rate', { number: 'Passed' }, { number: 'Mean score' }, { number: 'Cost' }]}
      >
        <tbody>
          {models.map(({ label, verdict, overall, trials_passed, trials_scored, cost }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                <VerdictBadge verdict={verdict} />
              </td>
              <td>
                <RateBar rate={overall.pass_rate} interval={overall.pass_rate_ci} />
              </td>
              <NumberCell>
                {trials_passed} of {trials_scored}
              </NumberCell>
              <NumberCell>{formatScore(overall.score_avg)}</NumberCell>
              <NumberCell>{formatCost(cost)}</NumberCell>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </section>
  );
}
