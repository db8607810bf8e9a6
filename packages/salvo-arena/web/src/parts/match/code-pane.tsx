import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import { visibleText } from 'salvo/viewer-parts';
import type { CodeView } from '../../../../src/app/view/code-view.ts';
import type { MatchView, Place } from '../../../../src/app/view/match-view.ts';
import { CodeLine } from './code-line.tsx';
import { codeMarks, fileNamed } from './code-marks.ts';
import styles from './code-pane.module.css';
import { codeLines, differenceRows, plainRows } from './code-rows.ts';
import { LookLegend } from './looks.tsx';
import type { Selection } from './selection.ts';

/** A place to show, and when it was asked for: the same place can be asked for twice. */
export interface Focus {
  place: Place;
  /** Also brings the code into view. */
  isAsked: boolean;
}

interface CodePaneProps {
  code: CodeView;
  match: MatchView;
  selection: Selection | null;
  focus: Focus | null;
  hrefOf: (selection: Selection) => string;
  onSelect: (selection: Selection) => void;
}

const LINE_HEIGHT = 22;
const MOST_TABS = 12;

/** The code with a mark on every line that a flaw or a finding is about, or what differs from the clean twin. */
export function CodePane({ code, match, selection, focus, hrefOf, onSelect }: CodePaneProps) {
  const { files, twin } = code;
  const marks = useMemo(() => codeMarks(match, files), [match, files]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isDifference, setDifference] = useState(false);
  const wanted = focus && fileNamed(files, focus.place.file);
  const current = chosen ?? wanted ?? files.find(({ name }) => marks.has(name))?.name ?? files[0]?.name ?? '';
  const textOf = (from: CodeView['files'] | null) => from?.find(({ name }) => name === current)?.text ?? null;
  const [text, twinText] = [textOf(files), textOf(twin)];
  const rows = useMemo(
    () => (isDifference ? differenceRows(twinText, text) : plainRows(text ?? '')),
    [isDifference, text, twinText],
  );
  const region = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  useEffect(() => {
    // Another place is looked at: its file is shown again.
    setChosen(null);
    if (focus?.isAsked) region.current?.scrollIntoView({ block: 'nearest' });
  }, [focus]);
  const line = focus && wanted === current ? focus.place.line : null;
  const target = line === null ? -1 : rows.findIndex((row) => row.kind !== 'gap' && row.after === line);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each place, not after every render.
  useEffect(() => {
    if (target >= 0) virtual.scrollToIndex(target, { align: 'center' });
  }, [target, focus]);
  const fileMarks = marks.get(current) ?? [];
  const names = [...new Set([...files, ...(twin ?? [])].map(({ name }) => name))];
  return (
    <section>
      <div className={styles.head}>
        <h2 className="heading">Code</h2>
        <FileChoice
          names={names}
          current={current}
          count={(name) => marks.get(name)?.length ?? 0}
          onChoose={setChosen}
        />
        {twin && (
          <label>
            <input type="checkbox" checked={isDifference} onChange={({ target: box }) => setDifference(box.checked)} />{' '}
            Only what differs from the clean twin
          </label>
        )}
        <LookLegend />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll the code. */}
      <section ref={region} className={styles.scroll} aria-label={`Code of ${current}`} tabIndex={0}>
        {isDifference && !rows.some(({ kind }) => kind === 'added' || kind === 'removed') ? (
          <p className={styles.gap}>This file is the same in the clean twin.</p>
        ) : (
          <div
            className={styles.rows}
            style={{ height: virtual.getTotalSize(), width: `${longestLine(text ?? '') + 16}ch` }}
          >
            {virtual.getVirtualItems().map(({ index, start, key }) => {
              const row = rows[index];
              if (!row) return null;
              return (
                <CodeLine
                  key={key}
                  top={start}
                  marks={fileMarks}
                  {...{ row, selection, isDifference, hrefOf, onSelect }}
                />
              );
            })}
          </div>
        )}
      </section>
    </section>
  );
}

const LONGEST_SHOWN = 400;

function longestLine(text: string): number {
  return codeLines(text).reduce((most, { length }) => Math.min(LONGEST_SHOWN, Math.max(most, length)), 0);
}

interface FileChoiceProps {
  names: string[];
  current: string;
  count: (name: string) => number;
  onChoose: (name: string) => void;
}

function FileChoice({ names, current, count, onChoose }: FileChoiceProps) {
  if (names.length > MOST_TABS) {
    return (
      <label className={styles.choice}>
        File{' '}
        <select value={current} onChange={({ target }) => onChoose(target.value)}>
          {names.map((name) => (
            <option key={name} value={name}>
              {visibleText(name)} {count(name) > 0 && `(${count(name)})`}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <fieldset className={styles.files} aria-label="Files">
      {names.map((name) => (
        <button key={name} type="button" aria-pressed={name === current} onClick={() => onChoose(name)}>
          {visibleText(name)} {count(name) > 0 && <span className={styles.count}>{count(name)} marks</span>}
        </button>
      ))}
    </fieldset>
  );
}
