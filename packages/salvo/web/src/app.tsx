import { Redirect, Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ExperimentPage } from '../../../salvo-arena/web/src/pages/experiment/experiment-page.tsx';
import { ExperimentsPage } from '../../../salvo-arena/web/src/pages/experiments/experiments-page.tsx';
import { GamePage, PlayedGamePage } from '../../../salvo-arena/web/src/pages/game/game-page.tsx';
import { GamesPage } from '../../../salvo-arena/web/src/pages/games/games-page.tsx';
import { ScoreBluePage } from '../../../salvo-arena/web/src/pages/score/score-blue-page.tsx';
import { ScorePage } from '../../../salvo-arena/web/src/pages/score/score-page.tsx';
import { useProject } from './api.ts';
import { isHtmlFile } from './embedded-answers.ts';
import { ComparePage } from './pages/compare/compare-page.tsx';
import { TracesPage } from './pages/compare/traces-page.tsx';
import { JudgePage } from './pages/judges/judge-page.tsx';
import { JudgesPage } from './pages/judges/judges-page.tsx';
import { LabelsPage } from './pages/labels/labels-page.tsx';
import { NotFound } from './pages/not-found.tsx';
import { RunPage } from './pages/run/run-page.tsx';
import { RunsPage } from './pages/runs/runs-page.tsx';
import { TracePage } from './pages/trial/trace-page.tsx';
import { TrialPage } from './pages/trial/trial-page.tsx';
import { Frame } from './parts/frame.tsx';

const RUNS = /^\/(?:runs(?:\/where\/(?<filter>.*))?)?$/;
const RUN = /^\/runs\/(?<run>[^/]+)(?:\/where\/(?<chosen>.*))?$/;
/** Pages that show what is stored. An HTML file has none of them, and neither has the viewer of a score. */
const LISTS = /^\/(?:runs(?:\/where\/.*)?|experiments|judges|labels(?:\/.*)?|compare)?$/;
const GAME = /^\/experiments\/(?<experiment>[^/]+)\/games\/(?<game>[^/]+)(?:\/(?<kind>flaw|finding)\/(?<index>\d+))?$/;
const PLAYED_GAME = /^\/game(?:\/(?<kind>flaw|finding)\/(?<index>\d+))?$/;
const SCORE_BLUE = /^\/score\/(?<blue>\d{1,6})(?:\/(?<kind>flaw|finding)\/(?<index>\d+))?$/;
const GAMES = /^\/experiments\/(?<experiment>[^/]+)\/games(?:\/where\/(?<filter>.*))?$/;
const COMPARE = /^\/compare(?:\/(?<runs>.*))?$/;
const TRACES = /^\/traces\/(?<base>.+)\/with\/(?<next>.+)$/;
const TRIAL =
  /^\/runs\/(?<run>[^/]+)\/trials\/(?<scenario>[^/]+)\/(?<case>[^/]+)\/(?<trial>[^/]+)(?:\/where\/(?<search>.*)|\/(?<place>[^/]+))?$/;
const TRACE = /^\/traces\/(?<trace>[^/]+)(?:\/where\/(?<search>.*)|\/(?<place>[^/]+))?$/;
const LABELS = /^\/labels(?:\/(?<subject>.*))?$/;

/** Routes are the part after `#`: the same links work on the server and in an HTML file. */
export function App() {
  const isPart = (useProject().data?.contents.length ?? 0) > 0;
  return (
    <Router hook={useHashLocation}>
      <Frame>
        <Switch>
          {(isHtmlFile || isPart) && <Route path={LISTS} component={FrontPage} />}
          {/* One route, so that the field of the filter keeps the focus while the address changes. */}
          <Route path={RUNS}>{({ filter }) => <RunsPage filter={decoded(filter ?? '')} />}</Route>
          <Route path={RUN}>
            {({ run, chosen }) => <RunPage address={{ run: decoded(run ?? ''), chosen: chosen ?? '' }} />}
          </Route>
          <Route path={COMPARE}>{({ runs }) => <ComparePage sources={parts(runs ?? '')} />}</Route>
          <Route path={TRACES}>{({ base, next }) => <TracesPage base={base ?? ''} next={next ?? ''} />}</Route>
          <Route path={LABELS}>{({ subject }) => <LabelsPage subject={parts(subject ?? '')} />}</Route>
          <Route path={TRIAL}>
            {({ run = '', scenario = '', case: caseIndex = '', trial = '', place, search = '' }) => (
              <TrialPage
                params={{ run: decoded(run), scenario, case: caseIndex, trial, place, search: decoded(search) }}
              />
            )}
          </Route>
          <Route path={TRACE}>
            {({ trace = '', place, search = '' }) => (
              <TracePage params={{ trace: decoded(trace), place, search: decoded(search) }} />
            )}
          </Route>
          <Route path="/judges" component={JudgesPage} />
          <Route path="/judges/:judge">{(params) => <JudgePage params={params} />}</Route>
          <Route path="/experiments" component={ExperimentsPage} />
          <Route path="/experiments/:experiment" component={ExperimentPage} />
          <Route path={GAMES}>
            {({ experiment, filter }) => (
              <GamesPage experiment={decoded(experiment ?? '')} filter={decoded(filter ?? '')} />
            )}
          </Route>
          <Route path={GAME}>
            {({ experiment, game, kind, index }) => (
              <GamePage params={{ experiment: decoded(experiment ?? ''), game: decoded(game ?? ''), kind, index }} />
            )}
          </Route>
          <Route path={PLAYED_GAME}>{(params) => <PlayedGamePage params={params} />}</Route>
          <Route path="/score" component={ScorePage} />
          <Route path={SCORE_BLUE}>
            {({ blue, kind, index }) => <ScoreBluePage params={{ blue: Number(blue), kind, index }} />}
          </Route>
          <Route component={NotFound} />
        </Switch>
      </Frame>
    </Router>
  );
}

/** What a viewer that shows only a part begins with. */
function FrontPage() {
  const [first] = useProject().data?.contents ?? [];
  return first ? <Redirect href={first.href} replace /> : null;
}

/** The texts between the slashes. */
function parts(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
}

/** A part of the address as text. The router has decoded everything already but the characters that have a meaning there. */
function decoded(part: string): string {
  return part.replace(/%(?:2[346BCF]|3[ABDF]|40)/gi, (code) => decodeURIComponent(code));
}
