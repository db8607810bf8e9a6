import { Link } from 'wouter';
import type { JudgeLine } from '../../../../src/app/view/judges/judge-view.ts';
import { judgeHref } from '../../../../src/app/view/page-hrefs.ts';
import { formatScore } from '../../../../src/stats/format.ts';
import { formatTime } from '../../format-time.ts';
import { DataTable, NumberCell } from '../../parts/data-table.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { visibleText } from '../../visible-text.ts';
import { useJudges } from './api.ts';
import { CalibrationBadge } from './calibration-badge.tsx';
import styles from './judges.module.css';
import { KappaBar } from './kappa-bar.tsx';

export function JudgesPage() {
  usePageTitle('Judges');
  const judges = useJudges();
  return (
    <div className={`page ${styles.page}`}>
      <h1>Judges</h1>
      <LoadState query={judges}>
        {(lines) =>
          lines.length === 0 ? (
            <NoJudges />
          ) : (
            <>
              <JudgeTable lines={lines} />
              <p className={styles.reason}>
                Kappa is how far a judge agrees with people on pass or fail beyond chance: 1 is perfect, 0 is chance. A
                judge is usable from 0.6 on. Needed: the score that a vote needs to pass.
              </p>
            </>
          )
        }
      </LoadState>
    </div>
  );
}

function NoJudges() {
  return (
    <p>
      No run has asked a judge yet. An assertion of the type <code>judge</code> does, and{' '}
      <code>salvo calibrate labels.jsonl</code> compares its judge with people.
    </p>
  );
}

function JudgeTable({ lines }: { lines: JudgeLine[] }) {
  return (
    <DataTable
      name="Judges"
      className={styles.table}
      columns={[
        'Judge',
        'Compared with people',
        'Kappa',
        { number: 'Labels' },
        { number: 'Votes' },
        { number: 'Needed' },
        { number: 'Runs' },
        'Calibrated',
      ]}
    >
      <tbody>
        {lines.map(({ judge_hash, judge_model, threshold, k, calibration, unreadable, runs }) => (
          <tr key={judge_hash}>
            <td>
              {judge_model === null ? (
                'Judge unknown'
              ) : (
                <Link href={judgeHref(judge_hash)}>{visibleText(judge_model)}</Link>
              )}{' '}
              <code className="soft small">{judge_hash.slice(0, 8)}</code>
            </td>
            <td>
              {unreadable === null ? (
                <CalibrationBadge verdict={calibration?.verdict ?? null} />
              ) : (
                `Its calibration can't be read (${visibleText(unreadable)}). salvo calibrate --forget ${judge_hash.slice(0, 12)} removes it.`
              )}
            </td>
            <td>{calibration && <KappaBar kappa={calibration.kappa} interval={calibration.kappa_ci} />}</td>
            <NumberCell>{calibration?.n ?? '—'}</NumberCell>
            <NumberCell>{k ?? '—'}</NumberCell>
            <NumberCell>{formatScore(threshold)}</NumberCell>
            <NumberCell>{runs}</NumberCell>
            <td className={styles.when}>{calibration ? formatTime(calibration.created_at) : '—'}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
