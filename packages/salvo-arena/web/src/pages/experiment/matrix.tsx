import { formatInterval, formatPercent, ScrollRegion, visibleText } from 'salvo/viewer-parts';
import { Link } from 'wouter';
import type { RateEstimate } from '../../../../src/experiment/results/experiment-results.ts';
import styles from './matrix.module.css';

export interface MatrixCell {
  estimate: RateEstimate;
  /** Below the value, such as `12 of 20`. */
  note?: string;
  href?: string;
}

interface MatrixRow {
  name: string;
  /** In the order of the columns; null where there is nothing. */
  cells: (MatrixCell | null)[];
}

interface MatrixProps {
  name: string;
  corner: string;
  blues: readonly string[];
  groups: { name: string | null; rows: MatrixRow[] }[];
}

/** Rows by Blues, each cell with its value, its interval, and a ground that is darker the higher the value is. */
export function Matrix({ name, corner, blues, groups }: MatrixProps) {
  return (
    <ScrollRegion name={name}>
      <table className={`named-rows ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {blues.map((blue) => (
              <th key={blue} scope="col" title={visibleText(blue)}>
                {visibleText(blue)}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <tbody key={group.name}>
            {group.name !== null && (
              <tr>
                <th scope="rowgroup" colSpan={blues.length + 1}>
                  {group.name}
                </th>
              </tr>
            )}
            {group.rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{visibleText(row.name)}</th>
                {row.cells.map((cell, column) => (
                  <Cell key={blues[column]} cell={cell} />
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </ScrollRegion>
  );
}

/** The share of the colour in the ground of a cell. More would make the text hard to read. */
const DARKEST = 46;

function heat(value: number): string {
  const share = Math.round(Math.min(1, Math.max(0, value)) * DARKEST);
  return `color-mix(in oklab, var(--pass) ${share}%, var(--surface))`;
}

function Cell({ cell }: { cell: MatrixCell | null }) {
  const value = cell?.estimate.value ?? null;
  if (!cell || value === null) {
    return (
      <td className={styles.cell}>
        <span className="soft">—</span>
      </td>
    );
  }
  const { interval } = cell.estimate;
  const range = interval && formatInterval(interval);
  const content = (
    <>
      <span className={styles.value}>{formatPercent(value)}</span>
      <span className={styles.note}>{[range, cell.note].filter(Boolean).join(' · ')}</span>
    </>
  );
  return (
    <td className={styles.cell} style={{ background: heat(value) }}>
      {cell.href === undefined ? content : <Link href={cell.href}>{content}</Link>}
    </td>
  );
}

export function HeatScale() {
  return (
    <span className={styles.scale} aria-hidden="true">
      0%
      {[0, 0.25, 0.5, 0.75, 1].map((value) => (
        <span key={value} style={{ background: heat(value) }} />
      ))}
      100%
    </span>
  );
}

interface ChoiceProps<Name extends string> {
  label: string;
  names: readonly { value: Name; name: string }[];
  chosen: Name;
  onChoose: (name: Name) => void;
}

export function Choice<Name extends string>({ label, names, chosen, onChoose }: ChoiceProps<Name>) {
  return (
    <fieldset className={styles.choice} aria-label={label}>
      {names.map(({ value, name }) => (
        <button key={value} type="button" aria-pressed={value === chosen} onClick={() => onChoose(value)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
