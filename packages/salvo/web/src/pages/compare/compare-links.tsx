import { Link } from 'wouter';
import { compareHref, labelsHref } from '../../../../src/app/view/page-hrefs.ts';
import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import { useProject } from '../../api.ts';
import styles from './compare-links.module.css';

const MOST_MODELS = 6;

/** From a run to its comparisons: with the run before it, and between its models. */
export function CompareLinks({ view: { run_id, scenarios } }: { view: RunView }) {
  const distinct = (of: (scenario: RunView['scenarios'][number]) => string) => [...new Set(scenarios.map(of))];
  const models = distinct(({ model }) => model);
  const project = useProject();
  // An HTML file has neither other runs nor a way to store labels.
  if (!project.data?.live) return null;
  const candidates = (models.length > 1 ? models : distinct(({ adapter }) => adapter)).slice(0, MOST_MODELS);
  return (
    <nav aria-label="Comparisons" className={styles.links}>
      <Link href={compareHref(['previous', run_id])}>Compare with the previous run</Link>
      {candidates.length > 1 && (
        <Link href={compareHref(candidates.map((candidate) => `${run_id}@${candidate}`))}>Compare its models</Link>
      )}
      <Link href={labelsHref(run_id)}>Label its trials</Link>
    </nav>
  );
}
