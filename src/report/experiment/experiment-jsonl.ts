import type { Game } from '../../arena/game/game-document.ts';
import { harmlessJson } from '../../text/harmless-json.ts';
import { createChunkedWriter, type Write } from '../terminal/chunked-writer.ts';

/** One game per line, whole: with every vulnerability and whether it was found, from which all figures can be computed. */
export async function writeExperimentJsonl(
  games: AsyncIterable<Game> | Iterable<Game>,
  { write }: { write: Write },
): Promise<void> {
  const { add, flush } = createChunkedWriter(write);
  for await (const game of games) await add(`${harmlessJson(game)}\n`);
  await flush();
}
