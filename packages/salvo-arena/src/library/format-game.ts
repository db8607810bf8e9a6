import { documentJson } from 'salvo/kit/cli';
import { type TextLook, wholeLook } from 'salvo/kit/library';
import { harmlessJson, SalvoError } from 'salvo/kit/text';
import { kindOf } from '../app/documents/document-kinds.ts';
import type { NamedGame } from '../app/games/play-game.ts';

/** `terminal` is what `salvo game` prints; `sarif` has the flaws that evaded Blue. */
export type GameFormat = 'terminal' | 'json' | 'sarif';

export interface FormatGameOptions extends TextLook {
  format: GameFormat;
  /** The folder that the game was written to: `sarif` refers to the code in it. */
  out?: string | undefined;
}

/** What `playGame` returns, as a text. A game that failed has no `sarif`: that would say that nothing evaded Blue. */
export async function formatGame(
  { played, gate }: NamedGame,
  { format, out, ...look }: FormatGameOptions,
): Promise<string> {
  const { gameResult, renderGame } = await import('../report/game/game-report.ts');
  switch (format) {
    case 'terminal':
      return renderGame(played, { ...wholeLook(look), messages: gate.messages });
    case 'json':
      return documentJson(kindOf('game'), { ...gameResult(played), gate });
    case 'sarif': {
      const { gameSarif } = await import('../report/game/game-sarif.ts');
      const sarif = gameSarif(played, out);
      if (!sarif)
        throw new SalvoError('GAME_UNSCORED', `The game failed, so that nothing was scored: ${played.game.error}`);
      return `${harmlessJson(sarif, 2)}\n`;
    }
  }
}
