import { useState } from 'react';
import {
  formatPercent,
  LoadState,
  RateBar,
  RowTable,
  ScrollRegion,
  usePageTitle,
  visibleText,
} from 'salvo/viewer-parts';
import { Link } from 'wouter';
import { claimHref, scoreBlueHref } from '../../../../src/app/view/page-hrefs.ts';
import type { ScoreBlueLine, ScoreView } from '../../../../src/app/view/score-view.ts';
import { LookBadge } from '../../parts/match/looks.tsx';
import { placeText } from '../../parts/match/match-lists.tsx';
import { flawLook } from '../../parts/match/selection.ts';
import { useScore } from './api.ts';
import styles from './score-page.module.css';

/** The reports of one or several scanners against a manifest. */
export function ScorePage() {
  usePageTitle('Score');
  const score = useScore();
  return <LoadState query={score}>{(view) => <Loaded view={view} />}</LoadState>;
}

function Loaded({ view }: { view: ScoreView }) {
  const { red, flaws, blues } = view;
  return (
    <div className="page">
      <header>
        <h1>
          {flaws.length} {flaws.length === 1 ? 'flaw' : 'flaws'}, {blues.length}{' '}
          {blues.length === 1 ? 'report' : 'reports'}
        </h1>
        <p className="soft small anywhere">Manifest: {visibleText(red)}</p>
      </header>
      <section>
        <h2 className="heading">Reports</h2>
        <BlueTable blues={blues} />
        <Verdicts blues={blues} />
      </section>
      <section>
        <h2 className="heading">Who found what</h2>
        <Caught view={view} />
      </section>
    </div>
  );
}

function BlueTable({ blues }: { blues: ScoreBlueLine[] }) {
  const isByTwin = blues.every(({ precision_used }) => precision_used === 'twin');
  return (
    <RowTable
      name="Reports"
      rows={blues}
      keyOf={({ index }) => index}
      columns={[
        ['Report', ({ index, name }) => <Link href={scoreBlueHref(index)}>{visibleText(name)}</Link>, 'head'],
        ['Recall', ({ recall }) => <RateBar rate={recall.value} interval={recall.interval} />],
        [
          isByTwin ? 'Precision by twin' : 'Precision',
          (blue) => (
            <RateBar rate={blue.precision.value} interval={blue.precision.interval} none={withoutPrecision(blue)} />
          ),
        ],
        [{ number: isByTwin ? 'F1 by twin' : 'F1' }, ({ f1 }) => formatPercent(f1)],
        ['Evasion', ({ evasion }) => <RateBar rate={evasion.value} interval={evasion.interval} />],
        [{ number: 'Findings' }, ({ findings }) => findings],
        [{ number: 'False alarms' }, ({ false_alarms }) => false_alarms],
        [{ number: 'Consequences' }, ({ consequences }) => consequences],
        [{ number: 'Duplicates' }, ({ duplicates }) => duplicates],
      ]}
    />
  );
}

/** Who reports nothing has no precision; nor has who only reports consequences, by the twin. */
export function withoutPrecision({ findings }: ScoreBlueLine): string {
  return findings === 0 ? '— nothing reported' : '—';
}

/** What the minimums that were asked for say. */
export function Verdicts({ blues }: { blues: ScoreBlueLine[] }) {
  const lines = blues.flatMap(({ name, gate }) =>
    gate.messages.map((message) => `${blues.length > 1 ? `${name}: ` : ''}${message}`),
  );
  if (lines.length === 0) return null;
  return (
    <ul className={styles.list}>
      {[...new Set(lines)].map((line) => (
        <li key={line}>{visibleText(line)}</li>
      ))}
    </ul>
  );
}

const FIRST_SHOWN = 200;

function Caught({ view: { flaws, blues } }: { view: ScoreView }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? flaws : flaws.slice(0, FIRST_SHOWN);
  return (
    <>
      <ScrollRegion name="Who found what">
        <table className={`named-rows ${styles.matrix}`}>
          <thead>
            <tr>
              <th scope="col">Flaw</th>
              {blues.map(({ name, index }) => (
                <th key={index} scope="col" title={visibleText(name)}>
                  {visibleText(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((flaw) => (
              <tr key={flaw.index}>
                <th scope="row" className={styles.flaw}>
                  <span className={styles.id}>{visibleText(flaw.id)}</span> {visibleText(flaw.title.slice(0, 300))}
                  <div className="soft small anywhere">
                    {visibleText(
                      [flaw.severity, flaw.category, flaw.resource, placeText(flaw.places[0] ?? null)]
                        .filter(Boolean)
                        .join(' · ')
                        .slice(0, 300),
                    )}
                  </div>
                </th>
                {blues.map(({ name, caught, index }) => (
                  <CaughtCell
                    key={index}
                    caught={caught[flaw.index] ?? null}
                    href={claimHref(scoreBlueHref(index), { kind: 'flaw', index: flaw.index })}
                    label={`${flaw.id}, ${name}`}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {flaws.length > FIRST_SHOWN && (
        <button type="button" className="more" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Show fewer' : `Show all ${flaws.length} flaws`}
        </button>
      )}
    </>
  );
}

function CaughtCell({ caught, href, label }: { caught: ScoreBlueLine['caught'][number]; href: string; label: string }) {
  const look = flawLook({ found_by: caught?.finding ?? null });
  const shown = caught?.type === 'partial' ? { ...look, name: 'in part', sign: '◐' } : look;
  return (
    <td className={styles.cell}>
      <Link href={href} aria-label={`${visibleText(label)}: ${shown.name}`}>
        <LookBadge look={shown} />
      </Link>
    </td>
  );
}
