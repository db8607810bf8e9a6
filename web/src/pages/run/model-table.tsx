import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import { formatMoney, formatShare } from '../../format.ts';
import { RateBar } from '../../parts/rate-bar.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { VerdictBadge } from '../../parts/verdict-badge.tsx';
import styles from './sections.module.css';

/** The models of a run that compares several, over all scenarios. */
export function ModelTable({ view: { models } }: { view: RunView }) {
  if (models.length === 0) return null;
  return (
    <section>
      <h2 className={styles.head}>Models</h2>
      <ScrollRegion name="Models">
        <table>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Verdict</th>
              <th scope="col">Pass rate</th>
              <th scope="col" className={styles.number}>
                Passed
              </th>
              <th scope="col" className={styles.number}>
                Mean score
              </th>
              <th scope="col" className={styles.number}>
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {models.map(({ label, verdict, overall, trials_passed, trials_scored, cost_total_usd }) => (
              <tr key={label}>
                <th scope="row" className={styles.rowHead}>
                  {label}
                </th>
                <td>
                  <VerdictBadge verdict={verdict} />
                </td>
                <td>
                  <RateBar rate={overall.pass_rate} interval={overall.pass_rate_ci} />
                </td>
                <td className={styles.number}>
                  {trials_passed} of {trials_scored}
                </td>
                <td className={styles.number}>{formatShare(overall.score_avg)}</td>
                <td className={styles.number}>{formatMoney(cost_total_usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
