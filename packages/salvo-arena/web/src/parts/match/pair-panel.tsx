import { AgentText, formatScore, twoDigits, visibleText } from 'salvo/viewer-parts';
import { Link } from 'wouter';
import type { FindingView, FlawView, MatchView, PairView, Place } from '../../../../src/app/view/match-view.ts';
import type { Factor } from '../../../../src/match/candidates/matcher.ts';
import { LookBadge } from './looks.tsx';
import { placeText } from './match-lists.tsx';
import styles from './pair-panel.module.css';
import { FINDING_LOOKS, flawLook, OUTCOME_WORDS, type Selection } from './selection.ts';

interface PanelProps {
  match: MatchView;
  selection: Selection | null;
  hrefOf: (selection: Selection) => string;
  /** Shows lines of the code. Undefined if there is no code. */
  onPlace?: ((place: Place) => void) | undefined;
}

/** What is known about a flaw or a finding, and why it was matched with what it was, factor by factor. */
export function PairPanel({ match, selection, hrefOf, onPlace }: PanelProps) {
  const flaw = selection?.kind === 'flaw' ? match.flaws.find(({ index }) => index === selection.index) : undefined;
  const finding =
    selection?.kind === 'finding' ? match.findings.find(({ index }) => index === selection.index) : undefined;
  if (!flaw && !finding) {
    return (
      <aside className={styles.panel} aria-label="Why">
        <p>Choose a flaw, a finding or a line of the code to see why it was or was not matched.</p>
      </aside>
    );
  }
  const all = match.pairs
    .filter((pair) => (flaw ? pair.flaw === flaw.index : pair.finding === finding?.index))
    .sort((a, b) => b.score - a.score);
  // Of those that have nothing in common, one is enough to see it.
  const pairs = all.filter(({ outcome }, position) => position === 0 || outcome !== 'apart');
  return (
    <aside className={styles.panel} aria-label="Why">
      {flaw && <FlawFacts flaw={flaw} onPlace={onPlace} />}
      {finding && <FindingFacts finding={finding} match={match} onPlace={onPlace} />}
      {pairs.length === 0 && <p>Nothing was compared with it.</p>}
      {pairs.map((pair, position) => (
        <Pair
          key={`${pair.flaw} ${pair.finding}`}
          {...{ pair, match, hrefOf }}
          isFirst={position === 0}
          other={flaw ? 'finding' : 'flaw'}
        />
      ))}
    </aside>
  );
}

function FlawFacts({ flaw, onPlace }: { flaw: FlawView; onPlace: PanelProps['onPlace'] }) {
  return (
    <>
      <div className="row">
        <h3>
          {visibleText(flaw.id)}: {visibleText(flaw.title.slice(0, 500))}
        </h3>
        <LookBadge look={flawLook(flaw)} />
      </div>
      <Facts
        facts={[
          ['Severity', flaw.severity],
          ['Category', flaw.category],
          ['Hidden by', flaw.technique],
          ['Resource', flaw.resource],
        ]}
        places={flaw.places}
        onPlace={onPlace}
      />
      {flaw.description && <AgentText text={flaw.description} />}
      {flaw.facts.length > 0 && (
        <>
          <h4>Facts that are a flaw together</h4>
          <ul>
            {flaw.facts.map((fact) => (
              <li key={fact}>{visibleText(fact)}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function FindingFacts({
  finding,
  match,
  onPlace,
}: {
  finding: FindingView;
  match: MatchView;
  onPlace: PanelProps['onPlace'];
}) {
  const flaw = finding.flaw === null ? null : (match.flaws[finding.flaw]?.id ?? null);
  return (
    <>
      <div className="row">
        <h3>
          Finding {finding.index}: {visibleText(finding.title.slice(0, 500))}
        </h3>
        <LookBadge look={FINDING_LOOKS[finding.kind]} />
      </div>
      <Facts
        facts={[
          ['Rule', finding.rule],
          ['Severity', finding.severity],
          ['Resource', finding.resource],
          ['Reported by', finding.source],
          ['Flaw', flaw],
          ['Because', finding.why],
          [
            'Clean twin',
            finding.in_twin === null ? null : finding.in_twin ? 'reported there, too' : 'not reported there',
          ],
        ]}
        places={finding.place ? [finding.place] : []}
        onPlace={onPlace}
      />
      {finding.description && <AgentText text={finding.description} />}
      {finding.evidence && <AgentText text={finding.evidence} isCode />}
    </>
  );
}

const MOST_PLACES = 12;

function Facts({
  facts,
  places,
  onPlace,
}: {
  facts: [string, string | null][];
  places: (Place & { kind?: string })[];
  onPlace: PanelProps['onPlace'];
}) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{visibleText(value.slice(0, 500))}</dd>
          </div>
        ),
      )}
      {places.slice(0, MOST_PLACES).map((place, index) => {
        const text = visibleText(placeText(place) ?? '');
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: places have no ids, and their order does not change.
          <div key={index} style={{ display: 'contents' }}>
            <dt>{index === 0 ? 'Place' : PLACE_WORDS[place.kind ?? 'resource']}</dt>
            <dd>
              {onPlace ? (
                <button type="button" className={styles.place} onClick={() => onPlace(place)}>
                  {text}
                </button>
              ) : (
                <code>{text}</code>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

const PLACE_WORDS: Record<string, string> = { resource: 'Within', definition: 'Defined at', related: 'Related' };

interface PairProps {
  pair: PairView;
  match: MatchView;
  hrefOf: PanelProps['hrefOf'];
  other: Selection['kind'];
  isFirst: boolean;
}

function Pair({ pair, match, hrefOf, other, isFirst }: PairProps) {
  const name = other === 'flaw' ? flawName(match, pair.flaw) : findingName(match, pair.finding);
  const href = hrefOf({ kind: other, index: other === 'flaw' ? pair.flaw : pair.finding });
  const isMatch = pair.outcome === 'exact' || pair.outcome === 'partial';
  return (
    <details className={styles.pair} open={isFirst || isMatch}>
      <summary>
        <span className={styles.score}>{formatScore(pair.score)}</span> with {visibleText(name)}
      </summary>
      <p className={styles.outcome}>
        {OUTCOME_WORDS[pair.outcome]} A match needs {formatScore(match.match_threshold)}, an exact one{' '}
        {formatScore(match.exact_threshold)}.{' '}
        <Link href={href} replace>
          Show this {other}
        </Link>
      </p>
      <table className={styles.factors}>
        <thead>
          <tr>
            <th scope="col">Factor</th>
            <th scope="col" className="number">
              Points
            </th>
            <th scope="col">
              <span className="visually-hidden">Share</span>
            </th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {pair.factors.map((factor) => (
            <FactorRow key={factor.name} factor={factor} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

function flawName({ flaws }: MatchView, index: number): string {
  const flaw = flaws[index];
  return flaw ? `${flaw.id}: ${flaw.title.slice(0, 120)}` : `flaw ${index}`;
}

function findingName({ findings }: MatchView, wanted: number): string {
  const finding = findings.find(({ index }) => index === wanted);
  return finding
    ? [`finding ${wanted},`, finding.rule, finding.title.slice(0, 120)].filter(Boolean).join(' ')
    : `finding ${wanted}`;
}

function FactorRow({ factor: { name, points, most, reason } }: { factor: Factor }) {
  const share = Math.min(1, Math.abs(points) / Math.max(most, 0.3));
  return (
    <tr>
      <th scope="row">{name.replaceAll('_', ' ')}</th>
      <td className="number">{twoDigits(points)}</td>
      <td>
        <svg className={styles.bar} viewBox="0 0 56 8" preserveAspectRatio="none" aria-hidden="true">
          <rect width="56" height="8" rx="2" className={styles.most} />
          <rect width={share * 56} height="8" rx="2" className={points < 0 ? styles.minus : styles.points} />
        </svg>
      </td>
      <td className={styles.reason}>{visibleText(reason.slice(0, 500))}</td>
    </tr>
  );
}
