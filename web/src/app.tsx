import { Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ComparePage } from './pages/compare/compare-page.tsx';
import { TracesPage } from './pages/compare/traces-page.tsx';
import { LabelsPage } from './pages/labels/labels-page.tsx';
import { NotFound } from './pages/not-found.tsx';
import { RunPage } from './pages/run/run-page.tsx';
import { RunsPage } from './pages/runs/runs-page.tsx';
import { TrialPage } from './pages/trial/trial-page.tsx';
import { Frame } from './parts/frame.tsx';

const RUNS = /^\/(?:runs(?:\/where\/(?<filter>.*))?)?$/;

const COMPARE = /^\/compare(?:\/(?<runs>.*))?$/;
const TRACES = /^\/traces\/(?<base>.+)\/with\/(?<next>.+)$/;
const LABELS = /^\/labels(?:\/(?<subject>.*))?$/;

/** Routes are the part after `#`: the same links work on the server and in an HTML file. */
export function App() {
  return (
    <Router hook={useHashLocation}>
      <Frame>
        <Switch>
          {/* One route, so that the field of the filter keeps the focus while the address changes. */}
          <Route path={RUNS}>{({ filter }) => <RunsPage filter={decoded(filter ?? '')} />}</Route>
          <Route path="/runs/:run" component={RunPage} />
          <Route path="/runs/:run/trials/:scenario/:case/:trial">{(params) => <TrialPage params={params} />}</Route>
          <Route path={COMPARE}>{({ runs }) => <ComparePage sources={parts(runs ?? '')} />}</Route>
          <Route path={TRACES}>{({ base, next }) => <TracesPage base={base ?? ''} next={next ?? ''} />}</Route>
          <Route path={LABELS}>{({ subject }) => <LabelsPage subject={parts(subject ?? '')} />}</Route>
          <Route component={NotFound} />
        </Switch>
      </Frame>
    </Router>
  );
}

/** The texts between the slashes. */
function parts(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
}

/** A part of the address as text. One that nobody encoded properly is taken as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
