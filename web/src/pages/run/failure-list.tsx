import type { RunView } from '../../../../src/app/view/run-view.ts';
import { formatShare } from '../../format.ts';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import styles from './failure-list.module.css';

/** What failed, the most expensive first. */
export function FailureList({ view }: { view: RunView }) {
  const failures = view.scenarios
    .flatMap(({ name, summary }) =>
      (summary?.assertion_failures ?? []).map((failure) => ({ scenario: name, ...failure })),
    )
    .sort((a, b) => b.lost_weight - a.lost_weight);
  if (failures.length === 0) return null;
  return (
    <section>
      <h2 className={styles.head}>What failed</h2>
      <ScrollRegion name="What failed">
        <table>
          <thead>
            <tr>
              <th scope="col">Assertion</th>
              <th scope="col">Scenario</th>
              <th scope="col">Trials</th>
              <th scope="col">Lost score</th>
              <th scope="col">For example</th>
            </tr>
          </thead>
          <tbody>
            {failures.map((failure) => (
              <tr key={`${failure.scenario} ${failure.assertion_id}`}>
                <td>
                  {failure.assertion_id}
                  {failure.required && ' (required)'}
                </td>
                <td>{failure.scenario}</td>
                <td>
                  {failure.fail_count} ({formatShare(failure.fail_rate)})
                </td>
                <td>{failure.lost_weight.toFixed(2)}</td>
                <td>{failure.example}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
