import type { Lease, Work } from 'salvo/kit/queue';
import {
  selectReadable,
  type TableEngine,
  type TableStore,
  type TableWrite,
  type TendedTables,
  upsert,
  type WorkModule,
} from 'salvo/kit/store';
import {
  type ExperimentRecord,
  type ExperimentRecorder,
  experimentRecordSchema,
} from '../experiment/experiment-record.ts';
import { EXPERIMENT_MIGRATIONS } from './experiment-schema.ts';
import { gameTables, type StoredGames } from './game-tables.ts';

export interface UnreadableExperiment {
  experiment_id: string;
  /** What is wrong with it. */
  why: string;
}

/** Experiments, their games, and the code that these are played on. */
export interface ExperimentTables extends Omit<ExperimentRecorder, 'claim'>, StoredGames, TendedTables {
  /** The newest first, in the order of their creation. Those that can't be read are left out. */
  listExperiments(options?: {
    limit?: number;
    onUnreadable?: (experiment: UnreadableExperiment) => void;
  }): Promise<ExperimentRecord[]>;
  /** Ids that begin with `prefix`, newest first, at most `limit`. */
  findExperimentIds(prefix: string, limit: number): Promise<string[]>;
}

/** All that a store keeps of experiments. */
export type ExperimentStore = ExperimentTables & ExperimentRecorder;

export function experimentsOf(store: TableStore & { claim(work: Work): Promise<Lease> }): ExperimentStore {
  return { claim: store.claim, ...store.tables(experimentModule) };
}

export const experimentModule: WorkModule<ExperimentTables> = {
  name: 'salvo-arena',
  migrations: EXPERIMENT_MIGRATIONS,
  work: {
    kind: 'experiment',
    column: 'experiment_id',
    tables: ['games', 'game_code', 'lost_costs', 'experiments'],
    followed: { games: ['game_id'] },
  },
  open: experimentTables,
};

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

function experimentTables(engine: TableEngine): ExperimentTables {
  const { saveGame, saveCode, addLostCost, ...reading } = gameTables(engine);

  function saving(experiment: ExperimentRecord): TableWrite {
    const record = engine.document(`The experiment ${experiment.experiment_id}`, experimentRecordSchema, experiment);
    const { experiment_id, created_at } = record.value;
    const columns = { record, ...(engine.dialect === 'sqlite' && { created_at }) };
    return { to: experiment_id, documents: [record], change: () => upsert('experiments', { experiment_id }, columns) };
  }

  const listExperiments: ExperimentTables['listExperiments'] = ({ limit = NO_LIMIT, onUnreadable } = {}) =>
    selectReadable(
      engine,
      { text: 'SELECT experiment_id, record FROM @experiments ORDER BY seq DESC LIMIT $1', values: [limit] },
      (row) => row.document('record', 'An experiment', experimentRecordSchema),
      (row, why) => onUnreadable?.({ experiment_id: row.text('experiment_id'), why }),
    );

  return {
    ...reading,
    saveExperiment: (experiment) => engine.write(saving(experiment)),
    async getExperiment(experimentId) {
      const [experiment] = await engine.select(
        'SELECT record FROM @experiments WHERE experiment_id = $1',
        [experimentId],
        (row) => row.document('record', `The experiment ${experimentId}`, experimentRecordSchema),
      );
      return experiment ?? null;
    },
    listExperiments,
    findExperimentIds: (prefix, limit) =>
      engine.select(
        `SELECT experiment_id FROM @experiments WHERE experiment_id >= $1 AND experiment_id < $2
         ORDER BY seq DESC LIMIT $3`,
        [prefix, `${prefix}\u{10ffff}`, limit],
        (row) => row.text('experiment_id'),
      ),
    async saveGame(game, sheet = null) {
      const { stored, ...write } = saveGame(game, sheet);
      await engine.write(write);
      return stored;
    },
    async saveCode(experimentId, codeKey, outcome) {
      const write = saveCode(experimentId, codeKey, outcome);
      if (write) await engine.write(write);
      return write !== null;
    },
    addLostCost: (experimentId, lost) => engine.write(addLostCost(experimentId, lost)),

    async listWork(onUnreadable) {
      const experiments = await listExperiments({ onUnreadable: ({ experiment_id }) => onUnreadable(experiment_id) });
      return experiments.map((each) => ({ ...each, id: each.experiment_id }));
    },
    async importWork(source, id) {
      const from = source.tables(experimentModule);
      const experiment = await from.getExperiment(id);
      if (!experiment) return false;
      const lostUsd = await from.lostCost(id);
      return await engine.importWork(id, async (add) => {
        await add(saving(experiment));
        for await (const { game_id } of from.games(id)) {
          const found = await from.getGame(id, game_id);
          if (found) await add(saveGame(found.game, found.sheet));
        }
        for (const codeKey of await from.codeKeys(id)) {
          const outcome = await from.getCode(id, codeKey);
          const write = outcome && saveCode(id, codeKey, outcome);
          if (write) await add(write);
        }
        if (lostUsd > 0) await add(addLostCost(id, { id: 'imported', usd: lostUsd }));
      });
    },
  };
}
