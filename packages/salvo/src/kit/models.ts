export { type AskedModel, askAndRepair, isCutOff, type Question, type Reading } from '../models/ask/ask-and-repair.ts';
export { createFence, type Fence, newNonce } from '../models/ask/fence.ts';
export { fillTemplate, promptsIn } from '../models/ask/prompts.ts';
export { readToolAnswer, schemaReader } from '../models/ask/read-tool-answer.ts';
export { closedObject, listParameters, listTool, textField } from '../models/ask/tool-schema.ts';
export type { Budget, EarlierSpending } from '../models/budget/budget.ts';
export {
  type Answer,
  type Ask,
  accountWords,
  type BudgetBank,
  type Decision,
  type Statement,
} from '../models/budget/budget-bank.ts';
export type { BranchState, Spender } from '../models/budget/budget-branch.ts';
export { TOLERANCE } from '../models/budget/known-costs.ts';
export { createBudget, LimitedBudget } from '../models/budget/limited-budget.ts';
export type { SharedLimits } from '../models/budget/shared-limits.ts';
export { highestOfAnyTrial } from '../models/budget/trial-book.ts';
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
