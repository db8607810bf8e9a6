import { isRecord } from '../../../text/json/is-record.ts';
import { isLangChainMessage } from '../langchain-message.ts';

type Fields = Record<string, unknown>;

/**
 * What the stream of a graph or a model of LangChain gave, as messages: the last state of the mode `values`, all
 * messages of `updates`, or the pieces of `messages`, joined. Undefined if it is none of them.
 */
export function joinLangChainStream(chunks: readonly unknown[]): unknown {
  const given = chunks.map(untagged);
  const states = given.filter((chunk) => isRecord(chunk) && Array.isArray(chunk.messages));
  if (states.length > 0) return states.at(-1);
  const pieces = given.map(pieceOf).filter((piece) => piece !== undefined);
  if (pieces.length === given.length) return joinPieces(pieces);
  const updates = given.flatMap((chunk) => (isRecord(chunk) ? Object.values(chunk) : [])).filter(isRecord);
  const messages = updates.flatMap((update) => (Array.isArray(update.messages) ? update.messages : []));
  return messages.length > 0 && messages.every((message) => isRecord(message)) ? messages : undefined;
}

/** With several modes, or with subgraphs, each chunk comes with the name of its mode, and the graph that it is of. */
function untagged(chunk: unknown): unknown {
  if (!Array.isArray(chunk)) return chunk;
  const last: unknown = chunk.at(-1);
  const isTagged = chunk.slice(0, -1).every((tag) => typeof tag === 'string' || Array.isArray(tag));
  return isTagged && chunk.length > 1 ? last : chunk;
}

/** A message or a piece of one, alone or with its metadata, which have the model. */
function pieceOf(chunk: unknown): Fields | undefined {
  const [message, about]: unknown[] = Array.isArray(chunk) ? chunk : [chunk];
  if (!isRecord(message) || !isLangChainMessage(message)) return undefined;
  if (!isRecord(about) || typeof about.ls_model_name !== 'string' || !isChunk(message)) return message;
  const { ls_model_name } = about;
  if (isRecord(message.kwargs)) return { ...message, kwargs: { ...message.kwargs, ls_model_name } };
  return { ...message, ls_model_name };
}

/** Pieces of one message have one id. Those of models have the type AIMessageChunk. */
function joinPieces(pieces: readonly Fields[]): Fields[] {
  const messages: Fields[] = [];
  const begun = new Map<unknown, Fields>();
  let last: Fields | undefined;
  for (const piece of pieces) {
    const fields = isRecord(piece.kwargs) ? piece.kwargs : piece;
    // A piece that only has the tokens has no id.
    const before = isChunk(piece) ? (fields.id == null ? last : begun.get(fields.id)) : undefined;
    if (before) addPiece(before, fields);
    else {
      const own = isChunk(piece) ? { ...fields, tool_call_chunks: listOf(fields.tool_call_chunks) } : fields;
      messages.push(isRecord(piece.kwargs) ? { ...piece, kwargs: own } : own);
      if (isChunk(piece)) begun.set(fields.id, own);
      last = isChunk(piece) ? own : undefined;
    }
  }
  for (const fields of begun.values()) {
    finishCalls(fields);
    const metadata = isRecord(fields.response_metadata) ? fields.response_metadata : {};
    fields.response_metadata = { model_name: fields.ls_model_name, ...metadata };
  }
  return messages;
}

function isChunk({ id, type }: Fields): boolean {
  const name = Array.isArray(id) ? id.at(-1) : type;
  return name === 'AIMessageChunk';
}

function addPiece(message: Fields, piece: Fields): void {
  if (typeof message.content === 'string' && typeof piece.content === 'string') message.content += piece.content;
  else message.content = [...contentOf(message.content), ...contentOf(piece.content)];
  message.tool_call_chunks = [...listOf(message.tool_call_chunks), ...listOf(piece.tool_call_chunks)];
  message.usage_metadata = sumOf(message.usage_metadata, piece.usage_metadata);
  const metadata = [message.response_metadata, piece.response_metadata].filter(isRecord);
  message.response_metadata = Object.assign({}, ...metadata);
}

/** Each piece has its own tokens. */
function sumOf(before: unknown, added: unknown): unknown {
  if (!isRecord(before) || !isRecord(added)) return added ?? before;
  const sums = Object.entries(added).map(([name, value]) => {
    const old = before[name];
    if (typeof value === 'number') return [name, value + (typeof old === 'number' ? old : 0)];
    return [name, sumOf(old, value)];
  });
  return { ...before, ...Object.fromEntries(sums) };
}

/** The calls come in pieces, too: those of one call have one index. */
function finishCalls(message: Fields): void {
  const pieces = listOf(message.tool_call_chunks).filter(isRecord);
  if (pieces.length === 0) return;
  const calls = new Map<unknown, { id?: unknown; name: string; args: string }>();
  for (const { index, id, name, args } of pieces) {
    const key = index ?? id;
    const call = calls.get(key) ?? { name: '', args: '' };
    calls.set(key, call);
    call.id ??= id;
    call.name += typeof name === 'string' ? name : '';
    call.args += typeof args === 'string' ? args : '';
  }
  message.tool_calls = [...calls.values()];
  // They are unfinished calls of the single pieces.
  message.invalid_tool_calls = [];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function contentOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content;
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
}
