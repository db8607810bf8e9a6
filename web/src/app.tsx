import { Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { JudgePage } from './pages/judges/judge-page.tsx';
import { JudgesPage } from './pages/judges/judges-page.tsx';
import { NotFound } from './pages/not-found.tsx';
import { RunPage } from './pages/run/run-page.tsx';
import { RunsPage } from './pages/runs/runs-page.tsx';
import { TracePage } from './pages/trial/trace-page.tsx';
import { TrialPage } from './pages/trial/trial-page.tsx';
import { Frame } from './parts/frame.tsx';

const RUNS = /^\/(?:runs(?:\/where\/(?<filter>.*))?)?$/;

/** Routes are the part after `#`: the same links work on the server and in an HTML file. */
export function App() {
  return (
    <Router hook={useHashLocation}>
      <Frame>
        <Switch>
          {/* One route, so that the field of the filter keeps the focus while the address changes. */}
          <Route path={RUNS}>{({ filter }) => <RunsPage filter={decoded(filter ?? '')} />}</Route>
          <Route path="/runs/:run" component={RunPage} />
          <Route path="/runs/:run/trials/:scenario/:case/:trial/:place?">
            {(params) => <TrialPage params={params} />}
          </Route>
          <Route path="/traces/:trace/:place?">{(params) => <TracePage params={params} />}</Route>
          <Route path="/judges" component={JudgesPage} />
          <Route path="/judges/:judge">{(params) => <JudgePage params={params} />}</Route>
          <Route component={NotFound} />
        </Switch>
      </Frame>
    </Router>
  );
}

/** A part of the address as text. One that nobody encoded properly is taken as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
