import { isDeepStrictEqual } from 'node:util';
import type { GameSheet } from '../../../../salvo-arena/src/game/game-sheet.ts';
import type { RedOutcome } from '../../../../salvo-arena/src/red/red-team.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import { traceSchema } from '../../trace/trace.ts';
import type { JobRecorder, Store } from '../store.ts';
import { runChangeSchema, runRecordSchema, storedTrialSchema } from '../stored-documents.ts';
import { createDocumentRedactor, type RecordingMode } from './redact-document.ts';

// A run stores none of these documents, so their schemas are loaded when one is stored.
const gameDocument = () => import('../../../../salvo-arena/src/game/game-document.ts');
const gameSheetDocument = () => import('../../../../salvo-arena/src/game/game-sheet.ts');
const experimentDocument = () => import('../../../../salvo-arena/src/experiment/experiment-record.ts');
const calibrationDocument = () => import('../../judge/calibration/calibration-record.ts');
const labelDocument = () => import('../../judge/calibration/human-label.ts');

/**
 * A store that no secret gets into. The one place where redaction happens; documents are read as they were stored.
 * Every method is written out, so that a method added to `Store` does not compile until it is written here, too.
 */
export function redactingStore(store: Store, options: { redactor: Redactor; mode: RecordingMode }): Store {
  const { redactor, mode } = options;
  const redact = createDocumentRedactor(options);
  // Without its texts, a sheet says nothing that the game does not say.
  const keptSheet = async (sheet: GameSheet | null | undefined): Promise<GameSheet | null> =>
    mode === 'metadata_only' || !sheet ? null : redact((await gameSheetDocument()).gameSheetSchema, sheet);
  // Redacted code is other code: its games could not be compared with the others.
  const mayKeepCode = (outcome: RedOutcome): boolean =>
    mode !== 'metadata_only' && isDeepStrictEqual(redactor.value(outcome), outcome);
  const results = (recorder: JobRecorder): JobRecorder => ({
    saveTrace: (trace, trial) => recorder.saveTrace(redact(traceSchema, trace), trial),
    getTrace: (traceId) => recorder.getTrace(traceId),
    saveTrial: (trial) => recorder.saveTrial(redact(storedTrialSchema, trial)),
    getTrial: (runId, place) => recorder.getTrial(runId, place),
    saveGame: async (game, sheet) =>
      recorder.saveGame(redact((await gameDocument()).gameSchema, game), await keptSheet(sheet)),
    saveCode: async (experimentId, codeKey, outcome) =>
      mayKeepCode(outcome) && recorder.saveCode(experimentId, codeKey, outcome),
    getCode: (experimentId, codeKey) => recorder.getCode(experimentId, codeKey),
    addLostCost: (experimentId, lost) => recorder.addLostCost(experimentId, lost),
  });
  const { workforce, imports, saveFinished } = store;
  return {
    ...results(store),
    saveFinished:
      saveFinished && ((trace, trial) => saveFinished(redact(traceSchema, trace), redact(storedTrialSchema, trial))),
    workforce: workforce && {
      queue: workforce.queue,
      ledger: workforce.ledger,
      ofJob: (fence) => results(workforce.ofJob(fence)),
      addEarlierCost: (trial, cost) => workforce.addEarlierCost(trial, cost),
      cursorOf: (work) => workforce.cursorOf(work),
      changedTrials: (runId, cursor) => workforce.changedTrials(runId, cursor),
      changedGames: (experimentId, cursor) => workforce.changedGames(experimentId, cursor),
    },

    imports: imports && {
      importRun: (run, trials) =>
        imports.importRun(redact(runRecordSchema, run), async function* () {
          for await (const { trial, trace } of trials()) {
            yield { trial: redact(storedTrialSchema, trial), trace: trace && redact(traceSchema, trace) };
          }
        }),
      importExperiment: async (experiment, { games, codes, lostUsd }) =>
        imports.importExperiment(redact((await experimentDocument()).experimentRecordSchema, experiment), {
          async *games() {
            const { gameSchema } = await gameDocument();
            for await (const { game, sheet } of games()) {
              yield { game: redact(gameSchema, game), sheet: await keptSheet(sheet) };
            }
          },
          async *codes() {
            for await (const code of codes()) if (mayKeepCode(code.outcome)) yield code;
          },
          lostUsd,
        }),
    },
    describe: () => store.describe(),

    claim: (work) => store.claim(work),
    holderOf: (work) => store.holderOf(work),
    askToStop: (work) => store.askToStop(work),

    createRun: (run) => store.createRun(redact(runRecordSchema, run)),
    updateRun: (runId, change) => store.updateRun(runId, redact(runChangeSchema, change)),
    getRun: (runId) => store.getRun(runId),
    listRuns: (query) => store.listRuns(query),
    runFigures: (runIds, onUnreadable) => store.runFigures(runIds, onUnreadable),
    storedRows: (runId) => store.storedRows(runId),
    runRevisions: () => store.runRevisions(),
    findRunIds: (prefix, limit) => store.findRunIds(prefix, limit),
    deleteRun: (runId) => store.deleteRun(runId),
    restoreRun: (runId) => store.restoreRun(runId),
    removeForGood: (ids) => store.removeForGood(ids),
    purgeDeletedRuns: (olderThanSeconds) => store.purgeDeletedRuns(olderThanSeconds),

    findTraceIds: (prefix, limit) => store.findTraceIds(prefix, limit),
    findTrialOfTrace: (traceId) => store.findTrialOfTrace(traceId),

    trials: (runId, query) => store.trials(runId, query),
    trialOutcomes: (runId, page) => store.trialOutcomes(runId, page),
    trialHeads: (runId) => store.trialHeads(runId),
    version: () => store.version(),

    saveCalibration: async (record) =>
      store.saveCalibration(redact((await calibrationDocument()).calibrationRecordSchema, record)),
    deleteCalibration: (judgeHash) => store.deleteCalibration(judgeHash),
    getCalibration: (judgeHash) => store.getCalibration(judgeHash),
    listCalibrations: (query) => store.listCalibrations(query),

    saveLabel: async (label) => store.saveLabel(redact((await labelDocument()).humanLabelSchema, label)),
    deleteLabel: (labelId) => store.deleteLabel(labelId),
    listLabels: (query) => store.listLabels(query),

    saveExperiment: async (experiment) =>
      store.saveExperiment(redact((await experimentDocument()).experimentRecordSchema, experiment)),
    getExperiment: (experimentId) => store.getExperiment(experimentId),
    listExperiments: (query) => store.listExperiments(query),
    findExperimentIds: (prefix, limit) => store.findExperimentIds(prefix, limit),
    games: (experimentId) => store.games(experimentId),
    lostCost: (experimentId) => store.lostCost(experimentId),
    gamePage: (experimentId, page) => store.gamePage(experimentId, page),
    codeKeys: (experimentId) => store.codeKeys(experimentId),
    getGame: (experimentId, gameId) => store.getGame(experimentId, gameId),
    close: () => store.close(),
  };
}
