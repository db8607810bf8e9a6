export { type AskedModel, askAndRepair, isCutOff, type Question, type Reading } from '../models/ask/ask-and-repair.ts';
export { createFence, type Fence, newNonce } from '../models/ask/fence.ts';
export { fillTemplate, promptsIn } from '../models/ask/prompts.ts';
export { readToolAnswer, schemaReader } from '../models/ask/read-tool-answer.ts';
export { closedObject, listParameters, listTool, textField } from '../models/ask/tool-schema.ts';
export type { Budget, EarlierSpending } from '../models/budget/budget.ts';
export {
  type BudgetReport,
  budgetStateSchema,
  isMoneyWanted,
  newBudgetState,
  type RenewedLease,
  renewLease,
} from '../models/budget/budget-state.ts';
export { createBudget } from '../models/budget/create-budget.ts';
export { learnTrial } from '../models/budget/known-costs.ts';
export { type BudgetActivity, LeasedBudget } from '../models/budget/leased-budget.ts';
export type { LimitTable, LockedLimit, SharedLimits } from '../models/budget/shared-limits.ts';
export { createBill, type ModelUsage } from '../models/call/bill.ts';
export { metered } from '../models/call/cost-meter.ts';
export { createGatedLimiter, createLimiter, type Limiter } from '../models/call/limiter.ts';
export {
  environmentModels,
  type ModelCall,
  type ModelCaller,
  type ModelReply,
  withBudget,
  withModels,
} from '../models/call/model-caller.ts';
export { createOutages, type OutageOf } from '../models/call/outages.ts';
export type { VoteCache } from '../models/call/vote-cache.ts';
export { askForScores, type ScoreAnswer } from '../models/scoring/ask-for-scores.ts';
export { buildScoringTool, type ScoredCriterion } from '../models/scoring/scoring-tool.ts';
export { messagesToJudge } from '../models/scoring/templates.ts';
