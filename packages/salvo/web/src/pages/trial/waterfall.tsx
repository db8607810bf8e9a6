import { useState } from 'react';
import { Link } from 'wouter';
import type { TraceHead } from '../../../../src/app/view/trial/trial-view.ts';
import { formatCount, formatSeconds } from '../../../../src/stats/format.ts';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import styles from './waterfall.module.css';
import { type WaterfallRow, waterfallRows } from './waterfall-rows.ts';

const FIRST_SHOWN = 12;

/**
 * When each answer of the agent was asked for, how long it took, and its tokens. What is between them is tools. An answer
 * that took several steps of a model is followed by them, as far as they are known; nobody knows when they began.
 */
export function Waterfall({ trace, hrefOfTurn }: { trace: TraceHead; hrefOfTurn: (turn: number) => string | null }) {
  const [isOpen, setOpen] = useState(false);
  const rows = waterfallRows(trace);
  if (rows.length === 0) return null;
  const shown = isOpen ? rows : rows.slice(0, FIRST_SHOWN);
  const end = Math.max(trace.latency_seconds ?? 0, ...rows.map(({ start, seconds }) => (start ?? 0) + (seconds ?? 0)));
  const mostTokens = Math.max(1, ...rows.map(({ input, output }) => (input ?? 0) + (output ?? 0)));
  return (
    <section>
      <h2 className="heading">Time and tokens</h2>
      <ScrollRegion name="Time and tokens by turn">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Turn</th>
              <th scope="col" className={styles.wide}>
                <span className="ends">
                  <span>{formatSeconds(0)}</span>
                  <span>{formatSeconds(end)}</span>
                </span>
              </th>
              <th scope="col" className="number">
                Time
              </th>
              <th scope="col" className="number">
                Tokens in
              </th>
              <th scope="col" className="number">
                Tokens out
              </th>
              <th scope="col" className={styles.tokens}>
                <span className={styles.legend}>
                  <span className={styles.input} aria-hidden="true" /> in
                  <span className={styles.output} aria-hidden="true" /> out
                </span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <TurnRow key={row.key} {...{ row, end, mostTokens }} href={hrefOfTurn(row.turn)} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {rows.length > FIRST_SHOWN && (
        <button type="button" className="more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${rows.length} rows`}
        </button>
      )}
    </section>
  );
}

function TurnRow({
  row,
  end,
  mostTokens,
  href,
}: {
  row: WaterfallRow;
  end: number;
  mostTokens: number;
  href: string | null;
}) {
  const { name, start, seconds, input, output, isUnanswered } = row;
  const share = (value: number): string => `${end === 0 ? 0 : (value / end) * 100}%`;
  const tokenShare = (value: number | null): string => `${((value ?? 0) / mostTokens) * 100}%`;
  return (
    <tr>
      <th scope="row">{href === null || isUnanswered ? name : <Link href={href}>{name}</Link>}</th>
      <td>
        {start !== null && (
          <span className={styles.track} aria-hidden="true">
            <span
              className={isUnanswered ? styles.unanswered : styles.bar}
              style={{ left: share(start), width: share(seconds ?? 0) }}
            />
          </span>
        )}
      </td>
      <td className="number">
        {formatSeconds(seconds)}
        {isUnanswered && ', no answer'}
      </td>
      <td className="number">{formatCount(input ?? null)}</td>
      <td className="number">{formatCount(output ?? null)}</td>
      <td>
        <span className={styles.stack} aria-hidden="true">
          <span className={styles.input} style={{ width: tokenShare(input) }} />
          <span className={styles.output} style={{ width: tokenShare(output) }} />
        </span>
      </td>
    </tr>
  );
}
