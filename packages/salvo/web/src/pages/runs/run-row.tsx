import { Link } from 'wouter';
import { runHref } from '../../../../src/app/view/page-hrefs.ts';
import type { RunLine } from '../../../../src/app/view/runs/run-line.ts';
import { formatCost, formatCount, formatPercent, formatScore, formatSeconds } from '../../../../src/stats/format.ts';
import { formatTime } from '../../format-time.ts';
import { VerdictBadge } from '../../parts/badge.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { DeleteButton } from './delete-button.tsx';
import styles from './run-table.module.css';

const MOST_NAMES = 3;

interface RunRowProps {
  line: RunLine;
  index: number;
  measure: (element: HTMLTableRowElement | null) => void;
}

export function RunRow({ line, index, measure }: RunRowProps) {
  const names = [...new Set(line.scenarios.map(({ name }) => name))];
  const models = [...new Set(line.scenarios.map(({ model }) => model))];
  const isRunning = line.status === 'running';
  return (
    // The head of the table is row 1.
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <td>
        <Link href={runHref(line.run_id)} className={styles.run}>
          {line.run_id.slice(0, 10)}
        </Link>
        <div className={styles.time}>
          <span>{formatTime(line.created_at)}</span>
          {line.reeval_of !== null && <span>&nbsp;· judged again</span>}
        </div>
      </td>
      <td>
        <VerdictBadge verdict={line.verdict} status={line.status} />
      </td>
      <td title={names.join(', ')}>
        <div className={styles.names}>{shortList(names)}</div>
      </td>
      <td title={models.join(', ')}>
        <div className={styles.names}>{shortList(models)}</div>
      </td>
      <td>
        {line.models ? (
          <ModelRates models={line.models} />
        ) : (
          <RateBar rate={line.pass_rate} interval={line.pass_rate_ci} none={isRunning ? 'not yet' : 'not scored'} />
        )}
      </td>
      <td>
        <SparkLine shares={line.trend} />
      </td>
      <td className="number">{formatScore(line.score)}</td>
      <td className="number">{formatCount(line.trials)}</td>
      <td className="number">
        {formatCost(line.cost)}
        {line.user_cost !== null && line.user_cost.usd !== 0 && (
          <div className="soft">+ {formatCost(line.user_cost)} users</div>
        )}
      </td>
      <td className="number">{formatSeconds(line.duration_seconds)}</td>
      <td>
        <DeleteButton runId={line.run_id} isRunning={isRunning} />
      </td>
    </tr>
  );
}

function shortList(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A mean over models would be the rate of none of them. */
function ModelRates({ models }: { models: NonNullable<RunLine['models']> }) {
  const more = models.length - MOST_NAMES;
  return (
    <ul className={styles.models}>
      {models.slice(0, MOST_NAMES).map(({ label, pass_rate }) => (
        <li key={label}>
          <span>{formatPercent(pass_rate)}</span> {label}
        </li>
      ))}
      {more > 0 && <li>and {more} more</li>}
    </ul>
  );
}

const [WIDTH, HEIGHT, EDGE] = [72, 20, 3];

/** Shares from 0 to 100% over time, the last one marked. */
function SparkLine({ shares }: { shares: number[] }) {
  const last = shares.at(-1);
  if (last === undefined || shares.length < 2) return null;
  const step = (WIDTH - 2 * EDGE) / (shares.length - 1);
  const points = shares.map((share, index) => [EDGE + index * step, EDGE + (1 - share) * (HEIGHT - 2 * EDGE)] as const);
  const [x, y] = points.at(-1) ?? [0, 0];
  const text = `The last ${shares.length} pass rates: ${shares.map((share) => formatPercent(share)).join(', ')}`;
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={text}>
      <title>{text}</title>
      <polyline points={points.map((point) => point.join(',')).join(' ')} className={styles.rates} />
      <circle cx={x} cy={y} r="2.5" className={styles.lastRate} />
    </svg>
  );
}
