"""An agent in Python: one JSON document in, one turn out. Salvo answers the tool calls, and asks again."""

import json
import sys

asked = json.load(sys.stdin)

# This stands for your own model, which needs no key here. It looks the order up, refunds it, and says so. With a model,
# send it asked["messages"] and asked["tools"]. Print nothing else to standard output.
results = [message for message in asked["messages"] if message["role"] == "tool_result"]
names = ["lookup_order", "issue_refund"]
if len(results) < len(names):
    turn = {"tool_calls": [{"name": names[len(results)], "arguments": {"order_id": "A-1001"}}]}
else:
    turn = {"content": "I refunded 49.90."}

json.dump({**turn, "model": "gpt-6-luna", "usage": {"input_tokens": 120, "output_tokens": 12}}, sys.stdout)
