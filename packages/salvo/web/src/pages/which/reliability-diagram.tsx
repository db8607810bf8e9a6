import type { ReliabilityDocument } from '../../../../src/judge/which/judge-comparison.ts';
import { formatInterval, formatPercent, formatPlural } from '../../../../src/stats/format.ts';
import { RowTable } from '../../parts/data-table.tsx';
import styles from './reliability-diagram.module.css';

type Bin = ReliabilityDocument['bins'][number];

/** The plot itself, and the room for its axes. */
const [SIZE, LEFT, TOP, BELOW, RIGHT] = [220, 52, 12, 40, 20];
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** What a judge says, and how often people passed the answer: on the line from corner to corner, both are the same. */
export function ReliabilityDiagram({ name, reliability }: { name: string; reliability: ReliabilityDocument }) {
  const { bins } = reliability;
  return (
    <figure className={styles.figure}>
      <figcaption>
        <h3>{name}</h3>
        <p className="soft small">
          {reliability.source === 'decision' ? 'Its probabilities' : 'The share of its votes that pass'},{' '}
          {formatPlural(reliability.n, 'answer')}
        </p>
      </figcaption>
      <Plot bins={bins} text={`Reliability of ${name}. ${bins.map(binText).join('; ')}.`} />
      <details>
        <summary>As a table</summary>
        <RowTable
          name={`Reliability of ${name}`}
          rows={bins}
          keyOf={({ said, range }) => `${said} ${range.join(' ')}`}
          columns={[
            [{ number: 'Says' }, ({ said }) => formatPercent(said)],
            [{ number: 'Answers' }, ({ n }) => n],
            [{ number: 'People passed' }, ({ observed }) => formatPercent(observed)],
            [{ number: '95% interval' }, ({ ci }) => formatInterval(ci)],
            [{ number: 'Jointly' }, ({ joint_ci }) => formatInterval(joint_ci)],
          ]}
        />
      </details>
    </figure>
  );
}

function binText({ said, observed, ci, n }: Bin): string {
  return `Where it says ${formatPercent(said)}, people passed ${formatPercent(observed)} (${formatInterval(ci)}) of ${n}`;
}

function Plot({ bins, text }: { bins: readonly Bin[]; text: string }) {
  const most = Math.max(...bins.map(({ n }) => n));
  return (
    <svg viewBox={`0 0 ${LEFT + SIZE + RIGHT} ${TOP + SIZE + BELOW}`} role="img" aria-label={text}>
      <title>{text}</title>
      {TICKS.map((at) => (
        <g key={at} className={styles.tick}>
          <line x1={x(0)} x2={x(1)} y1={y(at)} y2={y(at)} />
          <line x1={x(at)} x2={x(at)} y1={y(0)} y2={y(1)} />
          <text x={LEFT - 10} y={y(at)} textAnchor="end" dominantBaseline="central">
            {formatPercent(at)}
          </text>
          <text x={x(at)} y={y(0) + 18} textAnchor="middle">
            {formatPercent(at)}
          </text>
        </g>
      ))}
      <line x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} className={styles.right} />
      {bins.map((bin) => (
        <Point key={`${bin.said} ${bin.range.join(' ')}`} bin={bin} size={Math.sqrt(bin.n / most)} />
      ))}
      <text x={x(0.5)} y={TOP + SIZE + BELOW - 6} textAnchor="middle" className={styles.axis}>
        it says
      </text>
      <text transform={`translate(10 ${y(0.5)}) rotate(-90)`} textAnchor="middle" className={styles.axis}>
        people passed
      </text>
    </svg>
  );
}

const CAP = 4;

/** `size`: 1 for the bin with the most answers. */
function Point({ bin: { said, observed, ci, joint_ci }, size }: { bin: Bin; size: number }) {
  const at = x(said);
  return (
    <g className={styles.point}>
      <line x1={at} x2={at} y1={y(joint_ci[0])} y2={y(joint_ci[1])} className={styles.joint} />
      <line x1={at} x2={at} y1={y(ci[0])} y2={y(ci[1])} />
      {ci.map((end) => (
        <line key={end} x1={at - CAP} x2={at + CAP} y1={y(end)} y2={y(end)} />
      ))}
      <circle cx={at} cy={y(observed)} r={2.5 + 3.5 * size} />
    </g>
  );
}

function x(share: number): number {
  return LEFT + share * SIZE;
}

function y(share: number): number {
  return TOP + (1 - share) * SIZE;
}
