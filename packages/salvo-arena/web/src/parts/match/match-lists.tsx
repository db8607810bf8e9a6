import { useState } from 'react';
import { type BadgeLook, visibleText } from 'salvo/viewer-parts';
import { Link } from 'wouter';
import type { FindingView, FlawView, MatchView, Place } from '../../../../src/app/view/match-view.ts';
import { LookSign } from './looks.tsx';
import styles from './match-lists.module.css';
import { FINDING_LOOKS, flawLook, type Selection } from './selection.ts';

const ROW_HEIGHT = 52;
const FIRST_SHOWN = 60;

interface ListsProps {
  match: MatchView;
  /** As they are listed. */
  findings: FindingView[];
  selection: Selection | null;
  hrefOf: (selection: Selection) => string;
}

/** What was planted and what was reported, joined by lines where they belong together. */
export function MatchLists({ match, findings, selection, hrefOf }: ListsProps) {
  const [isOpen, setOpen] = useState(false);
  const limit = isOpen ? Number.POSITIVE_INFINITY : FIRST_SHOWN;
  const flaws = match.flaws.slice(0, limit);
  const listed = findings.slice(0, limit);
  const isCut = match.flaws.length > flaws.length || findings.length > listed.length;
  const related = relatedTo(match, selection);
  return (
    <>
      <div className={styles.lists}>
        <section>
          <h3>Flaws that were planted: {match.flaws.length}</h3>
          <ul className="list">
            {flaws.map((flaw) => (
              <Item
                key={flaw.index}
                self={{ kind: 'flaw', index: flaw.index }}
                look={flawLook(flaw)}
                title={`${flaw.id}: ${flaw.title}`}
                detail={[flaw.severity, flaw.category, placeText(flaw.places[0] ?? null)]}
                {...{ selection, related, hrefOf }}
              />
            ))}
          </ul>
        </section>
        <Joints flaws={flaws} findings={listed} selection={selection} />
        <section>
          <h3>Findings: {match.findings_total}</h3>
          {listed.length === 0 && <p className={styles.none}>Blue reported nothing.</p>}
          <ul className="list">
            {listed.map((finding) => (
              <Item
                key={finding.index}
                self={{ kind: 'finding', index: finding.index }}
                look={FINDING_LOOKS[finding.kind]}
                title={[finding.rule, finding.title].filter(Boolean).join(' ')}
                detail={[finding.severity, finding.resource, placeText(finding.place)]}
                {...{ selection, related, hrefOf }}
              />
            ))}
          </ul>
        </section>
      </div>
      {(isCut || isOpen) && (
        <button type="button" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Show fewer' : `Show all ${match.flaws.length} flaws and ${findings.length} findings`}
        </button>
      )}
    </>
  );
}

/** Keys of what belongs to the selection. */
function relatedTo({ flaws, findings }: MatchView, selection: Selection | null): ReadonlySet<string> {
  if (selection === null) return new Set();
  if (selection.kind === 'finding') {
    const flaw = findings.find(({ index }) => index === selection.index)?.flaw ?? null;
    return new Set(flaw === null ? [] : [`flaw ${flaw}`]);
  }
  const own = findings.filter(({ flaw }) => flaw === flaws[selection.index]?.index);
  return new Set(own.map(({ index }) => `finding ${index}`));
}

interface ItemProps {
  self: Selection;
  look: BadgeLook;
  title: string;
  detail: (string | null)[];
  selection: Selection | null;
  related: ReadonlySet<string>;
  hrefOf: (selection: Selection) => string;
}

function Item({ self, look, title, detail, selection, related, hrefOf }: ItemProps) {
  const isCurrent = selection?.kind === self.kind && selection.index === self.index;
  const isRelated = related.has(`${self.kind} ${self.index}`);
  return (
    <li className={`${styles.item} ${isRelated ? styles.related : ''}`}>
      <Link
        href={hrefOf(self)}
        replace
        aria-current={isCurrent ? 'true' : undefined}
        title={visibleText(title.slice(0, 300))}
      >
        <LookSign look={look} />
        <span className={styles.text}>
          <span className="visually-hidden">{look.name}: </span>
          <span className={styles.title}>{visibleText(title.slice(0, 300))}</span>
          <span className={styles.place}>{visibleText(detail.filter(Boolean).join(' · ').slice(0, 300))}</span>
        </span>
      </Link>
    </li>
  );
}

export function placeText(place: Place | null): string | null {
  return place && `${place.file}:${place.line}`;
}

/** The height of the headings of both lists. */
const HEAD_HEIGHT = 34;

/** A line from each flaw to each finding about it. The rows of both lists are equally high, so nothing is measured. */
function Joints({
  flaws,
  findings,
  selection,
}: {
  flaws: FlawView[];
  findings: FindingView[];
  selection: Selection | null;
}) {
  const rowOf = new Map(flaws.map(({ index }, row) => [index, row]));
  const height = Math.max(flaws.length, findings.length) * ROW_HEIGHT;
  const middle = (row: number) => row * ROW_HEIGHT + 24;
  return (
    <div className={styles.joints}>
      <svg
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        style={{ top: HEAD_HEIGHT, height }}
      >
        {findings.map(({ index, flaw, kind }, row) => {
          const from = flaw === null ? undefined : rowOf.get(flaw);
          if (from === undefined) return null;
          const isChosen = selection?.index === (selection?.kind === 'flaw' ? flaw : index);
          const [y1, y2] = [middle(from), middle(row)];
          return (
            <path
              key={index}
              d={`M0 ${y1} C50 ${y1} 50 ${y2} 100 ${y2}`}
              className={`${styles.joint} ${styles[kind] ?? ''} ${isChosen ? styles.chosen : ''}`}
            />
          );
        })}
      </svg>
    </div>
  );
}
