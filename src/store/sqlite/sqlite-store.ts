import { type Trace, traceSchema } from '../../trace/trace.ts';
import type { Store } from '../store.ts';
import { traceIdOf } from '../stored-documents.ts';
import { blobTable, type Write } from './blob-table.ts';
import { calibrationTable } from './calibration-table.ts';
import { asJson, decoder, encode } from './document-codec.ts';
import { experimentTable } from './experiment-table.ts';
import { gameTable } from './game-table.ts';
import { openDatabase } from './open-database.ts';
import { runTable } from './run-table.ts';
import { trialTable } from './trial-table.ts';
import { waitForLock } from './wait-for-lock.ts';
import { writeQueue } from './write-queue.ts';

const PAGE_SIZE = 100;

/** A store in one SQLite file, which any number of processes can share. `:memory:` is a store without a file. */
export async function openSqliteStore({ file }: { file: string }): Promise<Store> {
  const database = await openDatabase(file);
  const queue = writeQueue(database, file);
  const blobs = blobTable(database, file);
  const decode = decoder(file, blobs);
  const runs = runTable({ database, file, decode });
  const trials = trialTable({ database, file, decode });
  const calibrations = calibrationTable(database, decode);
  const experiments = experimentTable(database, decode);
  const games = gameTable(database, decode);
  const insertTrace = database.prepare('INSERT OR IGNORE INTO traces (trace_id, document) VALUES (?, ?)');
  const selectTrace = database.prepare('SELECT document FROM traces WHERE trace_id = ?');
  const selectTraceIds = database.prepare(
    'SELECT trace_id FROM traces WHERE trace_id >= ? AND trace_id < ? || char(1114111) ORDER BY rowid DESC LIMIT ?',
  );

  async function write({ blobs: texts, change }: Write): Promise<void> {
    await queue.write(() => {
      blobs.insert(texts);
      change();
    });
    blobs.committed(texts);
  }
  const read = <T>(query: () => T): Promise<T> => waitForLock(file, query);

  return {
    async createRun(run) {
      await write(runs.create(run));
    },
    async updateRun(runId, change) {
      await write(runs.update(runId, change));
    },
    getRun: (runId) => read(() => runs.get(runId)),
    listRuns: ({ limit } = {}) => read(() => runs.list(limit)),
    findRunIds: (prefix, limit) => read(() => runs.findIds(prefix, limit)),

    async saveTrace(trace: Trace) {
      const traceId = asJson('A trace', () => traceIdOf(trace));
      const { document, blobs: texts } = encode('A trace', trace);
      await write({ blobs: texts, change: () => insertTrace.run(traceId, document) });
      return traceId;
    },
    getTrace: (traceId) =>
      read(() => {
        const document = selectTrace.get(traceId)?.document;
        return document === undefined ? null : decode(`The trace ${traceId}`, traceSchema, String(document));
      }),
    findTraceIds: (prefix, limit) =>
      read(() => selectTraceIds.all(prefix, prefix, limit).map((row) => String(row.trace_id))),
    findTrialOfTrace: (traceId) => read(() => trials.ofTrace(traceId)),

    async saveTrial(trial) {
      await write(trials.save(trial));
    },
    async *trials(runId, { scenarioIndex } = {}) {
      let after = { scenario_index: -1, trial_number: -1 };
      for (;;) {
        const page = await read(() => trials.page({ runId, scenarioIndex, after, size: PAGE_SIZE }));
        yield* page;
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE_SIZE) return;
        after = last;
      }
    },

    async saveCalibration(record) {
      await write(calibrations.save(record));
    },
    getCalibration: (judgeHash) => read(() => calibrations.get(judgeHash)),

    async saveExperiment(experiment) {
      await write(experiments.save(experiment));
    },
    async claimExperiment(experiment, refuse) {
      const { blobs: texts, change } = experiments.save(experiment);
      await write({
        blobs: texts,
        change() {
          const stored = experiments.get(experiment.experiment_id);
          if (stored) refuse(stored);
          change();
        },
      });
    },
    getExperiment: (experimentId) => read(() => experiments.get(experimentId)),
    listExperiments: ({ limit } = {}) => read(() => experiments.list(limit)),
    findExperimentIds: (prefix, limit) => read(() => experiments.findIds(prefix, limit)),
    async saveGame(game) {
      await write(games.save(game));
    },
    async *games(experimentId) {
      let after = '';
      for (;;) {
        const page = await read(() => games.page({ experimentId, after, size: PAGE_SIZE }));
        yield* page;
        const last = page.at(-1);
        if (last === undefined || page.length < PAGE_SIZE) return;
        after = last.game_id;
      }
    },
    async saveCode(experimentId, codeKey, outcome) {
      await write(games.saveCode(experimentId, codeKey, outcome));
      return true;
    },
    getCode: (experimentId, codeKey) => read(() => games.getCode(experimentId, codeKey)),

    async close() {
      await queue.drained();
      if (database.isOpen) database.close();
    },
  };
}
