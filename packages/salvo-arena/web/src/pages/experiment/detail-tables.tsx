import { formatPercent, RateBar, TableSection, twoDigits, visibleText } from 'salvo/viewer-parts';
import type { ExperimentResults, Spread } from '../../../../src/experiment/results/experiment-results.ts';
import styles from './experiment-page.module.css';

/** What the findings of each Blue cost, what it falls for, and how much its runs on the same code differ. */
export function DetailTables({ results: { efforts, traps, runs } }: { results: ExperimentResults }) {
  const trapsOf = new Map(traps.map((each) => [each.blue, each]));
  return (
    <>
      <TableSection
        name="Findings"
        rows={efforts.filter(({ findings }) => findings > 0)}
        keyOf={({ blue }) => blue}
        columns={[
          ['Blue', ({ blue }) => visibleText(blue), 'head'],
          [{ number: 'Reported' }, ({ findings }) => findings],
          [{ number: 'Seconds per match' }, ({ seconds_per_match }) => twoDigits(seconds_per_match)],
          [{ number: 'USD per match' }, ({ cost_per_match_usd: usd }) => (usd === null ? '—' : usd.toFixed(4))],
          [{ number: 'Same severity' }, ({ severity }) => `${severity.same} of ${severity.matches}`],
          [{ number: 'Kappa' }, ({ severity }) => twoDigits(severity.kappa)],
          [
            'Traps taken',
            ({ blue }) => {
              const rate = trapsOf.get(blue)?.rate;
              return <RateBar rate={rate?.value ?? null} interval={rate?.interval ?? null} none="—" />;
            },
          ],
        ]}
      >
        <p className={styles.note}>
          Kappa has linear weights. Traps are places that look flawed and are safe; taken means that Blue reports the
          flaw there.
        </p>
      </TableSection>
      {runs.length > 0 && (
        <TableSection
          name="Runs on the same code"
          rows={runs}
          keyOf={({ blue }) => blue}
          columns={[
            ['Blue', ({ blue }) => visibleText(blue), 'head'],
            [{ number: 'Runs' }, (each) => each.runs],
            [{ number: 'Recall' }, ({ recall }) => spreadText(recall)],
            [{ number: 'Precision' }, ({ precision }) => spreadText(precision)],
            [{ number: 'Always found' }, ({ always }) => always],
            [{ number: 'Sometimes' }, ({ sometimes }) => sometimes],
            [{ number: 'Never' }, ({ never }) => never],
          ]}
        >
          <p className={styles.note}>Mean ± standard deviation of the runs.</p>
        </TableSection>
      )}
    </>
  );
}

function spreadText(spread: Spread | null): string {
  return spread ? `${formatPercent(spread.mean)} ± ${formatPercent(spread.sd)}` : '—';
}
