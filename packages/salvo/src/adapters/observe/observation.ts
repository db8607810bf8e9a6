import type { JoinedSteps } from '../../trace/forms/recorded/join-steps.ts';
import type { Usage } from '../../trace/forms/usage.ts';
import type { ModelTarget } from './model-target.ts';

/** What was recorded while an agent worked on one turn. */
export interface Observation {
  by: 'model' | 'otel';
  joined: JoinedSteps;
  /** The tokens and the cost of all calls of models; null if those of one are unknown, or if there was none. */
  usage: Usage | null;
  costUsd: number | null;
  /** Trials ran one at a time, because nothing told their requests apart. */
  alone: boolean;
  /** Why the tool calls of this turn are not known; null if they are. */
  problem: string | null;
  /** Why the last call of a model failed, if the provider or the network was the reason. */
  outage: string | null;
}

/** What an agent needs so that it can be observed: variables for a program, headers for a server. */
export interface GivenToAgent {
  variables: Record<string, string>;
  headers: Record<string, string>;
}

/** A request of the agent to its model, before it is sent. */
export interface ObservedRequest {
  provider: string;
  model: string;
  /** The size of the prompt. */
  bytes: number;
  maxTokens: number | undefined;
  tools: string[];
  /** How many answers are in the prompt already. */
  place: number;
}

/** A request that may be sent. Exactly one of these has to be called when it ends. */
export interface AdmittedRequest {
  /** Returns the cost; null if it is unknown. */
  answered(usage: Usage | null, answeredBy: string | undefined): Promise<number | null>;
  /** There was no complete answer, but it may have been charged. */
  maybeCharged(): void;
  /** It was never sent, or the provider refused it. */
  notCharged(): void;
}

/** A request of the agent to its model, as it came to the recorder. */
export interface TapedRequest {
  target: ModelTarget;
  method: string;
  /** With its query. */
  path: string;
  /** Null if the body is something else. */
  json: Record<string, unknown> | null;
  body: Buffer;
}

/** The answer to such a request. */
export interface TapedAnswer {
  status: number;
  contentType: string;
  /** Of a stream: all of it, or what came until the agent hung up. */
  text: string;
  /** The agent hung up before the end. */
  isBrokenOff: boolean;
  /** When it was asked for, since its turn began; null if a recording does not tell. */
  startedSeconds: number | null;
  latencySeconds: number;
  /** Null if it is unknown. */
  costUsd: number | null;
}

/** Records the requests and answers of one trial, or replays them. */
export type ExchangeTape =
  | {
      mode: 'record';
      keep(request: TapedRequest, answer: TapedAnswer): Promise<void>;
      /** A request that a replay will lack, and why. */
      leaveOut(request: TapedRequest, why: string): void;
    }
  /** `answerOf` throws an AdapterError if the request was not recorded. */
  | { mode: 'replay'; answerOf(request: TapedRequest): TapedAnswer };

/** What a trial does for an agent that is observed. */
export interface ObservedTrial {
  /** Missing if requests are only sent on. */
  tape?: ExchangeTape | undefined;
  /** Waits until limits and budget allow a request. Rejects if they never will. */
  admit(request: ObservedRequest, signal: AbortSignal): Promise<AdmittedRequest>;
  price(call: { provider: string; model: string; usage: Usage | null }): Promise<number | null>;
  /** Receives what was recorded in a turn that failed. */
  onFailedTurn(observation: Observation): void;
}
