import { Route, Router, Switch } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { NotFound } from './pages/not-found.tsx';
import { RunPage } from './pages/run/run-page.tsx';
import { RunsPage } from './pages/runs/runs-page.tsx';
import { Frame } from './parts/frame.tsx';

/** Routes are the part after `#`: the same links work on the server and in an HTML file. */
export function App() {
  return (
    <Router hook={useHashLocation}>
      <Frame>
        <Switch>
          <Route path="/" component={RunsPage} />
          <Route path="/runs" component={RunsPage} />
          <Route path="/runs/:run" component={RunPage} />
          <Route component={NotFound} />
        </Switch>
      </Frame>
    </Router>
  );
}
