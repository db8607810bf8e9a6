import type { Agreement } from '../../../../src/judge/calibration/calibration-record.ts';
import { formatInterval, formatPercent } from '../../../../src/stats/format.ts';
import styles from './confusion-matrix.module.css';

/** What people and the judge said about the same items. Where they agree is on the diagonal. */
export function ConfusionMatrix({ agreement }: { agreement: Agreement }) {
  const { sensitivity, specificity, n } = agreement;
  return (
    <section aria-labelledby="confusion">
      <h2 id="confusion" className="heading">
        Judge against people
      </h2>
      <table className={styles.matrix}>
        <thead>
          <tr>
            <td />
            <th scope="col">Judge passed</th>
            <th scope="col">Judge failed</th>
            <th scope="col">Right</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">People passed</th>
            <Cell count={sensitivity.correct} n={n} isRight />
            <Cell count={sensitivity.total - sensitivity.correct} n={n} />
            <Rate rate={sensitivity} name="Sensitivity" />
          </tr>
          <tr>
            <th scope="row">People failed</th>
            <Cell count={specificity.total - specificity.correct} n={n} />
            <Cell count={specificity.correct} n={n} isRight />
            <Rate rate={specificity} name="Specificity" />
          </tr>
        </tbody>
      </table>
    </section>
  );
}

function Cell({ count, n, isRight = false }: { count: number; n: number; isRight?: boolean }) {
  return (
    <td className={`${styles.cell} ${isRight ? 'tone-pass' : count > 0 ? 'tone-fail' : ''}`}>
      <strong>{count}</strong>
      <span className="soft fine">
        {isRight ? 'agree' : 'differ'} · {formatPercent(n === 0 ? null : count / n)}
      </span>
    </td>
  );
}

function Rate({ rate, name }: { rate: Agreement['sensitivity']; name: string }) {
  return (
    <td className={styles.rate}>
      <strong>{formatPercent(rate.rate)}</strong>
      <span className="soft fine">
        {name}
        {rate.ci && `, ${formatInterval(rate.ci)}`}
      </span>
    </td>
  );
}
