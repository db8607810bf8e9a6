import type { CriterionView } from '../../../../src/app/view/judges/judgement-view.ts';
import { formatScore } from '../../../../src/stats/format.ts';
import { visibleText } from '../../visible-text.ts';
import styles from './vote-plot.module.css';

const [WIDTH, EDGE, RADIUS] = [240, 8, 4.5];
/** How far dots with the same score are apart, and how many fit above each other. */
const [STEP, MOST_STACKED] = [9, 7];

/** Each vote as a dot from 0 to 1 by criterion, with the threshold and the median. */
export function VotePlot({ criteria, threshold }: { criteria: readonly CriterionView[]; threshold: number }) {
  return (
    <table className={styles.plot}>
      <thead>
        <tr>
          <th scope="col">Criterion</th>
          <th scope="col">
            <span className="ends" aria-hidden="true">
              <span>{formatScore(0)}</span>
              <span>{formatScore(1)}</span>
            </span>
            <span className="visually-hidden">Votes</span>
          </th>
          <th scope="col" className={styles.number}>
            Score
          </th>
        </tr>
      </thead>
      <tbody>
        {criteria.map((criterion) => (
          <tr key={criterion.name} className={criterion.is_disputed ? styles.disputed : undefined}>
            <th scope="row">
              {visibleText(criterion.name)}
              {criterion.weight !== 1 && <span className="soft"> ×{criterion.weight}</span>}
              {criterion.is_disputed && <span className={styles.word}>votes disagree</span>}
            </th>
            <td>
              <Dots criterion={criterion} threshold={threshold} />
            </td>
            <td className={styles.number}>{formatScore(criterion.score)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Dots({ criterion, threshold }: { criterion: CriterionView; threshold: number }) {
  const { name, votes, median_score } = criterion;
  const dots = stacked(votes);
  const highest = Math.max(1, ...dots.map(({ level }) => level + 1));
  const height = highest * STEP + 9;
  const xOf = (score: number): number => EDGE + score * (WIDTH - 2 * EDGE);
  const text = `${name}: votes ${votes.map(({ score }) => formatScore(score)).join(', ')}; median ${formatScore(median_score)}; needed ${formatScore(threshold)}`;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${height}`} className={styles.dots} role="img" aria-label={text}>
      <line x1={EDGE} x2={WIDTH - EDGE} y1={height - 2} y2={height - 2} className={styles.axis} />
      <line x1={xOf(threshold)} x2={xOf(threshold)} y1="0" y2={height} className={styles.threshold} />
      <path d={`M ${xOf(median_score)} ${height - 5} l 4 5 l -8 0 Z`} className={styles.median} />
      {dots.map(({ vote_number, score, level }) => (
        <circle
          key={vote_number}
          cx={xOf(score)}
          cy={height - 9 - level * STEP}
          r={RADIUS - 0.75}
          className={score >= threshold ? styles.pass : styles.fail}
        >
          <title>{`Vote ${vote_number}: ${formatScore(score)}`}</title>
        </circle>
      ))}
    </svg>
  );
}

/** Dots that would cover each other are put above each other. */
function stacked(votes: CriterionView['votes']): (CriterionView['votes'][number] & { level: number })[] {
  const counts = new Map<number, number>();
  return votes.map((vote) => {
    const column = Math.round(vote.score * 25);
    const level = counts.get(column) ?? 0;
    counts.set(column, level + 1);
    return { ...vote, level: level % MOST_STACKED };
  });
}
