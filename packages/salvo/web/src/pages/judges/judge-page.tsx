import { Link } from 'wouter';
import { at } from '../../../../src/app/view/address-parts.ts';
import type { JudgeUse, JudgeView } from '../../../../src/app/view/judges/judge-view.ts';
import { PAGE, runHref } from '../../../../src/app/view/page-hrefs.ts';
import type { Agreement, CalibrationRecord } from '../../../../src/judge/calibration/calibration-record.ts';
import { formatPercent, formatScore } from '../../../../src/stats/format.ts';
import { useAnswer } from '../../api.ts';
import { api } from '../../client.ts';
import { formatTime } from '../../format-time.ts';
import { CalibrationBadge } from '../../parts/badge.tsx';
import { TableSection } from '../../parts/data-table.tsx';
import { Figure, Figures } from '../../parts/figures.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { visibleText } from '../../visible-text.ts';
import { ConfusionMatrix } from './confusion-matrix.tsx';
import { Disagreements } from './disagreements.tsx';
import styles from './judges.module.css';
import { KappaBar } from './kappa-bar.tsx';

export function JudgePage({ params: { judge } }: { params: { judge: string } }) {
  const query = useAnswer(['judge', judge], (options) => api.judges[':judge'].$get(at({ judge }), options));
  return <LoadState query={query}>{(view) => <LoadedJudge view={view} />}</LoadState>;
}

function LoadedJudge({ view }: { view: JudgeView }) {
  const { judge_hash, judge_model, calibration, uses } = view;
  usePageTitle(`Judge ${judge_model}`);
  return (
    <div className="page">
      <header>
        <nav aria-label="Where this is" className="soft small">
          <Link href={PAGE.judges}>Judges</Link> / <code>{judge_hash.slice(0, 12)}</code>
        </nav>
        <div className={styles.title}>
          <h1>{visibleText(judge_model)}</h1>
          <CalibrationBadge verdict={calibration?.verdict ?? null} />
        </div>
        {calibration ? (
          <p className={styles.reason}>
            {visibleText(calibration.reason)}. {circumstances(calibration)}
          </p>
        ) : (
          <NeverCalibrated />
        )}
      </header>
      {calibration && <Calibration calibration={calibration} />}
      <Uses uses={uses} />
    </div>
  );
}

function circumstances({ created_at, judge }: CalibrationRecord): string {
  const servers = judge.judges.map(({ provider }) => visibleText(provider)).join(', ');
  return `Compared on ${formatTime(created_at)} (${servers}, temperature ${judge.temperature}).`;
}

function NeverCalibrated() {
  return (
    <p className={styles.reason}>
      Nobody has compared this judge with people, so its verdicts may be wrong in either direction. Label some answers,
      and run <code>salvo calibrate labels.jsonl</code>.
    </p>
  );
}

function Calibration({ calibration }: { calibration: CalibrationRecord }) {
  const { overall, criteria, scenarios, items, scored, notes, disagreements } = calibration;
  return (
    <>
      <Figures>
        <Figure name="Kappa">
          <KappaBar kappa={overall.kappa} interval={overall.kappa_ci} />
        </Figure>
        <Figure name="Agreement">{formatPercent(overall.agreement)}</Figure>
        <Figure name="Labels scored">
          {scored} of {items}
        </Figure>
        <Figure name="Votes">{calibration.k}</Figure>
        <Figure name="Votes needed">{overall.votes_needed ?? '—'}</Figure>
        <Figure name="Needed score">{formatScore(calibration.threshold)}</Figure>
        <Figure name="Best needed score">{formatScore(overall.best_threshold?.threshold ?? null)}</Figure>
      </Figures>
      <div className={styles.pair}>
        <ConfusionMatrix agreement={overall} />
        <AgreementTable
          name="By criterion"
          what="Criterion"
          rows={[
            ...criteria.map(({ name, ...agreement }) => ({ name, agreement })),
            { name: 'All together', agreement: overall },
          ]}
        />
      </div>
      {scenarios.some(({ scenario }) => scenario !== null) && (
        <AgreementTable
          name="By scenario"
          what="Scenario"
          rows={scenarios.map(({ scenario, ...agreement }) => ({ name: scenario ?? 'none named', agreement }))}
        />
      )}
      <ul className="soft small">
        {notes.map((note) => (
          <li key={note}>{visibleText(note)}</li>
        ))}
        <li>
          <code>salvo run</code> corrects the pass rates of this judge by it, if it says enough.{' '}
          <code>salvo calibrate --forget {calibration.judge_hash.slice(0, 12)}</code> undoes that.
        </li>
      </ul>
      <Disagreements disagreements={disagreements} />
    </>
  );
}

interface AgreementTableProps {
  /** Of the table, and of what each row is about. */
  name: string;
  what: string;
  rows: { name: string; agreement: Agreement }[];
}

/** How far judge and people agree, line by line. */
function AgreementTable({ name, what, rows }: AgreementTableProps) {
  return (
    <TableSection
      name={name}
      className={styles.table}
      rows={rows}
      // Names that were not recorded may be the same.
      keyOf={({ name: row, agreement }) => `${row} ${agreement.kappa} ${agreement.sensitivity.correct}`}
      columns={[
        [what, ({ name: row }) => visibleText(row)],
        [{ number: 'Labels' }, ({ agreement }) => agreement.n],
        ['Kappa', ({ agreement }) => <KappaBar kappa={agreement.kappa} interval={agreement.kappa_ci} />],
        ['Sensitivity', ({ agreement }) => <Rate rate={agreement.sensitivity} />],
        ['Specificity', ({ agreement }) => <Rate rate={agreement.specificity} />],
      ]}
    />
  );
}

function Rate({ rate: { rate, ci } }: { rate: Agreement['sensitivity'] }) {
  return rate === null ? '—' : <RateBar rate={rate} interval={ci} />;
}

function Uses({ uses }: { uses: JudgeUse[] }) {
  if (uses.length === 0) return null;
  return (
    <TableSection
      name="What it found"
      className={styles.table}
      rows={uses}
      keyOf={({ run_id, scenario, assertion_id }) => `${run_id} ${scenario} ${assertion_id}`}
      columns={[
        ['Run', ({ run_id }) => <Link href={runHref(run_id)}>{run_id}</Link>],
        ['Scenario', ({ scenario }) => visibleText(scenario)],
        [{ number: 'Trials' }, ({ trials_judged }) => trials_judged],
        [{ number: 'Its pass rate' }, ({ pass_rate }) => formatPercent(pass_rate)],
        ['As people would see it', ({ corrected }) => <CorrectedRate corrected={corrected} />],
        [{ number: 'Dissent' }, ({ dissent_rate }) => formatPercent(dissent_rate)],
        ['What that assumes', ({ corrected }) => visibleText(corrected?.note ?? ''), () => 'soft small'],
      ]}
    />
  );
}

function CorrectedRate({ corrected }: Pick<JudgeUse, 'corrected'>) {
  return corrected?.rate == null ? '—' : <RateBar rate={corrected.rate} interval={corrected.interval} />;
}
