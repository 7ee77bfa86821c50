// Who works and who waits, from the daemon of this user, which is started when none runs.
import { DaemonClient } from 'agent-mux/client'

await using daemon = await DaemonClient.connect()
const sessions = await daemon.call('listSessions')
for (const { id, agent, activity } of sessions) console.log(id, agent, activity.state)

await using changes = daemon.changes()
for await (const change of changes) {
  console.log(change.kind)
  if (change.kind === 'session') break
}
