import type { Agreement } from '../../../../src/judge/calibration/calibration-record.ts';
import { RateBar } from '../../parts/rate-bar.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { visibleText } from '../../visible-text.ts';
import styles from './judges.module.css';
import { KappaBar } from './kappa-bar.tsx';

/** How far judge and people agree, line by line. */
export function AgreementTable({
  name,
  what,
  rows,
}: {
  name: string;
  what: string;
  rows: { name: string; agreement: Agreement }[];
}) {
  return (
    <ScrollRegion name={name}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{what}</th>
            <th scope="col" className={styles.number}>
              Labels
            </th>
            <th scope="col">Kappa</th>
            <th scope="col">Sensitivity</th>
            <th scope="col">Specificity</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name: row, agreement }) => (
            // Names that were not recorded may be the same.
            <tr key={`${row} ${agreement.kappa} ${agreement.sensitivity.correct}`}>
              <td>{visibleText(row)}</td>
              <td className={styles.number}>{agreement.n}</td>
              <td>
                <KappaBar kappa={agreement.kappa} interval={agreement.kappa_ci} />
              </td>
              <td>
                <Rate rate={agreement.sensitivity} />
              </td>
              <td>
                <Rate rate={agreement.specificity} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Rate({ rate: { rate, ci } }: { rate: Agreement['sensitivity'] }) {
  return rate === null ? '—' : <RateBar rate={rate} interval={ci} />;
}
