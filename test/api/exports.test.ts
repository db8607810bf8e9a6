import { describe, expect, it } from 'vitest';
import * as aiSdk from '../../packages/salvo/src/ai-sdk.ts';
import * as claudeAgent from '../../packages/salvo/src/claude-agent.ts';
import * as salvo from '../../packages/salvo/src/index.ts';
import * as judge from '../../packages/salvo/src/judge.ts';
import * as langChain from '../../packages/salvo/src/langchain.ts';
import * as mastra from '../../packages/salvo/src/mastra.ts';
import * as nodeTest from '../../packages/salvo/src/node-test.ts';
import * as openAiAgents from '../../packages/salvo/src/openai-agents.ts';
import * as vitestEntry from '../../packages/salvo/src/vitest.ts';
import * as arena from '../../packages/salvo-arena/src/index.ts';
import * as match from '../../packages/salvo-arena/src/match.ts';
import { exportsOf, mentioned, objectTypes, reachable } from './api-types.ts';

const LOADED = {
  salvo,
  'salvo/judge': judge,
  'salvo-arena/match': match,
  'salvo-arena': arena,
  'salvo/vitest': vitestEntry,
  'salvo/node-test': nodeTest,
  'salvo/ai-sdk': aiSdk,
  'salvo/openai-agents': openAiAgents,
  'salvo/claude-agent': claudeAgent,
  'salvo/langchain': langChain,
  'salvo/mastra': mastra,
};

/** What users can rely on. A change of this list is a change of the API: say so in CHANGELOG.md. */
const API = [
  {
    entry: 'salvo',
    values: `
      AdapterError DiagnosticsError EVALUATOR_REGISTRY SalvoError calibrateProjectJudge checkProjectJudge compareRuns
      createBaseline defineScenario deleteRun estimateReevaluation estimateRun evaluateTrace formatComparison
      formatRun getAdapter getEvaluator importTraces listRuns loadProject loadScenario mergeParts openProject openRun planRuns
      reevaluateRun registerAdapter registerEvaluator replayTrial resumeRun runDocumentSchema runFiles runScenario
      runShard scenarioFromTrace scoreTrial startViewer traceFrom traceSchema validateFiles`,
    types: `
      Adapter AdapterConfig AdapterContext AdapterErrorKind AdapterTurnResult AgainstOutcome AgentFunction AgentReply
      AgentTask AgentTrace Assertion AssertionInput Baseline CalibrateProjectJudgeOptions CalibrationOutcome
      CanaryReport CheckFunction CheckInput CheckProjectJudgeOptions CheckResult CompareRunsOptions ComparedScenario
      ComparisonFormat Conversation CreateBaselineOptions CreatedBaseline CustomAssertionContext CustomAssertionResult
      DecisionAnswer DecisionQuestion Diagnostic ErrorCode Estimate EstimateRunOptions EvalResult Evaluation EvaluationContext Evaluator ExportedTrial
      FinishReason FinishedRun FinishedShard FormatComparisonOptions FormatRunOptions FormattedRun HookResults
      ImportProgress ImportReport ImportTracesOptions
      JudgeInUse JudgeTestEvent KnownAdapters ListRunsOptions LoadedScenario MergePartsOptions MergedRun Message
      OpenProject OpenRun Plan PlanOptions Project ProjectConfig ProjectHooks ProjectInput ReevaluateOptions
      ReevaluatedScenario Reevaluation RegisteredAssertion ReplayOptions ReplayedTrial ResumeRunOptions RunComparison
      RunDocument RunEvent RunFilesEvent RunFilesOptions RunFormat RunListing RunOutcome RunRecord RunScenarioOptions
      RunShardOptions RunningViewer Scenario ScenarioContext ScenarioDefinition ScenarioFile ScenarioFromTrace ScenarioFromTraceOptions ScenarioHooks
      ScenarioPlan ScenarioRun ScenarioSummary ScorableResult Shard SourceLocation StartViewerOptions Store
      StoredTrial StreamInput ToolAnswer ToolCall ToolContext ToolDefinition ToolFunction ToolInput Trace TraceInput TrialContext TrialResult
      TrialScore TrialStatus TrialView UnreadableRun Usage Validation Verdict Workplace`,
  },
  {
    entry: 'salvo/judge',
    values: `
      CANARY_RUBRIC JUDGE_SYSTEM_TEMPLATE JUDGE_USER_TEMPLATE SalvoError aggregateKVotes buildContext
      buildCriteriaBlock buildJudgePrompt buildScoringTool buildToolCallSummary calibrateJudge calibrateRecorded
      checkJudge environmentModels extractJsonFromText extractScores extractScoresFromToolCall formatToolChoice
      judgeEvaluator judgeTrace loadCanaries readLabels readRecordedVerdicts resolveJudgeConfig`,
    types: `
      AdapterConfig AdapterContext AdapterTurnResult AggregatedVotes AggregationOptions CachedVote
      CalibrateJudgeOptions CalibrationOutcome CalibrationRecord CalibrationReport Canary CanaryReport
      CheckJudgeOptions Criterion CriterionLike CriterionOutcome CriterionScore Disagreement ErrorCode Evaluation
      EvaluationContext Evaluator JudgeAnswer JudgeAssertion JudgeChoices JudgeConfig JudgeInput JudgeMetadata
      JudgeTraceOptions JudgedItem JudgedScenario Judgement JudgingEvent LabelledItem LabelledTrace Message ModelCall
      ModelCaller ModelFunction ModelFunctionRequest ModelReply Price ProjectJudge ScoredCriterion SourceLocation
      ToolCall ToolDefinition Trace VoteCache VoteRecord VoteScores WeightedCriterion`,
  },
  {
    entry: 'salvo-arena/match',
    values: `
      FINDINGS_FORMATS JudgeAgent JudgeError SalvoError aggregateResults gateScore locateFindings
      readCleanResources readFindings readFindingsFromText readManifest readReport scoreResultsToDict`,
    types: `
      AggregatedResults Consequence Duplicate ErrorCode Factor Finding FindingsFormat FindingsInput FlawLocation GameScore GateOutcome Interval
      JudgeAgentOptions JudgeErrorCode LlmOptions Manifest ManifestInput Match MatcherName ModelChoice
      ModelDecision ModelsPart NearMiss NotJudged OutsideEvidence OutsideEvidenceInput PresentBefore ReadFindingsOptions ReadReport RecallOf
      ScorePolicy ScoreResults ScoreResultsDict SourceLocation ToolFindingsInput Vulnerability`,
  },
  {
    entry: 'salvo-arena',
    values: `
      BlueTeamError DetectionMode Difficulty RedTeamError SalvoError benchScanner checkManifest checkTools
      createBlueTeamAgent createRedTeamAgent createRulesChecker deleteExperiment estimateExperiment formatExperiment
      formatGame formatScore gameSchema listExperiments listRules listTasks loadExperiment openExperiment playGame
      readOwnCode resumeExperiment runExperiment scoreFiles summarizeExperiment`,
    types: `
      AtLeast BenchScannerOptions BlueComparison BlueFunction BlueMetadata BlueOutcome BlueRequest BlueTeam
      BlueTeamAgent BlueTeamOptions CodeLanguage Cost ErrorCode ExperimentEstimate ExperimentEvent ExperimentFormat
      ExperimentOptions ExperimentPlan ExperimentRecord ExperimentResults Finding FormatExperimentOptions
      FormatGameOptions FormatScoreOptions FormattedExperiment Game GameEvent GameFormat GameMetrics GameStage
      GateEntry GateOutcome GateResult ListExperimentsOptions ModelCaller OpenExperiment OwnCode OwnCodeContext
      PlayGameOptions PlayGameResult PlayedGame Project RateEstimate RedMetadata RedOutcome RedRequest RedTeam RedTeamAgent
      RedTeamOptions RedTeamRequest Rule RuleChecker ScannerContext ScoreEvent ScoreFilesOptions ScoreFormat
      ScorePolicy ScoreResults ScoreSheet Scorecard ScoredBlue SourceLocation Store Strategy Task ToolStatus
      UnreadableExperiment Vulnerability Workplace`,
  },
  {
    entry: 'salvo/vitest',
    values: 'SalvoError UnscoredError evaluate',
    types: 'ErrorCode EvaluateOptions MatcherOptions SalvoMatchers ScenarioRun SourceLocation Testable',
  },
  {
    entry: 'salvo/node-test',
    values: 'SalvoError UnscoredError evaluate expect',
    types: 'ErrorCode EvaluateOptions Expect MatcherOptions SalvoMatchers ScenarioRun SourceLocation Testable',
  },
  { entry: 'salvo/ai-sdk', values: 'agentFor toolsFor', types: 'ToolTask' },
  { entry: 'salvo/openai-agents', values: 'agentFor toolsFor', types: 'AnyAgent AnyTool ToolTask' },
  {
    entry: 'salvo/claude-agent',
    values: 'messagesOf queryFor toolsFor',
    types: 'AnyTool ClaudeQuery ClaudeSession ClaudeTool QueryTask ToolTask',
  },
  { entry: 'salvo/langchain', values: 'agentFor toolsFor', types: 'AnyGraph ToolTask' },
  { entry: 'salvo/mastra', values: 'agentFor toolsFor', types: 'AnyAgent ToolTask' },
] as const;

/** What has snake_case fields: documents, parts of them, what is written in their words, and KINDS of adapter errors. */
const DOCUMENTS = `
  AdapterTurnResult AgainstBaseline AgainstOutcome AgentCostFields AgentDeclaration AgentReply AgentTrace AgentTurn
  AgentUsage AnthropicBlock AnthropicFile AssistantMessage AtLeast AttachedFile Base64Source Baseline BlueComparison
  BlueMetadata CalibrationRecord CalibrationReport Canary CanaryReport CascadeOutcome CheckInput CompanionCheck
  ComparedScenario Cost CriterionOutcome Diagnostic Disagreement DriftCheck Estimate EvalResult ExperimentEstimate
  ExperimentPlan ExperimentRecord ExperimentResults ExportedTrial Finding FlawLocation Game GameMetrics GateResult
  ImportReport JudgeAnswer JudgeConfig JudgeCostFields JudgeFacts JudgeMetadata JudgeRecalibration JudgedScenario KINDS
  LangChainMessage LangChainPart ManifestInput NotJudged OpenAiMessage OpenAiPart OtherAnswer PanelJudgeOutcome Price
  ProjectConfig ProjectInput ProjectJudge QueueStatus RedMetadata ReevaluatedScenario ReferenceCheck ReplyObject
  ResponsesItem ResponsesPart RunChange RunComparison RunDocument RunFigures RunListing RunOptions RunRecord
  RunRevision RunScenario Scenario ScenarioDefinition ScenarioInput ScenarioRun ScenarioSummary ScorableResult
  ScoreAnswer ScoreResultsDict Scorecard StageOutcome StoreDescription StoredTrial SummaryFigures ToolAnswer ToolCall ToolInput
  ToolStatus Trace TrialCost TrialHead TrialOutcome TrialResult UnreadableExperiment UnreadableRun Usage UserCostFields
  VoteRecord Vulnerability WorkOrder WorkerDescription
`;

const words = (text: string): string[] => text.trim().split(/\s+/);

describe.each(API)('$entry', ({ entry, values, types }) => {
  const exported = exportsOf(entry);

  it('exports the announced values, and nothing else', () => {
    const named = exported.filter(({ isType }) => !isType).map(({ name }) => name);
    expect(named.sort()).toEqual(words(values));
    expect(Object.keys(LOADED[entry]).sort()).toEqual(words(values));
  });

  it('exports the announced types, and nothing else', () => {
    const named = exported.filter(({ isType }) => isType).map(({ name }) => name);
    expect(named.sort()).toEqual(words(types));
  });

  it('exports every type that a signature of it names', () => {
    const known = new Set(exported.map(({ declaration }) => declaration.node));
    const missing = exported
      .filter(({ isType }) => !isType)
      .flatMap(({ name, declaration }) => mentioned(declaration).map((type) => ({ name, type })))
      // Schemas are built of schemas; users read their types.
      .filter(({ type }) => !known.has(type.node) && !type.name.endsWith('Schema'));
    expect(missing.map(({ name, type }) => `${name} names ${type.name}`)).toEqual([]);
  });
});

it('has every function, class and constant in one entry only, except errors and what each test runner or SDK has', () => {
  const isForOne = ({ entry }: { entry: string }) =>
    /^salvo\/(node-test|ai-sdk|openai-agents|claude-agent|langchain|mastra)$/.test(entry);
  const all = API.filter((each) => !isForOne(each))
    .flatMap(({ values }) => words(values))
    .filter((name) => !name.endsWith('Error'));
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
});

describe('spelling', () => {
  const SNAKE_CASE = /^[a-z0-9]+(?:_[a-z0-9]+)+$/;
  const CAMEL_CASE = /^[a-z]+[a-z0-9]*[A-Z]/;
  const declarations = reachable(API.flatMap(({ entry }) => exportsOf(entry).map(({ declaration }) => declaration)));
  const types = declarations.flatMap(objectTypes);

  it('is never mixed in one type', () => {
    const mixed = types.filter(
      ({ fields }) => fields.some((f) => SNAKE_CASE.test(f)) && fields.some((f) => CAMEL_CASE.test(f)),
    );
    expect(types.filter(({ fields }) => fields.length > 0).length).toBeGreaterThan(200);
    expect(mixed).toEqual([]);
  });

  it('is snake_case in documents only', () => {
    const snake = types.filter(({ fields }) => fields.some((f) => SNAKE_CASE.test(f))).map(({ name }) => name);
    const documents = [...new Set(snake)].filter((name) => !/Schemas?$|_SCHEMAS$/.test(name)).sort();
    expect(documents).toEqual(words(DOCUMENTS));
  });
});
