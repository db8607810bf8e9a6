import type { ReactNode } from 'react';
import type { ComparedJudgeRow, JudgePair } from '../../../../src/judge/which/judge-comparison.ts';
import {
  formatInterval,
  formatMoney,
  formatP,
  formatPercent,
  formatSeconds,
  MISSING,
  signedTwoDigits,
  twoDigits,
  twoDigitsInterval,
} from '../../../../src/stats/format.ts';
import { TableSection } from '../../parts/data-table.tsx';
import { IntervalBar } from '../../parts/interval-bar.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { visibleText } from '../../visible-text.ts';
import { KappaBar } from '../judges/kappa-bar.tsx';

interface JudgesProps {
  judges: readonly ComparedJudgeRow[];
}

type Interval = [number, number] | null;

export function AgreementTable({ judges }: JudgesProps) {
  return (
    <TableSection
      name="Agreement with people"
      rows={judges}
      keyOf={({ name }) => name}
      columns={[
        ['Judge', ({ name }) => visibleText(name), 'head'],
        ['Agrees', ({ agreement: { rate, ci } }) => <Rate rate={rate} interval={ci} />],
        ['Kappa', ({ kappa, kappa_ci }) => <KappaBar kappa={kappa} interval={kappa_ci} />],
        ['Sensitivity', ({ sensitivity: { rate, ci } }) => <Rate rate={rate} interval={ci} />],
        ['Specificity', ({ specificity: { rate, ci } }) => <Rate rate={rate} interval={ci} />],
        [{ number: 'Unscored' }, ({ unscored }) => formatPercent(unscored.rate)],
        [{ number: 'Cost' }, costWords],
        [{ number: 'Time' }, ({ seconds_per_verdict }) => formatSeconds(seconds_per_verdict)],
      ]}
    >
      <p className="soft small more">
        Kappa is agreement beyond chance: 1 is perfect, 0 is chance. Sensitivity: how much it passed of what people
        passed. Specificity: how much it failed of what people failed. Cost and time are those of one verdict. An answer
        that it could not score counts neither for nor against it.
      </p>
      {judges.map(
        ({ name, unscored_because }) =>
          unscored_because !== null && (
            <p key={name} className="soft small anywhere">
              {visibleText(name)} could not score some, most often because: {visibleText(unscored_because)}
            </p>
          ),
      )}
    </TableSection>
  );
}

/** All cached: nothing was paid this time. */
function costWords({ cost_usd_per_verdict: usd, cached, judged }: ComparedJudgeRow): string {
  return usd === null && judged > 0 && cached === judged ? 'cached' : formatMoney(usd);
}

export function ScoreTable({ judges }: JudgesProps) {
  const hasCanaries = judges.some(({ canaries }) => canaries !== null);
  return (
    <TableSection
      name="Scores and probabilities"
      rows={judges}
      keyOf={({ name }) => name}
      columns={[
        ['Judge', ({ name }) => visibleText(name), 'head'],
        [{ number: 'AUROC' }, ({ auroc, auroc_ci }) => <Estimate value={auroc} interval={auroc_ci} />],
        [
          { number: 'Brier' },
          ({ reliability }) => <Estimate value={reliability?.brier ?? null} interval={reliability?.brier_ci ?? null} />,
        ],
        [
          { number: 'Calibration error' },
          ({ reliability }) => (
            <Estimate
              value={reliability?.calibration_error ?? null}
              interval={reliability?.calibration_error_ci ?? null}
            />
          ),
        ],
        [
          'Agrees, if its threshold is fitted',
          ({ fitted }) => <Rate rate={fitted?.agreement ?? null} interval={fitted?.agreement_ci ?? null} />,
        ],
        [
          { number: 'Thresholds' },
          ({ fitted }) => fitted?.thresholds.map((each) => String(Number(each.toFixed(3)))).join(', ') ?? MISSING,
        ],
        ...(hasCanaries
          ? ([
              ['Canaries it failed', ({ canaries }) => <Right of={canaries?.canaries} />],
              ['Right answers it passed', ({ canaries }) => <Right of={canaries?.controls} />],
            ] satisfies [string, (row: ComparedJudgeRow) => ReactNode][])
          : []),
      ]}
    >
      <p className="soft small more">
        AUROC: the chance that an answer that people pass has a higher score than one they fail; 0.5 is chance. Brier:
        the squared error of its probabilities; 0 is perfect. Calibration error: how far they are off on average; its
        interval begins at 0 if right probabilities could show the same. A threshold is chosen on one half of the cases
        and tested on the other.
      </p>
    </TableSection>
  );
}

function Right({ of }: { of: NonNullable<ComparedJudgeRow['canaries']>['canaries'] | undefined }) {
  return <Rate rate={of?.rate ?? null} interval={of?.ci ?? null} />;
}

export function PairTable({ pairs }: { pairs: readonly JudgePair[] }) {
  if (pairs.length === 0) return null;
  return (
    <TableSection
      name="Each two judges on the same answers"
      rows={pairs}
      keyOf={({ first, second }) => `${first} ${second}`}
      columns={[
        ['Pair', ({ first, second }) => `${visibleText(first)} − ${visibleText(second)}`, 'head'],
        [{ number: 'Answers' }, ({ n }) => n],
        ['Agrees more often by', ({ difference, ci }) => <Difference value={difference} interval={ci} most={1} />],
        [{ number: 'p' }, ({ p_holm }) => formatP(p_holm)],
      ]}
    >
      <p className="soft small more">
        How often the first agrees with people minus how often the second does, on answers that both scored. p is by
        Holm, for all pairs together.
      </p>
    </TableSection>
  );
}

/** What changes the scores of judges and should not. Not there unless it was measured. */
export function BiasTable({ judges }: JudgesProps) {
  const rows = judges.flatMap(({ name, biases = [] }) => biases.map((bias) => ({ name, ...bias })));
  if (rows.length === 0) return null;
  return (
    <TableSection
      name="Biases"
      rows={rows}
      keyOf={({ name, bias }) => `${name} ${bias}`}
      columns={[
        ['Judge', ({ name }) => visibleText(name), 'head'],
        ['Bias', ({ bias, changed }) => <span title={visibleText(changed)}>{bias}</span>],
        [{ number: 'Pairs' }, ({ n }) => n],
        ['Points', ({ points, ci }) => <Difference value={points} interval={ci} most={5} />],
        [{ number: 'p' }, ({ p_holm }) => formatP(p_holm)],
        ['What that means', ({ sentence }) => visibleText(sentence), () => 'soft small anywhere'],
      ]}
    >
      <p className="soft small more">
        Pairs of answers that differ in one thing only: how many points the changed one gets more, of 5. p is by Holm,
        for all biases of the judge.
      </p>
    </TableSection>
  );
}

function Rate({ rate, interval }: { rate: number | null; interval: Interval }) {
  if (rate === null) return MISSING;
  return (
    <>
      <RateBar rate={rate} interval={interval} />
      <div className="soft fine" aria-hidden="true">
        {formatInterval(interval)}
      </div>
    </>
  );
}

function Estimate({ value, interval }: { value: number | null; interval: Interval }) {
  if (value === null) return MISSING;
  return (
    <>
      {twoDigits(value)}
      <div className="soft fine">{twoDigitsInterval(interval)}</div>
    </>
  );
}

function Difference({ value, interval, most }: { value: number | null; interval: Interval; most: number }) {
  if (value === null) return MISSING;
  const number = signedTwoDigits(value);
  const range = interval && twoDigitsInterval(interval);
  return (
    <IntervalBar
      {...{ value, interval, range: [-most, most], width: 120, height: 12 }}
      text={range === null ? number : `${number}, 95% interval ${range}`}
      before={number}
      after={
        <span className="soft fine" aria-hidden="true">
          {range}
        </span>
      }
    />
  );
}
