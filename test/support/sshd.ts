import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { quoteWord } from '../../src/core/command-line.ts'
import { until } from './until.ts'

const PLACES = ['/usr/sbin/sshd', '/usr/bin/sshd', '/usr/local/sbin/sshd', '/opt/homebrew/sbin/sshd']

/** Null on a machine that has none, or no client to go with it, and for a user whom the machine does not know. */
export function findSshd(): string | null {
  if (userName() === null) return null
  const hasClient = ['ssh', 'ssh-keygen'].every((name) =>
    (process.env.PATH ?? '').split(':').some((directory) => existsSync(join(directory, name))),
  )
  return hasClient ? (PLACES.find(existsSync) ?? null) : null
}

/** Null for a user without an entry, as in many containers: ssh refuses those. */
function userName(): string | null {
  try {
    return userInfo().username
  } catch {
    return null
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** A server on loopback with keys of its own, for the user that runs the tests. `command` is how to get there. */
export async function startSshd(sshd: string, directory: string): Promise<{ command: string; stop(): void }> {
  mkdirSync(directory, { mode: 0o700 })
  const file = (name: string) => join(directory, name)
  for (const key of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(key)])
  }
  copyFileSync(file('user.pub'), file('authorized'))
  const port = await freePort()
  writeFileSync(
    file('config'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey "${file('host')}"`,
      `AuthorizedKeysFile "${file('authorized')}"`,
      `PidFile "${file('pid')}"`,
      'StrictModes no',
      'PermitRootLogin prohibit-password',
      'PasswordAuthentication no',
    ].join('\n'),
  )
  // The directory that it drops its privileges in; packages make it at boot only.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const server = spawn(sshd, ['-D', '-e', '-f', file('config')], { stdio: 'ignore' })
  const options = [`IdentityFile="${file('user')}"`, 'IdentitiesOnly=yes', 'BatchMode=yes', 'LogLevel=ERROR']
  const trust = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null']
  const flags = [...options, ...trust].flatMap((option) => ['-o', option])
  const words = ['-T', '-F', '/dev/null', ...flags, '-p', String(port), `${userName()}@127.0.0.1`]
  await until('the ssh server answers', () => answers([...words, 'true']))
  return { command: ['ssh', ...words].map(quoteWord).join(' '), stop: () => void server.kill() }
}

function answers(words: string[]): boolean {
  try {
    execFileSync('ssh', words, { stdio: 'ignore', timeout: 5000 })
    return true
  } catch {
    return false
  }
}
