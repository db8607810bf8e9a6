import { Link } from 'wouter';
import type { JudgeLine } from '../../../../src/app/view/judge-view.ts';
import { formatShare, formatTime } from '../../format.ts';
import { LoadState } from '../../parts/load-state.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
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
    <div className={styles.page}>
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
    <ScrollRegion name="Judges">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Judge</th>
            <th scope="col">Compared with people</th>
            <th scope="col">Kappa</th>
            <th scope="col" className={styles.number}>
              Labels
            </th>
            <th scope="col" className={styles.number}>
              Votes
            </th>
            <th scope="col" className={styles.number}>
              Needed
            </th>
            <th scope="col" className={styles.number}>
              Runs
            </th>
            <th scope="col">Calibrated</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ judge_hash, judge_model, threshold, k, calibration, runs }) => (
            <tr key={judge_hash}>
              <td>
                <Link href={`/judges/${judge_hash}`}>{visibleText(judge_model)}</Link>{' '}
                <code className={styles.soft}>{judge_hash.slice(0, 8)}</code>
              </td>
              <td>
                <CalibrationBadge verdict={calibration?.verdict ?? null} />
              </td>
              <td>{calibration && <KappaBar kappa={calibration.kappa} interval={calibration.kappa_ci} />}</td>
              <td className={styles.number}>{calibration?.n ?? '—'}</td>
              <td className={styles.number}>{k ?? '—'}</td>
              <td className={styles.number}>{formatShare(threshold)}</td>
              <td className={styles.number}>{runs}</td>
              <td className={styles.when}>{calibration ? formatTime(calibration.created_at) : '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
