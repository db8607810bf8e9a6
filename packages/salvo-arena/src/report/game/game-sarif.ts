import type { PlayedGame } from '../../game/played-game.ts';
import { scoreSarif } from '../score/score-sarif.ts';

/**
 * The flaws of a game that evaded Blue, as SARIF 2.1.0; null if nothing was scored. Flaws are at the code in the folder
 * of the game, if it was written.
 */
export function gameSarif({ game, scored, results }: PlayedGame, folder: string | undefined) {
  if (!results) return null;
  const vulnerabilities = scored.map((each) =>
    folder === undefined || !each.file ? each : { ...each, file: `${folder}/code/${each.file}` },
  );
  const manifest = folder === undefined ? 'scored_manifest.json' : `${folder}/scored_manifest.json`;
  return scoreSarif({ red: { file: manifest, vulnerabilities }, blues: [{ name: game.blue, results }] });
}
