import {
  Crumbs,
  Figure,
  Figures,
  formatPercent,
  LoadState,
  RateBar,
  usePageTitle,
  visibleText,
} from 'salvo/viewer-parts';
import { Link } from 'wouter';
import { claimHref, PAGE, scoreBlueHref } from '../../../../src/app/view/page-hrefs.ts';
import type { ScoreBlueView } from '../../../../src/app/view/score-view.ts';
import { MatchBoard } from '../../parts/match/match-board.tsx';
import { PrecisionNote } from '../../parts/match/precision-note.tsx';
import { readSelection } from '../../parts/match/selection.ts';
import { useScore, useScoreBlue, useScoreCode } from './api.ts';
import styles from './score-page.module.css';
import { Verdicts, withoutPrecision } from './score-page.tsx';

interface Address {
  blue: number;
  kind?: string | undefined;
  index?: string | undefined;
}

/** One report against the manifest. */
export function ScoreBluePage({ params }: { params: Address }) {
  const blue = useScoreBlue(params.blue);
  usePageTitle(blue.data ? `Score of ${blue.data.line.name}` : 'Score');
  return <LoadState query={blue}>{(view) => <Loaded view={view} params={params} />}</LoadState>;
}

function Loaded({ view: { line, match }, params }: { view: ScoreBlueView; params: Address }) {
  const code = useScoreCode();
  const others = useScore().data?.blues ?? [];
  const isByTwin = line.precision_used === 'twin';
  return (
    <div className="page">
      <header>
        <Crumbs above={[{ href: PAGE.score, name: 'Score' }]} />
        <h1>{visibleText(line.name)}</h1>
        {others.length > 1 && (
          <nav className={styles.blues} aria-label="Reports">
            {others.map(({ name, index }) => (
              <Link key={index} href={scoreBlueHref(index)} aria-current={index === params.blue ? 'page' : undefined}>
                {visibleText(name)}
              </Link>
            ))}
          </nav>
        )}
        <Verdicts blues={[line]} />
        <Figures>
          <Figure name="Recall">
            <RateBar rate={line.recall.value} interval={line.recall.interval} />
          </Figure>
          <Figure name={isByTwin ? 'Precision by twin' : 'Precision'}>
            <RateBar rate={line.precision.value} interval={line.precision.interval} none={withoutPrecision(line)} />
          </Figure>
          <Figure name={isByTwin ? 'F1 by twin' : 'F1'}>{formatPercent(line.f1)}</Figure>
          <Figure name="Findings">{line.findings}</Figure>
          <Figure name="False alarms">{line.false_alarms}</Figure>
          {line.unresolved ? <Figure name="Unresolved">{line.unresolved}</Figure> : null}
          <Figure name="Consequences">{line.consequences}</Figure>
          <Figure name="Duplicates">{line.duplicates}</Figure>
        </Figures>
        <PrecisionNote isByTwin={isByTwin} className="soft small anywhere" />
      </header>
      <MatchBoard
        match={match}
        code={code.data ?? null}
        selected={readSelection(params.kind, params.index)}
        hrefOf={(selection) => claimHref(scoreBlueHref(params.blue), selection)}
      />
    </div>
  );
}
