import {
  DataTable,
  formatPercent,
  formatTime,
  LoadState,
  NumberCell,
  twoDigits,
  usePageTitle,
  visibleText,
} from 'salvo/viewer-parts';
import { Link } from 'wouter';
import type { ExperimentLine } from '../../../../src/app/view/experiment-view.ts';
import { experimentHref } from '../../../../src/app/view/page-hrefs.ts';
import { useExperiments, useStanding } from './api.ts';
import { ExperimentBadge } from './experiment-badge.tsx';
import styles from './experiments-page.module.css';

export function ExperimentsPage() {
  usePageTitle('Experiments');
  const experiments = useExperiments();
  return (
    <>
      <h1 className={styles.head}>Experiments</h1>
      <LoadState query={experiments}>
        {({ experiments: lines, unreadable }) => (
          <>
            {unreadable.map(({ experiment_id, why }) => (
              <p key={experiment_id} role="status">
                Experiment {visibleText(experiment_id)} can't be read ({visibleText(why)}).{' '}
                <code>salvo db prune --unreadable</code> removes what can't be read.
              </p>
            ))}
            {lines.length === 0 ? <NoExperiments /> : <Table lines={lines} />}
          </>
        )}
      </LoadState>
    </>
  );
}

function NoExperiments() {
  return (
    <p>
      No experiment is stored yet. <code>salvo experiment FILE</code> lets Red Teams hide flaws and Blue Teams look for
      them, and <code>salvo bench-scanner SCANNER</code> measures a scanner. Both appear here while they are played.
    </p>
  );
}

function Table({ lines }: { lines: ExperimentLine[] }) {
  return (
    <DataTable
      name="Experiments"
      className={styles.table}
      columns={['Experiment', 'State', 'Kind', 'Blue Teams', { number: 'Games' }, 'Best Blue']}
    >
      <tbody>
        {lines.map((line) => (
          <Row key={line.experiment_id} line={line} />
        ))}
      </tbody>
    </DataTable>
  );
}

const MOST_NAMES = 4;

function Row({ line }: { line: ExperimentLine }) {
  const standing = useStanding(line.experiment_id);
  const played = standing.data ? standing.data.scored + standing.data.failed : null;
  const best = standing.data?.best ?? null;
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <Link href={experimentHref(line.experiment_id)}>{visibleText(line.name)}</Link>
        <div className={styles.soft}>{formatTime(line.created_at)}</div>
      </th>
      <td>
        <ExperimentBadge status={line.status} isRunning={line.is_running} />
      </td>
      <td>{line.kind === 'scanner' ? 'scanner benchmark' : 'matrix'}</td>
      <td className={styles.teams} title={visibleText(line.blues.join(', '))}>
        {visibleText(line.blues.slice(0, MOST_NAMES).join(', '))}
        {line.blues.length > MOST_NAMES && ` and ${line.blues.length - MOST_NAMES} more`}
      </td>
      <NumberCell>
        {played ?? '…'} of {line.games_planned}
        {line.is_running && (
          <progress
            className={styles.progress}
            value={played ?? 0}
            max={line.games_planned}
            aria-label={`Games of ${line.name}`}
          />
        )}
        {standing.data !== undefined && standing.data.failed > 0 && (
          <div className={styles.soft}>{standing.data.failed} failed</div>
        )}
      </NumberCell>
      <td className={styles.teams}>
        {best === null ? (
          <span className={styles.soft}>{standing.isPending ? '…' : 'nothing scored'}</span>
        ) : (
          <>
            {visibleText(best.blue)}
            <div className={styles.soft}>
              F1 {twoDigits(best.f1)}, recall {formatPercent(best.recall)}
            </div>
          </>
        )}
      </td>
    </tr>
  );
}
