CREATE TABLE blobs (
    hash BLOB PRIMARY KEY,           -- sha256 of the text
    text ANY NOT NULL                -- TEXT as it is, BLOB when compressed with zstd
  ) STRICT;
CREATE TABLE traces (
    trace_id TEXT PRIMARY KEY,
    document TEXT NOT NULL
  ) STRICT;
INSERT INTO "traces" VALUES ('5980ac0f760370f027e3d82ea0ed833b', '{"messages":[{"role":"user","content":"What is the weather in Oslo?"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_0_0","name":"get_weather","arguments":{"city":"Oslo"}}]},{"role":"tool_result","tool_call_id":"call_0_0","name":"get_weather","content":"rain, 8 degrees","is_error":false},{"role":"assistant","content":"It rains in Oslo, at 8 degrees.","tool_calls":[]}],"tool_calls_made":[{"id":"call_0_0","name":"get_weather","arguments":{"city":"Oslo"},"turn":1,"result":"rain, 8 degrees","is_error":false}],"turn_count":2,"input_tokens":null,"output_tokens":null,"total_tokens":null,"latency_seconds":0.005121648999999934,"final_content":"It rains in Oslo, at 8 degrees.","finish_reason":"stop","model":"gpt-4o-mini","provider":"scripted","cost_usd":null,"max_turns_hit":false,"tool_errors":[],"retries":[],"error":null,"timestamp":"2026-11-17T01:01:43.165Z","scenario_hash":"243651b1ed5f92c22d3a51093397f0d93af1b7874cdbe8e85c3f67c12b36827a"}');
INSERT INTO "traces" VALUES ('2f8c40ed8c33b6e4bbf5a618296662a3', '{"messages":[{"role":"user","content":"What is the weather in Oslo?"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_0_0","name":"get_weather","arguments":{"city":"Oslo"}}]},{"role":"tool_result","tool_call_id":"call_0_0","name":"get_weather","content":"rain, 8 degrees","is_error":false},{"role":"assistant","content":"It rains in Oslo, at 8 degrees.","tool_calls":[]}],"tool_calls_made":[{"id":"call_0_0","name":"get_weather","arguments":{"city":"Oslo"},"turn":1,"result":"rain, 8 degrees","is_error":false}],"turn_count":2,"input_tokens":null,"output_tokens":null,"total_tokens":null,"latency_seconds":0.0007630990000000111,"final_content":"It rains in Oslo, at 8 degrees.","finish_reason":"stop","model":"gpt-4o-mini","provider":"scripted","cost_usd":null,"max_turns_hit":false,"tool_errors":[],"retries":[],"error":null,"timestamp":"2026-11-17T01:01:43.170Z","scenario_hash":"243651b1ed5f92c22d3a51093397f0d93af1b7874cdbe8e85c3f67c12b36827a"}');
CREATE TABLE runs (
    seq INTEGER PRIMARY KEY,         -- in order of creation, to tell apart runs of the same millisecond
    run_id TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    finished_at TEXT,
    status TEXT NOT NULL,
    verdict TEXT,
    exit_code INTEGER,
    salvo_version TEXT NOT NULL,
    reeval_of TEXT,
    options TEXT NOT NULL,
    owner TEXT
  ) STRICT;
INSERT INTO "runs" VALUES (1, 'smtscpaf4p', '2026-11-17T01:01:43.161Z', '2026-11-17T01:01:43.177Z', 'finished', 'PASS', 0, '0.1.0', null, '{"trials":2,"seed":null,"record_only":false,"allow_unscored":false,"min_pass_rate":null}', null);
CREATE TABLE run_scenarios (
    run_id TEXT NOT NULL REFERENCES runs (run_id),
    scenario_index INTEGER NOT NULL,
    name TEXT NOT NULL,
    file TEXT NOT NULL,
    adapter TEXT NOT NULL,
    model TEXT NOT NULL,
    scenario_hash TEXT NOT NULL,
    scenario TEXT NOT NULL,
    summary TEXT,
    PRIMARY KEY (run_id, scenario_index)
  ) STRICT;
INSERT INTO "run_scenarios" VALUES ('smtscpaf4p', 0, 'weather', 'weather.yaml', 'scripted', 'gpt-4o-mini', '243651b1ed5f92c22d3a51093397f0d93af1b7874cdbe8e85c3f67c12b36827a', '{"name":"weather","prompt":"What is the weather in Oslo?","tools":[{"name":"get_weather","description":"The weather in a city today.","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},"mock_response":"rain, 8 degrees"}],"assertions":[{"type":"tool_called","weight":1,"required":false,"tool":"get_weather","arguments":{"city":"Oslo"}},{"type":"output_contains","weight":1,"required":false,"value":"8 degrees","case_sensitive":true}],"threshold":0.8,"max_turns":10,"on_unmocked":"error","script":[{"tool_calls":[{"name":"get_weather","arguments":{"city":"Oslo"}}]},{"content":"It rains in Oslo, at 8 degrees."}]}', '{"name":"weather","file":"weather.yaml","model":"gpt-4o-mini","adapter":"scripted","threshold":0.8,"verdict":"PASS","trials_planned":2,"trials_total":2,"trials_scored":2,"trials_passed":2,"trials_failed":0,"trials_hard_failed":0,"trials_unscored":0,"stopped":null,"pass_rate":1,"pass_rate_ci":[0.3423802275066531,1],"pass_at_k":{"1":1,"2":1},"pass_hat_k":{"1":1,"2":1},"score_avg":1,"score_min":1,"score_p50":1,"score_p95":1,"cost_total_usd":null,"cost_per_trial_usd":null,"judge_cost_usd":0,"latency_p50":0.0029423739999999724,"latency_p95":0.004903721499999938,"retries":0,"assertion_failures":[],"errors":[]}');
CREATE TABLE trials (
    run_id TEXT NOT NULL,
    scenario_index INTEGER NOT NULL,
    trial_number INTEGER NOT NULL,
    trace_id TEXT REFERENCES traces (trace_id),
    result TEXT,
    PRIMARY KEY (run_id, scenario_index, trial_number),
    FOREIGN KEY (run_id, scenario_index) REFERENCES run_scenarios (run_id, scenario_index)
  ) STRICT, WITHOUT ROWID;
INSERT INTO "trials" VALUES ('smtscpaf4p', 0, 1, '5980ac0f760370f027e3d82ea0ed833b', '{"trial_number":1,"latency_seconds":0.005121648999999934,"cost_usd":null,"judge_cost_usd":0,"retries":0,"trace_id":"5980ac0f760370f027e3d82ea0ed833b","status":"passed","score":1,"passed":true,"eval_results":[{"assertion_type":"tool_called","assertion_id":"tool_called:get_weather {\"city\":\"Oslo\"}","score":1,"passed":true,"weight":1,"required":false,"status":"scored","details":"\"get_weather\" was called once with {\"city\":\"Oslo\"}","metadata":{"calls":1}},{"assertion_type":"output_contains","assertion_id":"output_contains:\"8 degrees\"","score":1,"passed":true,"weight":1,"required":false,"status":"scored","details":"the answer contains \"8 degrees\"","metadata":{}}],"error_message":null}');
INSERT INTO "trials" VALUES ('smtscpaf4p', 0, 2, '2f8c40ed8c33b6e4bbf5a618296662a3', '{"trial_number":2,"latency_seconds":0.0007630990000000111,"cost_usd":null,"judge_cost_usd":0,"retries":0,"trace_id":"2f8c40ed8c33b6e4bbf5a618296662a3","status":"passed","score":1,"passed":true,"eval_results":[{"assertion_type":"tool_called","assertion_id":"tool_called:get_weather {\"city\":\"Oslo\"}","score":1,"passed":true,"weight":1,"required":false,"status":"scored","details":"\"get_weather\" was called once with {\"city\":\"Oslo\"}","metadata":{"calls":1}},{"assertion_type":"output_contains","assertion_id":"output_contains:\"8 degrees\"","score":1,"passed":true,"weight":1,"required":false,"status":"scored","details":"the answer contains \"8 degrees\"","metadata":{}}],"error_message":null}');
CREATE INDEX runs_by_time ON runs (created_at, seq);
CREATE INDEX trials_by_trace ON trials (trace_id);
PRAGMA application_id = 1399617135;
PRAGMA user_version = 1;
