import { Link, Redirect, Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { addedPages, decoded } from './added-pages.ts';
import { useProject } from './api.ts';
import { isHtmlFile } from './embedded-answers.ts';
import { ComparePage } from './pages/compare/compare-page.tsx';
import { TracesPage } from './pages/compare/traces-page.tsx';
import { JudgePage } from './pages/judges/judge-page.tsx';
import { JudgesPage } from './pages/judges/judges-page.tsx';
import { LabelsPage } from './pages/labels/labels-page.tsx';
import { MutationPage } from './pages/mutations/mutation-page.tsx';
import { MutationsPage } from './pages/mutations/mutations-page.tsx';
import { OutputsPage } from './pages/outputs/outputs-page.tsx';
import { RunPage } from './pages/run/run-page.tsx';
import { RunsPage } from './pages/runs/runs-page.tsx';
import { TracePage } from './pages/trial/trace-page.tsx';
import { TrialPage } from './pages/trial/trial-page.tsx';
import { ComparisonPage } from './pages/which/comparison-page.tsx';
import { Frame } from './parts/frame.tsx';

const RUNS = /^\/(?:runs(?:\/where\/(?<filter>.*))?)?$/;
const RUN = /^\/runs\/(?<run>[^/]+)(?:\/where\/(?<chosen>.*))?$/;
/** Pages that show what is stored. An HTML file has none of them, and neither has the viewer of one result. */
const LISTS = /^\/(?:runs(?:\/where\/.*)?|judges|mutations|labels(?:\/.*)?|compare)?$/;
const OUTPUTS = /^\/runs\/(?<run>[^/]+)\/outputs(?:\/(?<group>\d{1,6}))?(?:\/(?<offset>\d{1,6}))?$/;
const COMPARE = /^\/compare(?:\/(?<runs>.*))?$/;
const TRACES = /^\/traces\/(?<base>.+)\/with\/(?<next>.+)$/;
const TRIAL =
  /^\/runs\/(?<run>[^/]+)\/trials\/(?<scenario>[^/]+)\/(?<case>[^/]+)\/(?<trial>[^/]+)(?:\/where\/(?<search>.*)|\/(?<place>[^/]+))?$/;
const TRACE = /^\/traces\/(?<trace>[^/]+)(?:\/where\/(?<search>.*)|\/(?<place>[^/]+))?$/;
const LABELS = /^\/labels(?:\/(?<subject>.*))?$/;

/** Routes are the part after `#`: the same links work on the server and in an HTML file. */
export function App() {
  const isPart = (useProject().data?.contents.length ?? 0) > 0;
  const { routes, places } = addedPages();
  return (
    <Router hook={useHashLocation}>
      <Frame>
        <Switch>
          {(isHtmlFile || isPart) &&
            [LISTS, ...places.map(({ href }) => href)].map((path) => (
              <Route key={String(path)} path={path} component={FrontPage} />
            ))}
          {/* One route, so that the field of the filter keeps the focus while the address changes. */}
          <Route path={RUNS}>{({ filter }) => <RunsPage filter={decoded(filter ?? '')} />}</Route>
          <Route path={RUN}>
            {({ run, chosen }) => <RunPage address={{ run: decoded(run ?? ''), chosen: chosen ?? '' }} />}
          </Route>
          <Route path={OUTPUTS}>
            {({ run = '', group = '0', offset = '0' }) => (
              <OutputsPage run={decoded(run)} group={Number(group)} offset={Number(offset)} />
            )}
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
          <Route path="/judges/compared/:comparison">
            {({ comparison }) => <ComparisonPage comparison={decoded(comparison)} />}
          </Route>
          <Route path="/judges/:judge">{(params) => <JudgePage params={params} />}</Route>
          <Route path="/mutations" component={MutationsPage} />
          <Route path="/mutations/:mutation">{(params) => <MutationPage params={params} />}</Route>
          {routes.map(({ path, page }) => (
            <Route key={String(path)} path={path}>
              {(params) => page(params)}
            </Route>
          ))}
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

function NotFound() {
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        <Link href="/">All runs</Link>
      </p>
    </>
  );
}
