import { basename } from 'node:path';
import { answer, type Hono, type ViewedResult, wholeNumber } from 'salvo/kit/server';
import { playedCode, playedView, type UnstoredGame } from '../app/view/game-view.ts';
import { PAGE } from '../app/view/page-hrefs.ts';
import { scoreBlueView, scoreCode, scoreView } from '../app/view/score-view.ts';
import type { ScoreSheet } from '../report/score/score-sheet.ts';

/** What `salvo score --view` shows. */
export function viewedScore(sheet: ScoreSheet): ViewedResult {
  const page = { name: 'Score', href: PAGE.score };
  return { name: basename(sheet.red.file), page, addRoutes: (api) => scoreRoutes(api, sheet) };
}

/** What `salvo game --view` shows. */
export function viewedGame(game: UnstoredGame): ViewedResult {
  const page = { name: 'Game', href: PAGE.game };
  return { name: game.played.game.task, page, addRoutes: (api) => gameRoutes(api, game) };
}

function scoreRoutes(api: Hono, sheet: ScoreSheet) {
  return api
    .get('/score', (context) => answer(context, scoreView(sheet)))
    .get('/score/code', (context) => answer(context, scoreCode(sheet)))
    .get('/score/blues/:blue', (context) =>
      answer(context, scoreBlueView(sheet, wholeNumber('blue', context.req.param('blue')))),
    );
}

function gameRoutes(api: Hono, game: UnstoredGame) {
  return api
    .get('/game', (context) => answer(context, playedView(game)))
    .get('/game/code', (context) => answer(context, playedCode(game.played)));
}

/**
 * Routes about a result that is not stored, with what they take and answer.
 *
 * @internal For the client of the pages.
 */
export type ScoreApi = ReturnType<typeof scoreRoutes>;
/** @internal For the client of the pages. */
export type GameApi = ReturnType<typeof gameRoutes>;
