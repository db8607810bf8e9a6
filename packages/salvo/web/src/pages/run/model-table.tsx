import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import { formatCost, formatScore } from '../../../../src/stats/format.ts';
import { VerdictBadge } from '../../parts/badge.tsx';
import { RowTable } from '../../parts/data-table.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';

/** The models of a run that compares several, over all scenarios. */
export function ModelTable({ view: { models } }: { view: RunView }) {
  if (models.length === 0) return null;
  return (
    <section>
      <h2 className="heading">Models</h2>
      <RowTable
        name="Models"
        rows={models}
        keyOf={({ label }) => label}
        columns={[
          ['Model', ({ label }) => label, 'head'],
          ['Verdict', ({ verdict }) => <VerdictBadge verdict={verdict} />],
          ['Pass rate', ({ overall }) => <RateBar rate={overall.pass_rate} interval={overall.pass_rate_ci} />],
          [{ number: 'Passed' }, ({ trials_passed, trials_scored }) => `${trials_passed} of ${trials_scored}`],
          [{ number: 'Mean score' }, ({ overall }) => formatScore(overall.score_avg)],
          [{ number: 'Cost' }, ({ cost }) => formatCost(cost)],
        ]}
      />
    </section>
  );
}
