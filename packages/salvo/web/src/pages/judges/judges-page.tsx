import { Link } from 'wouter';
import type { JudgeLine } from '../../../../src/app/view/judges/judge-view.ts';
import { judgeHref } from '../../../../src/app/view/page-hrefs.ts';
import { formatScore } from '../../../../src/stats/format.ts';
import { useAnswer } from '../../api.ts';
import { api } from '../../client.ts';
import { formatTime } from '../../format-time.ts';
import { CalibrationBadge } from '../../parts/badge.tsx';
import { RowTable } from '../../parts/data-table.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { visibleText } from '../../visible-text.ts';
import { ComparisonList } from '../which/comparison-list.tsx';
import styles from './judges.module.css';
import { KappaBar } from './kappa-bar.tsx';

export function JudgesPage() {
  usePageTitle('Judges');
  const judges = useAnswer(['judges'], (options) => api.judges.$get({}, options));
  return (
    <div className="page">
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
      <ComparisonList />
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
    <RowTable
      name="Judges"
      className={styles.table}
      rows={lines}
      keyOf={({ judge_hash }) => judge_hash}
      columns={[
        ['Judge', (line) => <JudgeName line={line} />],
        ['Compared with people', (line) => <Compared line={line} />],
        [
          'Kappa',
          ({ calibration }) => calibration && <KappaBar kappa={calibration.kappa} interval={calibration.kappa_ci} />,
        ],
        [{ number: 'Labels' }, ({ calibration }) => calibration?.n ?? '—'],
        [{ number: 'Votes' }, ({ k }) => k ?? '—'],
        [{ number: 'Needed' }, ({ threshold }) => formatScore(threshold)],
        [{ number: 'Runs' }, ({ runs }) => runs],
        [
          'Calibrated',
          ({ calibration }) => (calibration ? formatTime(calibration.created_at) : '—'),
          () => styles.when,
        ],
      ]}
    />
  );
}

function JudgeName({ line: { judge_hash, judge_model } }: { line: JudgeLine }) {
  return (
    <>
      {judge_model === null ? 'Judge unknown' : <Link href={judgeHref(judge_hash)}>{visibleText(judge_model)}</Link>}{' '}
      <code className="soft small">{judge_hash.slice(0, 8)}</code>
    </>
  );
}

function Compared({ line: { judge_hash, calibration, unreadable } }: { line: JudgeLine }) {
  if (unreadable === null) return <CalibrationBadge verdict={calibration?.verdict ?? null} />;
  return `Its calibration can't be read (${visibleText(unreadable)}). salvo calibrate --forget ${judge_hash.slice(0, 12)} removes it.`;
}
