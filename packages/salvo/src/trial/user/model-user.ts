import { createHash } from 'node:crypto';
import type { AdapterTurnResult } from '../../adapters/adapter.ts';
import { AdapterError } from '../../adapters/adapter-error.ts';
import { startWorkClock } from '../../adapters/call/work-clock.ts';
import { newNonce } from '../../models/ask/fence.ts';
import type { CallBudget } from '../../models/budget/budget.ts';
import { createBill } from '../../models/call/bill.ts';
import { type ModelCaller, withBudget } from '../../models/call/model-caller.ts';
import { type VoteCache, voteKey } from '../../models/call/vote-cache.ts';
import type { ScenarioUser } from '../../scenario/schema/scenario-schema.ts';
import { createCostSum, NO_COST, sumCosts } from '../../stats/cost.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { agentCost, agentCostFields } from '../../trace/cost-fields.ts';
import type { RoleBreak } from '../../trace/trace.ts';
import { createRoleCheck, LONGEST_MESSAGE } from './check-role.ts';
import type { AskedForUser } from './resolve-user.ts';
import type { NextMessage, UserVoice } from './trial-user.ts';
import { type SaidText, userMessages } from './user-prompt.ts';
import { userPromptHash } from './user-template.ts';

/** The model that plays a user, and how it is asked. */
interface UserModel extends AskedForUser {
  temperature: number | undefined;
  maxTokens: number;
  timeoutSeconds: number;
  /** The model that reads its messages; null if none does. */
  checkedBy: AskedForUser | null;
}

interface ModelUserOptions {
  user: ScenarioUser;
  /** Texts of the scenario that the user has said before, such as its prompt. */
  prompt: string;
  model: UserModel;
  models: ModelCaller;
  cache: VoteCache | null | undefined;
  budget: CallBudget;
  /** Identifies the trial: a cached message is only for the same trial of a later run. */
  subject: string;
  seed: number;
  trialNumber: number;
  signal: AbortSignal;
}

/** A user that a model plays. */
export function modelUser(options: ModelUserOptions): UserVoice {
  return new ModelUser(options);
}

class ModelUser implements UserVoice {
  readonly #options: ModelUserOptions;
  readonly #models: ModelCaller;
  readonly #bill = createBill();
  /** Of messages from the cache that an earlier process of this run paid for. */
  readonly #unbilled = createCostSum();
  readonly #nonce = newNonce();
  readonly #check: ReturnType<typeof createRoleCheck>;
  #cached = 0;
  #written = 0;
  #requests = 0;

  constructor(options: ModelUserOptions) {
    this.#options = options;
    this.#models = withBudget(options.models, options.budget);
    this.#check = createRoleCheck({ ...options.user, prompt: options.prompt });
  }

  async next(said: readonly SaidText[]): Promise<NextMessage> {
    const { user } = this.#options;
    const { text: written, keep } = await this.#write(said);
    this.#written += 1;
    const isDone = written.includes(user.stop);
    const text = written.replaceAll(user.stop, '').trim();
    const broke = await this.#roleBreak({ text, isDone, said });
    if (broke) return { text, broke: { ...broke, message: this.#written } };
    // Only now: the trial is repeated when the run is resumed, and must not hear the same again.
    await keep?.();
    return { text, done: isDone ? 'user' : undefined };
  }

  facts(): ReturnType<UserVoice['facts']> {
    const { model, user } = this.#options;
    const { model_calls: _, cost_usd, cost_at_least, ...tokens } = this.#bill.usage();
    return {
      model: model.model,
      provider: this.#models.providerName(model.adapter),
      prompt_hash: userPromptHash(user),
      cached: this.#cached,
      ...tokens,
      ...agentCostFields(sumCosts([this.#unbilled.total(), agentCost({ cost_usd, cost_at_least })])),
    };
  }

  async #roleBreak(message: {
    text: string;
    isDone: boolean;
    said: readonly SaidText[];
  }): Promise<Omit<RoleBreak, 'message'> | null> {
    const { user, model } = this.#options;
    if (user.check === false) return null;
    const broke = this.#check(message);
    if (broke !== null || model.checkedBy === null || message.text === '') return broke;
    const { roleBreakByModel } = await import('./role-by-model.ts');
    const { seed, trialNumber, signal } = this.#options;
    const asked = { ...model.checkedBy, models: this.#models, bill: this.#bill, nonce: this.#nonce, signal };
    const conversation = { seed, trialNumber, isUser: true, request: this.#written - 1 };
    return roleBreakByModel({ ...asked, user, conversation, ...message });
  }

  /** The next message, from the cache or bought. */
  async #write(said: readonly SaidText[]): Promise<{ text: string; keep?: () => Promise<void> }> {
    const { cache } = this.#options;
    const key = this.#cacheKey(said);
    const cached = key === null ? null : await cache?.get(key);
    if (cached?.said && sha256(cached.said.text) === cached.said.sha256) {
      this.#cached += 1;
      this.#requests += 1;
      this.#unbilled.add(cached.unbilled ?? NO_COST);
      return { text: cached.said.text };
    }
    const { text, paid } = await this.#ask(said);
    const { usage } = paid.result;
    const cost = agentCostFields(paid.costUsd === null ? { usd: null } : { usd: paid.costUsd });
    const tokens = { input_tokens: usage?.input_tokens ?? null, output_tokens: usage?.output_tokens ?? null };
    const entry = { scores: {}, repaired: false, said: { text, sha256: sha256(text) }, ...tokens, ...cost };
    return { text, keep: async () => (key === null ? undefined : cache?.set(key, entry)) };
  }

  async #ask(said: readonly SaidText[]) {
    const { user, model, signal, seed, trialNumber } = this.#options;
    const { timeoutSeconds: seconds } = model;
    const timeoutError = () => new AdapterError('timeout', `${model.model} gave no answer within ${seconds} s.`);
    using clock = startWorkClock({ seconds, timeoutError, abort: signal });
    const { adapter, temperature, maxTokens } = model;
    const conversation = { seed, trialNumber, isUser: true, request: this.#requests };
    const limits = { model: model.model, temperature, maxTokens, signal: clock.signal, nonce: this.#nonce };
    const reply = await this.#models
      .call({
        adapter,
        messages: userMessages(user, said, this.#nonce),
        tools: [],
        config: { ...limits, conversation },
        clock,
        onRetry: () => this.#bill.addRetry(),
        onUnknownCost: () => this.#bill.addUnknownCost(),
      })
      .catch((error: unknown) => {
        throw notAnswered(clock.signal.aborted ? clock.signal.reason : error);
      });
    this.#requests += reply.requests;
    this.#bill.add(reply);
    return { text: textIn(reply.result), paid: reply };
  }

  /** Null if the answer may not be cached. */
  #cacheKey(said: readonly SaidText[]): string | null {
    const { model, cache, user, subject, seed } = this.#options;
    const fingerprint = this.#models.fingerprint(model.adapter);
    if (!cache || fingerprint === null) return null;
    const provider = this.#models.providerName(model.adapter);
    const { model: name, temperature, maxTokens } = model;
    const asked = { kind: 'user', provider, fingerprint, name, temperature, maxTokens };
    return voteKey({ ...asked, messages: userMessages(user, said, ''), subject, seed, request: said.length });
  }
}

function textIn({ content, finish_reason, tool_calls: [call] }: AdapterTurnResult): string {
  const text = content?.trim() ?? '';
  if (text.length > LONGEST_MESSAGE) {
    const most = LONGEST_MESSAGE.toLocaleString('en');
    throw failed(`wrote ${text.length.toLocaleString('en')} characters; a message of a user has at most ${most}`);
  }
  if (text !== '' && finish_reason !== 'content_filter' && finish_reason !== 'refusal') return text;
  throw failed(`wrote no message (${call ? `it called the tool ${call.name}, and has none` : finish_reason})`);
}

function failed(how: string): SalvoError {
  return new SalvoError('USER_FAILED', `the model of the simulated user ${how}`);
}

/** An error of the user's model must not pass for one of the agent. */
function notAnswered(error: unknown): unknown {
  if (!(error instanceof AdapterError)) return error;
  const code = error.kind === 'not_recorded' ? error.code : 'USER_FAILED';
  return new SalvoError(code, `the simulated user could not be asked: ${errorMessage(error)}`, { cause: error });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
