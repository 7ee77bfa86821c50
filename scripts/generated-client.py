"""Calls a running daemon with the client that was generated from its own OpenAPI document."""

import os
import sys

from client import AuthenticatedClient
from client.api.default import health, list_agents, list_sessions

daemon = AuthenticatedClient(base_url=sys.argv[1], token=os.environ["AGENT_MUX_TOKEN"], raise_on_unexpected_status=True)


def call(operation):
    answer = operation.sync_detailed(client=daemon)
    assert answer.status_code == 200, f"{operation.__name__}: {answer.status_code}"
    return answer.parsed


assert call(health).version, "health has no version"
assert call(list_sessions) == [], "a new daemon has no sessions"
agents = call(list_agents)
assert any(one.agent == "claude" for one in agents), "claude is not in the list of agents"
print(f"the generated client works: health, sessions, {len(agents)} agents")
