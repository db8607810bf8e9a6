import { isAscii, isDumb, type Terminal } from 'salvo/kit/cli';
import type { ProgressSettings } from 'salvo/kit/progress';
import { asciiSymbols, createStyle, wrap } from 'salvo/kit/report';
import { formatPlural, formatSeconds } from 'salvo/kit/stats';
import { safeLine } from 'salvo/kit/text';
import type { GameEvent, GameStage } from '../../game/played-game.ts';

const STAGE_TEXTS: Record<GameStage, string> = {
  red: 'Red hides flaws',
  gate: 'The gate checks what Red claims',
  blue: 'Blue looks for them',
  judge: 'The Judge compares',
};

const LINE_MS = 10_000;
/** The longest message of a failed stage. The report has all of it. */
const LONGEST = 1000;

/** Shows the stages of a game as they happen; in a log, where it is every ten seconds. */
export function createGameProgress(
  terminal: Pick<Terminal, 'stderr' | 'env'>,
  { quiet, now = () => performance.now() }: ProgressSettings & { now?: () => number },
): { onEvent: (event: GameEvent) => void; finish: () => void } {
  if (quiet) return { onEvent: () => {}, finish: () => {} };
  return terminal.stderr.isTTY ? stageDisplay(terminal) : stageLines(terminal, now);
}

function stageDisplay({ stderr, env }: Pick<Terminal, 'stderr' | 'env'>): ReturnType<typeof createGameProgress> {
  const style = createStyle(stderr.color);
  const dumb = isDumb(env);
  const width = () => Math.max(20, stderr.columns - 1);
  const write = (text: string) => stderr.write(isAscii(env) ? asciiSymbols(text) : text);
  const onEvent = (event: GameEvent): void => {
    // Without escape sequences a line cannot be overwritten: only finished stages are written.
    if (event.type === 'stage_started') {
      if (!dumb) write(`\r\u001b[K${style.dim(safeLine(`… ${STAGE_TEXTS[event.stage]}`, width()))}`);
      return;
    }
    const back = dumb ? '' : '\r\u001b[K';
    const failed = event.type === 'stage_failed';
    // An empty line before the scoreboard.
    const after = failed || event.type === 'judge_finished' ? '\n' : '';
    const [first = '', ...others] = wrap(safeLine(eventText(event), LONGEST), width() - 2);
    const rest = others.map((line) => `  ${line}\n`).join('');
    write(`${back}${failed ? style.red('✖') : style.green('✔')} ${first}\n${rest}${after}`);
  };
  return { onEvent, finish: () => {} };
}

function stageLines(
  { stderr, env }: Pick<Terminal, 'stderr' | 'env'>,
  now: () => number,
): ReturnType<typeof createGameProgress> {
  const startedAt = now();
  let stage: GameStage | null = null;
  const timer = setInterval(() => {
    if (stage === null) return;
    const line = `[${formatSeconds((now() - startedAt) / 1000)}] ${STAGE_TEXTS[stage]}\n`;
    stderr.write(isAscii(env) ? asciiSymbols(line) : line);
  }, LINE_MS);
  timer.unref();
  const onEvent = (event: GameEvent): void => {
    if (event.type === 'stage_started') stage = event.stage;
  };
  return { onEvent, finish: () => clearInterval(timer) };
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
      return `Blue reported ${formatPlural(event.findings, 'finding')}${event.onTwin === null ? '' : `, and ${event.onTwin} on the clean twin`}`;
    case 'judge_finished':
      return `The Judge says: ${event.found} of ${formatPlural(event.vulnerabilities, 'flaw')} found`;
    case 'stage_failed':
      return `${STAGE_TEXTS[event.stage]}: ${event.message}`;
  }
}
