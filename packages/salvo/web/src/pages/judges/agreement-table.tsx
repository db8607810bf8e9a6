import type { Agreement } from '../../../../src/judge/calibration/calibration-record.ts';
import { RowTable } from '../../parts/data-table.tsx';
import { RateBar } from '../../parts/rate-bar.tsx';
import { visibleText } from '../../visible-text.ts';
import styles from './judges.module.css';
import { KappaBar } from './kappa-bar.tsx';

interface AgreementTableProps {
  /** Of the table, and of what each row is about. */
  name: string;
  what: string;
  rows: { name: string; agreement: Agreement }[];
}

/** How far judge and people agree, line by line. */
export function AgreementTable({ name, what, rows }: AgreementTableProps) {
  return (
    <RowTable
      name={name}
      className={styles.table}
      rows={rows}
      // Names that were not recorded may be the same.
      keyOf={({ name: row, agreement }) => `${row} ${agreement.kappa} ${agreement.sensitivity.correct}`}
      columns={[
        [what, ({ name: row }) => visibleText(row)],
        [{ number: 'Labels' }, ({ agreement }) => agreement.n],
        ['Kappa', ({ agreement }) => <KappaBar kappa={agreement.kappa} interval={agreement.kappa_ci} />],
        ['Sensitivity', ({ agreement }) => <Rate rate={agreement.sensitivity} />],
        ['Specificity', ({ agreement }) => <Rate rate={agreement.specificity} />],
      ]}
    />
  );
}

function Rate({ rate: { rate, ci } }: { rate: Agreement['sensitivity'] }) {
  return rate === null ? '—' : <RateBar rate={rate} interval={ci} />;
}
