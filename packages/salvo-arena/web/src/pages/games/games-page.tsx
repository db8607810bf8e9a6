import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { Crumbs, formatPercent, formatSeconds, ScrollRegion, usePageTitle, visibleText } from 'salvo/viewer-parts';
import { Link, useLocation } from 'wouter';
import type { GameLine } from '../../../../src/app/view/experiment-view.ts';
import { experimentHref, type GameFilter, gameHref, gamesHref, PAGE } from '../../../../src/app/view/page-hrefs.ts';
import { useGames } from '../experiments/api.ts';
import { FILTER_FIELDS, fieldOf, fits, gameOutcome, OUTCOMES, readFilter } from './game-filter.ts';
import { GameOutcomeBadge } from './game-outcome-badge.tsx';
import styles from './games-page.module.css';

/** All games of an experiment. The filter is part of the address. */
export function GamesPage({ experiment, filter: text }: { experiment: string; filter: string }) {
  const pages = useGames(experiment);
  const name = pages.data?.pages[0]?.experiment.name ?? experiment;
  usePageTitle(`Games of ${name}`);
  const games = useMemo(() => pages.data?.pages.flatMap((page) => page.games) ?? [], [pages.data]);
  const filter = useMemo(() => readFilter(text), [text]);
  const shown = useMemo(() => games.filter((game) => fits(game, filter)), [games, filter]);
  return (
    <>
      <Crumbs
        above={[
          { href: PAGE.experiments, name: 'Experiments' },
          { href: experimentHref(experiment), name },
        ]}
      />
      <h1>Games</h1>
      <Filters experiment={experiment} games={games} filter={filter} />
      <p role="status">
        {pages.isPending ? 'Loading…' : `${shown.length} of ${games.length} games`}
        {pages.error?.message}
      </p>
      {shown.length > 0 && <GameList experiment={experiment} games={shown} />}
    </>
  );
}

function Filters({ experiment, games, filter }: { experiment: string; games: GameLine[]; filter: GameFilter }) {
  const [, navigate] = useLocation();
  const options = useMemo(
    () =>
      FILTER_FIELDS.map((field) => {
        const known = new Set(games.map((game) => fieldOf(game, field)));
        const values = field === 'outcome' ? OUTCOMES.filter((each) => known.has(each)) : [...known];
        return { field, values };
      }),
    [games],
  );
  const isFiltered = FILTER_FIELDS.some((field) => filter[field] !== '');
  return (
    <div className={styles.filters}>
      {options.map(({ field, values }) => (
        <label key={field}>
          {field === 'red' || field === 'blue' ? `${field} team` : field}
          <select
            value={filter[field]}
            onChange={({ target }) =>
              navigate(gamesHref(experiment, { ...filter, [field]: target.value }), { replace: true })
            }
          >
            <option value="">any</option>
            {filter[field] !== '' && !values.some((value) => value === filter[field]) && (
              <option value={filter[field]}>{visibleText(filter[field])}</option>
            )}
            {values.map((value) => (
              <option key={value} value={value}>
                {visibleText(value)}
              </option>
            ))}
          </select>
        </label>
      ))}
      {isFiltered && <Link href={gamesHref(experiment)}>Show all</Link>}
    </div>
  );
}

const ROW_HEIGHT = 36;
const COLUMNS = ['Task', 'Red', 'Blue', 'Setting', 'Outcome', 'Found', 'False alarms', 'F1', 'Duration'];
const NUMBERS = 5;

function GameList({ experiment, games }: { experiment: string; games: GameLine[] }) {
  const list = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: games.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  return (
    <ScrollRegion name="Games">
      {/* biome-ignore lint/a11y/useSemanticElements: rows of a virtual list are placed absolutely. */}
      <div role="table" aria-label="Games" aria-rowcount={games.length + 1}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div role="rowgroup">
          {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: a row of a table is not interactive. */}
          <div role="row" className={styles.head} aria-rowindex={1}>
            {COLUMNS.map((name, index) => (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: nothing happens on a header.
              <span key={name} role="columnheader" className={index >= NUMBERS ? 'number' : undefined}>
                {name}
              </span>
            ))}
          </div>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div role="rowgroup" ref={list} className={styles.list} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const game = games[index];
            if (!game) return null;
            return (
              <GameRow
                key={key}
                experiment={experiment}
                game={game}
                index={index}
                top={start - virtual.options.scrollMargin}
              />
            );
          })}
        </div>
      </div>
    </ScrollRegion>
  );
}

function GameRow({ experiment, game, index, top }: { experiment: string; game: GameLine; index: number; top: number }) {
  const isScored = game.status === 'scored';
  const setting = `${game.difficulty}, ${game.language}, ${game.strategy}${game.repetition > 0 ? `, repetition ${game.repetition + 1}` : ''}`;
  const cells = [
    <Link key="task" href={gameHref(experiment, game.game_id)}>
      {visibleText(game.task)}
    </Link>,
    visibleText(game.red),
    visibleText(game.blue),
    <span key="setting" title={setting}>
      {game.difficulty} · {game.language === 'terraform' ? 'tf' : 'cfn'}
    </span>,
    <GameOutcomeBadge key="outcome" outcome={gameOutcome(game)} />,
    isScored ? `${game.found} of ${game.flaws}` : '—',
    isScored ? game.false_alarms : '—',
    formatPercent(game.f1),
    formatSeconds(game.duration_seconds),
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual list are placed absolutely.
    // biome-ignore lint/a11y/useFocusableInteractive: a row of a table is not interactive.
    <div role="row" aria-rowindex={index + 2} className={styles.row} style={{ transform: `translateY(${top}px)` }}>
      {cells.map((cell, column) => (
        // biome-ignore lint/a11y/useSemanticElements: as above.
        <span key={COLUMNS[column]} role="cell" className={column >= NUMBERS ? 'number' : 'cut'}>
          {cell}
        </span>
      ))}
    </div>
  );
}
