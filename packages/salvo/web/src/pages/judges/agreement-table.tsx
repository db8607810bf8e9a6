import type { Agreement } from '../../../../src/judge/calibration/calibration-record.ts';
import { DataTable, NumberCell } from '../../parts/data-table.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
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
    <DataTable
      name={name}
      className={styles.table}
      columns={[what, { number: 'Labels' }, 'Kappa', 'Sensitivity', 'Specificity']}
    >
      <tbody>
        {rows.map(({ name: row, agreement }) => (
          // Names that were not recorded may be the same.
          <tr key={`${row} ${agreement.kappa} ${agreement.sensitivity.correct}`}>
            <td>{visibleText(row)}</td>
            <NumberCell>{agreement.n}</NumberCell>
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
    </DataTable>
  );
}

function Rate({ rate: { rate, ci } }: { rate: Agreement['sensitivity'] }) {
  return rate === null ? '—' : <RateBar rate={rate} interval={ci} />;
}
