"""An agent in Python on any API like OpenAI's, which needs OPENAI_API_KEY: one JSON document in, one turn out.

Salvo answers the tool calls of the turn from the mocks, and asks again. It is called as a program, or, with a port as its
argument, as a server.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BASE = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")


def answer(asked):
    """`messages` are in the form of OpenAI: salvo.yaml has `messages_as: openai`."""
    tools = [{"type": "function", "function": tool} for tool in asked["tools"]]
    body = {"model": "gpt-6-luna", "messages": asked["messages"], "tools": tools}
    headers = {"content-type": "application/json", "authorization": f"Bearer {os.environ.get('OPENAI_API_KEY')}"}
    request = urllib.request.Request(f"{BASE}/chat/completions", json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        # The provider failed, and not the agent.
        return {"error": {"status": error.code, "message": error.read().decode()}}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = json.dumps(answer(asked)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format, *args):
        pass


if len(sys.argv) > 1:
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
else:
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
