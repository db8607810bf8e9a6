import { isRecord } from '../../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';
import type { Usage } from '../../../trace/forms/usage.ts';
import type { GivenOutcome } from '../../import-format.ts';
import { amountOf, recordIn, textOf } from '../record-fields.ts';
import { usageOf } from '../session/session-usage.ts';

type Fields = Record<string, unknown>;

/** What a run says about itself: how it ended, and what it took. */
export interface RunInfo {
  exit: string | null;
  usage: Usage | null;
  cost: number | null;
  model: string | null;
  case: string | null;
  given: GivenOutcome | null;
  fields: Fields;
}

export function runInfo(run: Fields): RunInfo {
  const info = recordIn(run, 'info');
  const stats = recordIn(info, 'model_stats');
  const config = configOf(run);
  const { resolved } = info;
  return {
    exit: textOf(info, 'exit_status'),
    usage: usageOf(stats, { input: 'tokens_sent', output: 'tokens_received' }),
    cost: amountOf(stats.instance_cost),
    model:
      textOf(recordIn(recordIn(info, 'config'), 'model'), 'model_name') ??
      textOf(recordIn(recordIn(config, 'agent'), 'model'), 'name'),
    case:
      textOf(run, 'instance_id') ?? textOf(info, 'instance_id') ?? textOf(recordIn(config, 'problem_statement'), 'id'),
    given: typeof resolved === 'boolean' ? { passed: resolved, reward: null, scores: {} } : null,
    fields: { ...fieldsOf(run, ['environment', 'instance_id', 'trajectory_format']), info },
  };
}

/** How the run was configured, which is a JSON text in the file. */
function configOf(run: Fields): Fields {
  const given = run.replay_config;
  const config = typeof given === 'string' ? jsonOrUndefined(given) : given;
  return isRecord(config) ? config : {};
}

function fieldsOf(run: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => run[name] != null).map((name) => [name, run[name]]));
}

/** Runs that ended otherwise than by their own decision did not get to their end. */
export function errorOfExit(exit: string | null): string | null {
  return exit === null || /^submitted/i.test(exit) ? null : exit;
}
