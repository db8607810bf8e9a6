import { useMemo, useState } from 'react';
import { useKey } from 'salvo/viewer-parts';
import { useLocation } from 'wouter';
import type { CodeView } from '../../../../src/app/view/code-view.ts';
import type { MatchView } from '../../../../src/app/view/match-view.ts';
import { CodePane, type Focus } from './code-pane.tsx';
import styles from './match-board.module.css';
import { MatchLists } from './match-lists.tsx';
import { PairPanel } from './pair-panel.tsx';
import { firstSelection, nextEvaded, orderedFindings, type Selection } from './selection.ts';

interface BoardProps {
  match: MatchView;
  /** Null while it is loaded. */
  code: CodeView | null;
  /** From the address. */
  selected: Selection | null;
  hrefOf: (selection: Selection) => string;
}

/** Flaws, findings and code of one Blue, with why they were or were not matched. */
export function MatchBoard({ match, code, selected, hrefOf }: BoardProps) {
  const [, navigate] = useLocation();
  const selection = useMemo(() => selected ?? firstSelection(match), [selected, match]);
  const findings = useMemo(() => orderedFindings(match.findings), [match]);
  const [asked, setAsked] = useState<{ focus: Focus; selection: Selection | null } | null>(null);
  const own = useMemo(() => selectedFocus(match, selection), [match, selection]);
  // What was asked for holds until something else is selected.
  const focus = asked && asked.selection === selection ? asked.focus : own;
  const goTo = (step: 1 | -1) => {
    const next = nextEvaded(match, selection, step);
    if (next) navigate(hrefOf(next), { replace: true });
  };
  useKey('n', () => goTo(1));
  useKey('p', () => goTo(-1));
  const hasCode = code !== null && code.files.length > 0;
  return (
    <div className={styles.board}>
      <section>
        <h2 className="heading">Flaws and findings</h2>
        {match.flaws.filter(({ found_by }) => found_by === null).length > 1 && (
          <p className="soft small">
            <kbd>n</kbd> and <kbd>p</kbd> go to the next and the previous flaw that evaded.
          </p>
        )}
        <MatchLists {...{ match, findings, selection, hrefOf }} />
      </section>
      <div className={styles.panel}>
        <h2 className="visually-hidden">Why</h2>
        <PairPanel
          {...{ match, selection, hrefOf }}
          onPlace={hasCode ? (place) => setAsked({ focus: { place, isAsked: true }, selection }) : undefined}
        />
      </div>
      {code?.missing && (
        <section>
          <h2 className="heading">Code</h2>
          <p className="soft">{code.missing}</p>
        </section>
      )}
      {hasCode && (
        <CodePane
          {...{ code, match, selection, focus, hrefOf }}
          onSelect={(next) => navigate(hrefOf(next), { replace: true })}
        />
      )}
    </div>
  );
}

function selectedFocus({ flaws, findings }: MatchView, selection: Selection | null): Focus | null {
  if (selection === null) return null;
  const place =
    selection.kind === 'flaw'
      ? flaws.find(({ index }) => index === selection.index)?.places[0]
      : findings.find(({ index }) => index === selection.index)?.place;
  return place ? { place, isAsked: false } : null;
}
