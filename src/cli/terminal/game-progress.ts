import type { GameEvent, GameStage } from '../../arena/game/played-game.ts';
import { formatPlural } from '../../report/terminal/format.ts';
import { asciiSymbols } from '../../report/terminal/look.ts';
import { createStyle } from '../../report/terminal/style.ts';
import { safeLine } from '../../text/safe-text.ts';
import { isDumb } from './print-result.ts';
import type { Terminal } from './terminal.ts';

const STAGE_TEXTS: Record<GameStage, string> = {
  red: 'Red hides flaws',
  gate: 'The gate checks what Red claims',
  blue: 'Blue looks for them',
  judge: 'The Judge compares',
};

/** Shows the stages of a game as they happen. Silent unless stderr is a terminal. */
export function createGameProgress({ stderr, env }: Pick<Terminal, 'stderr' | 'env'>): (event: GameEvent) => void {
  if (!stderr.isTTY) return () => {};
  const style = createStyle(stderr.color);
  const dumb = isDumb(env);
  const line = (text: string) => safeLine(text, Math.max(20, stderr.columns - 1));
  const write = (text: string) => stderr.write(dumb ? asciiSymbols(text) : text);
  return (event) => {
    // Without escape sequences a line cannot be overwritten: only finished stages are written.
    if (event.type === 'stage_started') {
      if (!dumb) write(`\r\u001b[K${style.dim(line(`… ${STAGE_TEXTS[event.stage]}`))}`);
      return;
    }
    const back = dumb ? '' : '\r\u001b[K';
    const failed = event.type === 'stage_failed';
    // An empty line before the scoreboard.
    const after = failed || event.type === 'judge_finished' ? '\n' : '';
    write(`${back}${failed ? style.red('✖') : style.green('✔')} ${line(eventText(event))}\n${after}`);
  };
}

function eventText(event: Exclude<GameEvent, { type: 'stage_started' }>): string {
  switch (event.type) {
    case 'red_finished': {
      const where = event.template === null ? '' : ` of the template ${event.template}`;
      return `Red hid ${formatPlural(event.vulnerabilities, 'flaw')} in ${formatPlural(event.files, 'file')}${where}`;
    }
    case 'gate_finished': {
      const { confirmed, phantoms, unchecked } = event;
      const rest = [
        ...(phantoms > 0 ? [`${formatPlural(phantoms, 'phantom')}`] : []),
        ...(unchecked > 0 ? [`${unchecked} not checked`] : []),
      ];
      return `The gate confirmed ${formatPlural(confirmed, 'flaw')}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`;
    }
    case 'blue_finished':
      return `Blue reported ${formatPlural(event.findings, 'finding')}`;
    case 'judge_finished':
      return `The Judge says: ${event.found} of ${formatPlural(event.vulnerabilities, 'flaw')} found`;
    case 'stage_failed':
      return `${STAGE_TEXTS[event.stage]}: ${event.message}`;
  }
}
