import { isRecord } from '../../../text/json/is-record.ts';
import { Conversation } from '../../../trace/forms/conversation.ts';
import { FormError } from '../../../trace/forms/form-error.ts';
import type { ImportedConversation, ImportFormat } from '../../import-format.ts';
import { importedConversation, importedTrace } from '../../imported-trace.ts';
import { eachObject, placeAt, readEachMessage } from '../read-each.ts';
import { fieldsWithout, numberOf, recordIn, textOf, trialOf } from '../record-fields.ts';
import { withReActCalls } from './tau-react.ts';

type Fields = Record<string, unknown>;

/** The results of tau-bench: a list of trajectories, each with its reward. */
export const tauBenchFormat: ImportFormat = {
  name: 'tau-bench',
  title: 'tau-bench results',
  unit: 'record',
  recognises: (value) => isRecord(value) && Array.isArray(value.traj) && 'task_id' in value && 'reward' in value,
  *read(records) {
    for (const { value, line } of eachObject(records, 'is not a result of tau-bench, which is an object')) {
      yield readResult(value, line);
    }
  },
};

const TRAJECTORY: ReadonlySet<string> = new Set(['traj']);
const KNOWN: ReadonlySet<string> = new Set([...TRAJECTORY, 'task_id', 'reward', 'info', 'trial']);

function readResult(result: Fields, line: number): ImportedConversation {
  if (!Array.isArray(result.traj)) throw new FormError('traj:', 'expected the list of messages');
  const info = recordIn(result, 'info');
  const at = placeAt(line);
  const conversation = new Conversation('call');
  readEachMessage(withReActCalls(result.traj), conversation, { at, name: 'traj' });
  const reward = tauReward(result.reward);
  if (reward === null && result.reward !== null && result.reward !== undefined) {
    at.losses.push({ line, place: 'reward', problem: 'is not a number' });
  }
  const trial = trialOf(result.trial);
  const taskId = textOf(result, 'task_id');
  return importedConversation({
    line,
    id: taskId === null ? null : [taskId, ...(trial === null ? [] : [trial])].join('/'),
    // A trial that failed before its end has no messages, and its reward is 0.
    trace: importedTrace(conversation, { error: textOf(info, 'error') }),
    case: taskId,
    trial,
    given: reward === null ? null : { passed: null, reward, scores: rewardScores(info) },
    fields: fieldsWithout(result, TRAJECTORY),
    aside: fieldsWithout(result, KNOWN),
    losses: at.losses,
  });
}

/** What the reward is made of: whether the actions were right, and each text that the agent had to say. */
function rewardScores(info: Fields): Record<string, number | boolean> {
  const parts = recordIn(recordIn(info, 'reward_info'), 'info');
  const actions = typeof parts.r_actions === 'boolean' ? parts.r_actions : numberOf(parts.r_actions);
  const outputs = typeof parts.r_outputs === 'boolean' ? parts.r_outputs : numberOf(parts.r_outputs);
  const required = Object.values(recordIn(parts, 'outputs')).filter((said) => typeof said === 'boolean');
  return {
    ...(actions === null ? {} : { r_actions: actions }),
    ...(outputs === null ? {} : { r_outputs: outputs }),
    ...(required.length === 0 ? {} : { outputs: required.filter(Boolean).length / required.length }),
  };
}

/** Both benchmarks count a reward as 1 if it differs by no more than this, as sums of fractions do. */
const EPSILON = 1e-6;

export function tauReward(value: unknown): number | null {
  const reward = typeof value === 'boolean' ? Number(value) : numberOf(value);
  return reward !== null && Math.abs(reward - 1) <= EPSILON ? 1 : reward;
}
