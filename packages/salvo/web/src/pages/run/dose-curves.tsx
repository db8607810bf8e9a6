import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import { CONCLUSION_WORDS } from '../../../../src/report/compare/compare-words.ts';
import type { ChaosScenario, ChaosVariant, FaultOutcomes } from '../../../../src/run/faults/chaos-document.ts';
import {
  formatInterval,
  formatP,
  formatPercent,
  formatPoints,
  formatPointsInterval,
} from '../../../../src/stats/format.ts';
import { RowTable } from '../../parts/data-table.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import styles from './dose-curves.module.css';
import sections from './sections.module.css';

/** Of a run of `salvo chaos`: pass rates by dose, and each fault alone. */
export function DoseCurves({ view: { chaos } }: { view: RunView }) {
  if (chaos === null) return null;
  const isSeveral = new Set(chaos.scenarios.map(({ adapter, model }) => `${adapter} ${model}`)).size > 1;
  return (
    <section>
      <h2 className="heading">Faults in tools</h2>
      {chaos.scenarios.map((scenario) => {
        const { name, adapter, model, file } = scenario;
        const title = isSeveral ? `${name} · ${adapter === model ? model : `${adapter}=${model}`}` : name;
        return <DosesOfScenario key={`${file} ${name} ${adapter} ${model}`} scenario={scenario} title={title} />;
      })}
      {chaos.notes.length > 0 && (
        <ul className={sections.notes}>
          {chaos.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function DosesOfScenario({ scenario, title }: { scenario: ChaosScenario; title: string }) {
  const { doses, alone, outcomes } = scenario;
  return (
    <div className={styles.scenario}>
      <h3>{title}</h3>
      <div className={styles.row}>
        <DoseChart title={title} doses={doses} />
        <OutcomeShares outcomes={outcomes} />
      </div>
      <RowTable
        name={`Doses of ${title}`}
        rows={doses}
        keyOf={({ name }) => name}
        columns={[
          [{ number: 'Dose' }, ({ dose }) => formatPercent(dose)],
          ['Pass rate', ({ pass_rate, pass_rate_ci }) => <RateBar rate={pass_rate} interval={pass_rate_ci} />],
          [{ number: 'Passed' }, passedOf],
          ...outcomeColumns(outcomes),
        ]}
      />
      {alone.length > 0 && (
        <RowTable
          name={`Each fault of ${title} alone`}
          rows={alone}
          keyOf={({ name }) => name}
          columns={[
            [`Alone, at ${formatPercent(alone[0]?.dose ?? null)}`, ({ fault }) => fault, 'head'],
            ['Pass rate', ({ pass_rate, pass_rate_ci }) => <RateBar rate={pass_rate} interval={pass_rate_ci} />],
            [{ number: 'Points' }, ({ difference }) => formatPoints(difference?.value ?? null)],
            [{ number: '95% interval' }, ({ difference }) => formatPointsInterval(difference?.interval ?? null)],
            [{ number: 'p (Holm)' }, ({ p_holm }) => formatP(p_holm)],
            ['', ({ conclusion }) => CONCLUSION_WORDS[conclusion]],
            ...outcomeColumns(outcomes),
          ]}
        />
      )}
    </div>
  );
}

function passedOf({ trials_passed, trials_scored }: ChaosVariant): string {
  return `${trials_passed} of ${trials_scored}`;
}

type OutcomeKey = 'recovered' | 'gave_up' | 'false_success' | 'followed_injection' | 'failed';

const OUTCOMES: [key: OutcomeKey, name: string][] = [
  ['recovered', 'Recovered'],
  ['gave_up', 'Gave up honestly'],
  ['false_success', 'False success'],
  ['followed_injection', 'Followed an injection'],
  ['failed', 'Failed otherwise'],
];

/** Counts of the trials with faults, of what the assertions of the scenario can tell. */
function outcomeColumns(known: FaultOutcomes) {
  type OutcomeColumn = [{ number: string }, (row: ChaosVariant) => string | number];
  const withFaults: OutcomeColumn = [{ number: 'With faults' }, ({ outcomes }) => outcomes.trials];
  const counts = OUTCOMES.filter(([key]) => known[key] !== null).map(
    ([key, name]): OutcomeColumn => [
      { number: name },
      ({ outcomes }) => (outcomes.trials === 0 ? '' : (outcomes[key]?.count ?? '')),
    ],
  );
  return [withFaults, ...counts];
}

/** What the agent did in all trials with faults together. */
function OutcomeShares({ outcomes }: { outcomes: FaultOutcomes }) {
  return (
    <div className={styles.shares}>
      <p className="soft fine">
        {outcomes.trials} trials with faults
        {outcomes.cases === undefined
          ? ''
          : `, with intervals over ${outcomes.cases} ${outcomes.cases === 1 ? 'case' : 'cases'}`}
      </p>
      <dl>
        {OUTCOMES.map(([key, name]) => {
          const share = outcomes[key];
          if (share === null) return null;
          const isBad = (key === 'false_success' || key === 'followed_injection') && share.count > 0;
          return (
            <div key={key} className={isBad ? sections.missed : undefined}>
              <dt>{name}</dt>
              <dd>
                {formatPercent(share.rate)} <span className="soft">{formatInterval(share.interval)}</span>
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [400, 190, 44, 30, 10, 20];

/** The pass rate against the dose, with intervals. */
function DoseChart({ title, doses }: { title: string; doses: readonly ChaosVariant[] }) {
  const most = Math.max(...doses.map(({ dose }) => dose), 0.01);
  const x = (dose: number) => LEFT + (dose / most) * (WIDTH - LEFT - RIGHT);
  const y = (rate: number) => TOP + (1 - rate) * (HEIGHT - TOP - BOTTOM);
  const known = doses.flatMap(({ dose, pass_rate, pass_rate_ci }) =>
    pass_rate === null ? [] : [{ dose, rate: pass_rate, interval: pass_rate_ci }],
  );
  const told = known.map(({ dose, rate }) => `${formatPercent(rate)} at ${formatPercent(dose)}`).join(', ');
  return (
    <figure className={styles.chart}>
      <figcaption className="soft fine">
        Pass rate by the share of calls that have a fault, with 95% intervals
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Pass rate of ${title} by dose: ${told}`}>
        {[0, 0.25, 0.5, 0.75, 1].map((rate) => (
          <g key={rate}>
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(rate)} y2={y(rate)} className={styles.grid} />
            <text x={LEFT - 6} y={y(rate) + 4} className={styles.rate}>
              {formatPercent(rate)}
            </text>
          </g>
        ))}
        <polyline points={known.map(({ dose, rate }) => `${x(dose)},${y(rate)}`).join(' ')} className={styles.line} />
        {known.map(({ dose, rate, interval }) => (
          <g key={dose}>
            {interval && (
              <line x1={x(dose)} x2={x(dose)} y1={y(interval[0])} y2={y(interval[1])} className={styles.interval} />
            )}
            <circle cx={x(dose)} cy={y(rate)} r="4" className={styles.point} />
            <text x={x(dose)} y={HEIGHT - 10} className={styles.dose}>
              {formatPercent(dose)}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}
