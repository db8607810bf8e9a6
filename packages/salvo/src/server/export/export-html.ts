import { findSubject } from '../../app/view/find-subject.ts';
import { compareHref, trialPath } from '../../app/view/page-hrefs.ts';
import type { EmbedFile } from '../../app/view/trial/file-view.ts';
import { type AboutProject, storeOf, type ViewedProject } from '../../app/view/viewed-project.ts';
import type { ViewerDoor } from '../../app/view/viewer-door.ts';
import { openDoors } from '../../extension/load-extension.ts';
import type { Store } from '../../store/store.ts';
import { pageFolder } from '../page-files.ts';
import { viewerApi } from '../viewer-app.ts';
import { answerChunks } from './answer-chunks.ts';
import { type Ask, recording, recordingClient } from './recording-client.ts';
import { type ExportedTrials, runAnswers, trialAnswers } from './run-answers.ts';
import { standalonePage } from './standalone-page.ts';

export interface ExportHtmlOptions {
  viewed: ViewedProject;
  /** As in `findSubject`. */
  what: readonly string[];
  trials: ExportedTrials;
  /** The folder of the built pages, if it is not the one of the package. */
  pages?: URL | undefined;
  /** What packages add, if it is not what the installed ones do. */
  doors?: readonly ViewerDoor[] | undefined;
}

/** Writes the viewer and the answers to everything that its pages ask about these results, as one HTML file. */
export async function exportHtml(options: ExportHtmlOptions, write: (html: string) => Promise<void>): Promise<void> {
  const { viewed, doors = await openDoors('viewer') } = options;
  const whole = await storeOf(viewed);
  const subjects = await Promise.all(options.what.map((words) => findSubject(whole, words, doors)));
  const runIds = subjects.flatMap((subject) => (subject.kind === 'run' ? [subject.id] : []));
  const store = storeOfRuns(whole, runIds);
  const about: AboutProject = {
    ...(await viewed.about()),
    live: false,
    contents: subjects.map(({ name, href }) => ({ name, href })),
  };
  const api = viewerApi(
    { ...viewed, store: async () => store, about: async () => about, embed: embedding() },
    { rights: [], doors },
  );
  const chunks = answerChunks(write);
  const asked = new Set<string>();
  const askPath = recording(api, async (path, answer) => {
    if (!asked.has(path)) await chunks.add(path, answer);
    asked.add(path);
  });
  const ask = recordingClient(askPath);
  // Too many runs, or runs that have nothing in common, cannot be compared.
  const isCompared = (await api.request(ask.compare.$path({ query: { run: runIds } }))).ok;
  if (isCompared) about.contents.unshift({ name: 'Comparison', href: compareHref(runIds) });
  const page = await standalonePage(options.pages ?? pageFolder(), {
    title: `${about.contents[0]?.name} · Salvo`,
    added: doors.map(({ pages }) => pages),
  });
  await write(page.head);
  await ask.project.$get();
  for (const subject of subjects) {
    if (subject.kind === 'run') await runAnswers(ask, subject.id, options.trials);
    else await subject.answers(askPath);
  }
  if (isCompared) await compareAnswers(ask, runIds);
  await chunks.end();
  await write(page.tail);
}

/** Of one image, and of all of them: a file of hundreds of megabytes opens in no browser. */
const MOST_IMAGE_BYTES = 1024 * 1024;
const MOST_BYTES_OF_IMAGES = 20 * 1024 * 1024;

function embedding(): EmbedFile {
  let left = MOST_BYTES_OF_IMAGES;
  return (bytes) => {
    if (bytes > MOST_IMAGE_BYTES || bytes > left) return false;
    left -= bytes;
    return true;
  };
}

/** Lists only these runs. Every trial is asked for with its run, which may be large: that is read once. */
function storeOfRuns(store: Store, runIds: string[]): Store {
  const known = new Map<string, ReturnType<Store['getRun']>>();
  const getRun: Store['getRun'] = (runId) => {
    const run = known.get(runId) ?? store.getRun(runId);
    known.set(runId, run);
    return run;
  };
  // A case is flaky if it passed and failed at one commit, in whatever run.
  const listRuns: Store['listRuns'] = (list = {}) =>
    store.listRuns(list.commit === undefined ? { ...list, runIds } : list);
  const runFigures: Store['runFigures'] = (ids) => store.runFigures(ids.filter((id) => runIds.includes(id)));
  return { ...store, getRun, listRuns, runFigures };
}

/** Everything that a comparison and its pairs of conversations ask for. The others are compared with the first run. */
async function compareAnswers(ask: Ask, runIds: readonly string[]): Promise<void> {
  const { rows } = await (await ask.compare.$get({ query: { run: [...runIds] } })).json();
  const pairs = rows.flatMap(({ others }) => others.flatMap((cell) => cell?.pairs ?? []));
  for (const { base, next } of pairs) {
    await ask.compare.traces.$get({ query: { base: trialPath(base), next: trialPath(next) } });
    for (const trial of [base, next]) await trialAnswers(ask, trial.run_id, trial);
  }
}
