import { Link } from 'wouter';
import type { RunLine } from '../../../../src/app/view/run-lines.ts';
import { useRuns } from '../../api.ts';
import { formatDuration, formatMoney, formatTime } from '../../format.ts';
import { LoadState } from '../../parts/load-state.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { VerdictBadge } from '../../parts/verdict-badge.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import styles from './runs-page.module.css';

export function RunsPage() {
  usePageTitle('Runs');
  const runs = useRuns({ offset: 0, limit: 100 });
  return (
    <>
      <div className={styles.head}>
        <h1>Runs</h1>
      </div>
      <LoadState query={runs}>
        {({ runs: lines }) => (lines.length === 0 ? <NoRuns /> : <RunTable lines={lines} />)}
      </LoadState>
    </>
  );
}

function NoRuns() {
  return (
    <p>
      Nothing is stored yet. <code>salvo run</code> runs the scenarios of this project; its results appear here.
    </p>
  );
}

function RunTable({ lines }: { lines: RunLine[] }) {
  return (
    <ScrollRegion name="Runs">
      <table>
        <thead>
          <tr>
            <th scope="col">Run</th>
            <th scope="col">Verdict</th>
            <th scope="col">Scenarios</th>
            <th scope="col">Model</th>
            <th scope="col">Pass rate</th>
            <th scope="col">Trials</th>
            <th scope="col">Cost</th>
            <th scope="col">Duration</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.run_id}>
              <td>
                <Link href={`/runs/${line.run_id}`}>{line.run_id.slice(0, 10)}</Link>
                <div className={styles.time}>{formatTime(line.created_at)}</div>
              </td>
              <td>
                <VerdictBadge verdict={line.verdict} />
              </td>
              <td>{line.scenarios.map(({ name }) => name).join(', ')}</td>
              <td>{[...new Set(line.scenarios.map(({ model }) => model))].join(', ')}</td>
              <td>
                <RateBar rate={line.pass_rate} interval={line.pass_rate_ci} />
              </td>
              <td>{line.trials}</td>
              <td>{formatMoney(line.cost_usd)}</td>
              <td>{formatDuration(line.duration_seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
