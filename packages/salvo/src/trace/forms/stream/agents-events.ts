import { isRecord } from '../../../text/json/is-record.ts';
import { agentsState } from '../agents-state.ts';
import { openAnswer } from './open-answer.ts';

type Fields = Record<string, unknown>;

/** Events of a run of the OpenAI Agents SDK: its items, and the responses that they came with. */
export function joinAgentsEvents(chunks: readonly unknown[], { isPartial }: { isPartial: boolean }): unknown {
  const events = chunks.filter(isRecord);
  const text = isPartial ? openAnswer(chunks) : undefined;
  const open = { role: 'assistant', content: [{ type: 'output_text', text }] };
  const responses = modelEvents(chunks).flatMap(({ type, response }) =>
    type === 'response_done' && isRecord(response) ? [response] : [],
  );
  return {
    originalInput: [],
    generatedItems: [
      ...events.flatMap(({ type, item }) => (type === 'run_item_stream_event' ? [item] : [])),
      ...(text === undefined ? [] : [{ type: 'message_output_item', rawItem: { type: 'message', ...open } }]),
    ],
    modelResponses: withModels(responses, chunks),
  };
}

/** A run that has ended, with the models that its events name: the SDK does not keep those of chat completions. */
export function runWithModels(run: unknown, chunks: readonly unknown[]): unknown {
  const state = isRecord(run) ? agentsState(run) : undefined;
  if (!Array.isArray(state?.modelResponses)) return run;
  return { state: { ...state, modelResponses: withModels(state.modelResponses, chunks) } };
}

/** Each response begins with an event that has the first chunk of the provider. A state may have responses of earlier runs. */
function withModels(responses: readonly unknown[], chunks: readonly unknown[]): unknown[] {
  const begins = modelEvents(chunks).filter(({ type }) => type === 'response_started');
  const known = responses.length - begins.length;
  return responses.map((response, index) => {
    const first = begins[index - known]?.providerData;
    if (!isRecord(response) || !isRecord(first) || typeof first.model !== 'string') return response;
    const given = isRecord(response.providerData) ? response.providerData : {};
    return { ...response, providerData: { model: first.model, ...given } };
  });
}

function modelEvents(chunks: readonly unknown[]): Fields[] {
  return chunks.filter(isRecord).flatMap(({ type, data }) => {
    return type === 'raw_model_stream_event' && isRecord(data) ? [data] : [];
  });
}
