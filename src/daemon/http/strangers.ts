import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Connections that have shown the token. */
const known = new WeakSet<object>()

/** This one has shown the token. */
export function letIn(connection: unknown): void {
  if (typeof connection === 'object' && connection !== null) known.add(connection)
}

/**
 * Any process of this machine can connect, also of other users. So many that have not shown the token may wait; the
 * oldest of them makes room for a new one, so that those who know the token always get through.
 */
export function limitStrangers(server: Server, most: number): void {
  const strangers = new Set<Socket>()
  server.on('connection', (socket) => {
    strangers.add(socket)
    socket.once('close', () => strangers.delete(socket))
    for (const one of strangers) {
      if (strangers.size <= most) return
      strangers.delete(one)
      if (!known.has(one)) one.destroy()
    }
  })
}
