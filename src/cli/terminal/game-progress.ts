import type { GameEvent, GameStage } from '../../arena/game/played-game.ts';
import { flaws } from '../../report/game/game-words.ts';
import { plainSigns } from '../../report/terminal/ascii.ts';
import { formatPlural } from '../../report/terminal/format.ts';
import { createStyle } from '../../report/terminal/style.ts';
import { safeLine } from '../../text/safe-text.ts';
import type { Terminal } from './terminal.ts';

const DOING: Record<GameStage, string> = {
  red: 'Red hides flaws',
  gate: 'The gate checks what Red claims',
  blue: 'Blue looks for them',
  judge: 'The Judge compares',
};

/** Shows the stages of a game as they happen, on a terminal; silent elsewhere. */
export function createGameProgress({ stderr, env }: Pick<Terminal, 'stderr' | 'env'>): (event: GameEvent) => void {
  if (!stderr.isTTY) return () => {};
  const style = createStyle(stderr.color);
  const isDumb = env.TERM === 'dumb';
  const line = (text: string) => safeLine(text, Math.max(20, stderr.columns - 1));
  const write = (text: string) => stderr.write(isDumb ? plainSigns(text) : text);
  return (event) => {
    // Without escape sequences nothing can be taken back: only what is over is written then.
    if (event.type === 'stage_started') {
      if (!isDumb) write(`\r\u001b[K${style.dim(line(`… ${DOING[event.stage]}`))}`);
      return;
    }
    const back = isDumb ? '' : '\r\u001b[K';
    const failed = event.type === 'stage_failed';
    // The scoreboard comes next.
    const after = failed || event.type === 'judge_finished' ? '\n' : '';
    write(`${back}${failed ? style.red('✖') : style.green('✔')} ${line(wordsOf(event))}\n${after}`);
  };
}

function wordsOf(event: Exclude<GameEvent, { type: 'stage_started' }>): string {
  switch (event.type) {
    case 'red_finished': {
      const where = event.template === null ? '' : ` of the template ${event.template}`;
      return `Red hid ${flaws(event.vulnerabilities)} in ${formatPlural(event.files, 'file')}${where}`;
    }
    case 'gate_finished': {
      const { confirmed, phantoms, unchecked } = event;
      const rest = [
        ...(phantoms > 0 ? [`${formatPlural(phantoms, 'phantom')}`] : []),
        ...(unchecked > 0 ? [`${unchecked} not checked`] : []),
      ];
      return `The gate confirmed ${flaws(confirmed)}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`;
    }
    case 'blue_finished':
      return `Blue reported ${formatPlural(event.findings, 'finding')}`;
    case 'judge_finished':
      return `The Judge says: ${event.found} of ${flaws(event.vulnerabilities)} found`;
    case 'stage_failed':
      return `${DOING[event.stage]}: ${event.message}`;
  }
}
