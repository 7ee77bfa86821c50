import type { ManagedSession } from '../../contract/api/managed-session.ts'
import { endpoint } from '../http/endpoint.ts'
import type { Restorer } from '../sessions/restore.ts'
import type { Sessions } from '../sessions/sessions.ts'

/** Managed sessions over HTTP. */
export function sessionEndpoints(sessions: Sessions, restorer: Restorer) {
  return {
    listSessions: endpoint('listSessions', (input): ManagedSession[] => sessions.list(input)),
    spawn: endpoint('spawn', (input) => sessions.spawn(input)),
    getSession: endpoint('getSession', ({ id }) => sessions.get(id)),
    removeSession: endpoint('removeSession', ({ id }) => sessions.remove(id)),
    send: endpoint('send', (input) => sessions.send(input)),
    interrupt: endpoint('interrupt', ({ id }) => sessions.interrupt(id)),
    pause: endpoint('pause', ({ id }) => sessions.command(id, { command: 'pause' })),
    resume: endpoint('resume', ({ id }) => sessions.command(id, { command: 'resume' })),
    setModel: endpoint('setModel', ({ id, model }) => sessions.command(id, { command: 'set_model', model })),
    kill: endpoint('kill', ({ id }) => sessions.kill(id)),
    planRestore: endpoint('planRestore', ({ id }) => restorer.plan(id)),
    restore: endpoint('restore', (input) => restorer.restore(input)),
    approvals: endpoint('approvals', ({ id }) => sessions.get(id).pending),
    answer: endpoint('answer', (input) => sessions.answer(input)),
    activity: endpoint('activity', ({ id }) => {
      const { evidence } = sessions.record(id)
      const standing = Object.values(evidence.standing).map(({ fact }) => fact)
      const facts = [...standing, ...Object.values(evidence.dialogs), ...(evidence.ended ? [evidence.ended] : [])]
      return { activity: sessions.get(id).activity, evidence: facts.toSorted((a, b) => b.at - a.at) }
    }),
    screen: endpoint('screen', ({ id }) => sessions.screen(id)),
    sessionEvents: endpoint('sessionEvents', (input) => sessions.changes(input)),
  }
}
