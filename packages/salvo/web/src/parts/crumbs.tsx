import { Link } from 'wouter';
import { visibleText } from '../visible-text.ts';
import styles from './crumbs.module.css';

/** The pages above this one. */
export function Crumbs({ above }: { above: { href: string; name: string }[] }) {
  return (
    <nav aria-label="Above this page">
      <ol className={styles.crumbs}>
        {above.map(({ href, name }) => (
          <li key={href}>
            <Link href={href}>{visibleText(name)}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
