import type { WorkEvent } from '../../queue/conduct.ts';
import { createProgress, type Progress } from '../../report/terminal/progress.ts';
import { NO_COST } from '../../stats/cost.ts';
import { safeBlock } from '../../text/output/safe-text.ts';
import { isAscii, isDumb } from './print-result.ts';
import type { Terminal } from './terminal.ts';

type ProgressState = Parameters<Progress['update']>[0];

export interface ProgressSettings {
  /** No progress and no failures before the report. What Ctrl-C does is still said. */
  quiet?: boolean | undefined;
  /** Others do the work: Ctrl-C only leaves, which is said at the end. */
  isFollowed?: boolean | undefined;
}

/** Shows what is heard of one kind of work. */
export interface EventDisplay<Event> {
  onEvent(event: Event): void;
  finish(): void;
}

const MOST_FAILURES = 20;
const MOST_NAMES = 3;

/** Live progress of trials, games or judgements. `stopNote` says what Ctrl-C does, when it is pressed. */
export function createWorkProgress(
  { stderr, env, stop }: Pick<Terminal, 'stderr' | 'env' | 'stop'>,
  {
    stopNote,
    quiet,
    isFollowed = false,
    now = () => performance.now(),
  }: ProgressSettings & { stopNote: string; now?: () => number },
) {
  const state: ProgressState = {
    done: 0,
    passed: 0,
    failed: 0,
    unscored: 0,
    running: 0,
    retries: 0,
    cost: NO_COST,
    judgeCost: NO_COST,
  };
  const underWay = new Map<string, number>();
  const kinds = new Set<string>();
  let saysMore = false;
  let display: Progress | null = null;
  const onStop = (): void => {
    if (!isFollowed) display?.note(stopNote);
  };
  stop.addEventListener('abort', onStop);
  const note = (text: string): void => {
    if (display) display.note(safeBlock(text));
    else stderr.write(`${safeBlock(text)}\n`);
  };
  const show = (): void => display?.update({ ...state });
  const change = (name: string, by: number): void => {
    const count = (underWay.get(name) ?? 0) + by;
    if (count > 0) underWay.set(name, count);
    else underWay.delete(name);
    state.running += by;
    state.current = nameList([...underWay.keys()]);
  };
  return {
    /** What the display shows. Change it, then call `show`. */
    state,
    /** Opens the display. `done` items were finished by an earlier process. */
    start(total: number, done = 0): void {
      state.done = done;
      display = createProgress({ output: stderr, total, done, now, dumb: isDumb(env), ascii: isAscii(env), quiet });
      show();
    },
    /** Work on something of this name begins, or has ended. */
    begin: (name: string) => change(name, 1),
    // What workers have under way was never begun here.
    end(name: string): void {
      if (underWay.has(name)) change(name, -1);
    },
    /**
     * Something failed: shown at once, so that nobody waits for the end to learn it. Only the first few, and of those of
     * the same kind only the first.
     */
    failure(text: string, kind = text): void {
      const isNew = !kinds.has(kind) && kinds.size < MOST_FAILURES;
      if (isNew) kinds.add(kind);
      if (quiet || (!isNew && saysMore)) return;
      saysMore ||= !isNew;
      display?.note(isNew ? text : 'Further failures like these are counted, and shown in the report.');
    },
    /** Something that the user should know now, whatever the settings are. */
    note,
    /** What is heard of work of every kind. */
    onWorkEvent(event: WorkEvent): void {
      // The work stops as after Ctrl-C, because somebody asked for it elsewhere.
      if (event.type === 'stop_asked') onStop();
      else if (event.type === 'under_way') state.running = event.jobs;
      else note(event.reason);
    },
    show,
    finish(): void {
      stop.removeEventListener('abort', onStop);
      display?.finish();
      // On a terminal the report follows at once.
      if (kinds.size > 0 && !quiet && stderr.isTTY) stderr.write('\n');
    },
  };
}

function nameList(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
