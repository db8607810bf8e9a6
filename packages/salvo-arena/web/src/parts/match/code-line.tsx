import { formatCount, visibleText } from 'salvo/viewer-parts';
import { Link } from 'wouter';
import { type Mark, markAt } from './code-marks.ts';
import styles from './code-pane.module.css';
import type { CodeRow } from './code-rows.ts';
import { LookBadge } from './looks.tsx';
import type { Selection } from './selection.ts';

const LONGEST_LINE = 2000;
const MOST_BARS = 4;
const MOST_MARKS = 6;
const SIGNS = { same: ' ', added: '+', removed: '−' } as const;

interface CodeLineProps {
  row: CodeRow;
  top: number;
  marks: readonly Mark[];
  selection: Selection | null;
  isDifference: boolean;
  hrefOf: (selection: Selection) => string;
  onSelect: (selection: Selection) => void;
}

/** One line of code, with what was planted in it and what was reported about it. */
export function CodeLine({ row, top, marks, selection, isDifference, hrefOf, onSelect }: CodeLineProps) {
  const style = { transform: `translateY(${top}px)` };
  if (row.kind === 'gap') {
    return (
      <div className={`${styles.row} ${styles.gap}`} style={style}>
        {row.lines} lines are the same
      </div>
    );
  }
  const line = row.after;
  const around = line === null ? [] : marks.filter((mark) => mark.line <= line && line <= mark.end_line);
  const flaws = around.filter(({ kind, isMain }) => kind === 'flaw' && isMain);
  const begins = withoutRepeats(around.filter((mark) => mark.line === line));
  const isChosen = around.some(({ kind, index }) => kind === selection?.kind && index === selection.index);
  const ground = isDifference && row.kind !== 'same' ? styles[row.kind] : isChosen ? styles.chosen : '';
  return (
    <div className={`${styles.row} ${ground}`} style={style}>
      <LineNumber line={line} before={row.before} around={around} onSelect={onSelect} />
      <span className={styles.bars} aria-hidden="true">
        {flaws.slice(0, MOST_BARS).map(({ index, look }) => (
          <span key={index} className={`${styles.bar} ${styles[look.look]}`} />
        ))}
      </span>
      {isDifference && (
        <span className={styles.sign}>
          <span aria-hidden="true">{SIGNS[row.kind]}</span>
          {row.kind !== 'same' && (
            <span className="visually-hidden">{row.kind === 'added' ? 'only here: ' : 'only in the twin: '}</span>
          )}
        </span>
      )}
      <span className={styles.text}>
        {visibleText(row.text.slice(0, LONGEST_LINE))}
        {row.text.length > LONGEST_LINE && `… (${formatCount(row.text.length)} characters)`}
      </span>
      {begins.length > 0 && (
        <span className={styles.marks}>
          {begins.slice(0, MOST_MARKS).map((mark) => (
            <Link
              key={`${mark.kind} ${mark.index}`}
              href={hrefOf(mark)}
              replace
              className={styles.mark}
              aria-label={`${visibleText(mark.name)}, ${mark.look.name}, line ${line}`}
            >
              <LookBadge look={{ ...mark.look, name: visibleText(mark.name.slice(0, 40)) }} />
            </Link>
          ))}
          {begins.length > MOST_MARKS && <span>and {begins.length - MOST_MARKS} more</span>}
        </span>
      )}
    </div>
  );
}

/** Two places of a flaw may begin at the same line. */
function withoutRepeats(marks: readonly Mark[]): Mark[] {
  return [...new Map(marks.map((mark) => [`${mark.kind} ${mark.index}`, mark])).values()];
}

interface LineNumberProps {
  line: number | null;
  before: number | null;
  around: readonly Mark[];
  onSelect: (selection: Selection) => void;
}

function LineNumber({ line, before, around, onSelect }: LineNumberProps) {
  const mark = line === null ? null : markAt(around, line);
  if (!mark) return <span className={styles.number}>{line ?? before}</span>;
  return (
    // The marks of a line are links: by keyboard, a stop at each of its numbers would only be in the way.
    <button
      type="button"
      tabIndex={-1}
      className={styles.number}
      aria-label={`Line ${line}: ${visibleText(mark.name)}, ${mark.look.name}`}
      onClick={() => onSelect(mark)}
    >
      {line}
    </button>
  );
}
