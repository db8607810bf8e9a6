import { addPages, decoded } from 'salvo/viewer-parts';
import { PAGE } from '../../src/app/view/page-hrefs.ts';
import { ExperimentPage } from './pages/experiment/experiment-page.tsx';
import { ExperimentsPage } from './pages/experiments/experiments-page.tsx';
import { GamePage, PlayedGamePage } from './pages/game/game-page.tsx';
import { GamesPage } from './pages/games/games-page.tsx';
import { ScoreBluePage } from './pages/score/score-blue-page.tsx';
import { ScorePage } from './pages/score/score-page.tsx';

const GAMES = /^\/experiments\/(?<experiment>[^/]+)\/games(?:\/where\/(?<filter>.*))?$/;
const GAME = /^\/experiments\/(?<experiment>[^/]+)\/games\/(?<game>[^/]+)(?:\/(?<kind>flaw|finding)\/(?<index>\d+))?$/;
const PLAYED_GAME = /^\/game(?:\/(?<kind>flaw|finding)\/(?<index>\d+))?$/;
const SCORE_BLUE = /^\/score\/(?<blue>\d{1,6})(?:\/(?<kind>flaw|finding)\/(?<index>\d+))?$/;

addPages({
  places: [{ name: 'Experiments', href: PAGE.experiments }],
  chosen: [/\/(?:flaw|finding)\/\d+$/],
  routes: [
    { path: PAGE.experiments, page: () => <ExperimentsPage /> },
    {
      path: `${PAGE.experiments}/:experiment`,
      page: ({ experiment = '' }) => <ExperimentPage params={{ experiment }} />,
    },
    {
      path: GAMES,
      page: ({ experiment = '', filter = '' }) => (
        <GamesPage experiment={decoded(experiment)} filter={decoded(filter)} />
      ),
    },
    {
      path: GAME,
      page: ({ experiment = '', game = '', kind, index }) => (
        <GamePage params={{ experiment: decoded(experiment), game: decoded(game), kind, index }} />
      ),
    },
    { path: PLAYED_GAME, page: (params) => <PlayedGamePage params={params} /> },
    { path: PAGE.score, page: () => <ScorePage /> },
    {
      path: SCORE_BLUE,
      page: ({ blue, kind, index }) => <ScoreBluePage params={{ blue: Number(blue), kind, index }} />,
    },
  ],
});
