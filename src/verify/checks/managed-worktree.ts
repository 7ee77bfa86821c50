import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeWorktree } from '../../workspaces/worktree.ts'
import { type Bench, type Check, must } from '../check.ts'
import { isDone, mustHaveAsked, THOROUGH, withDaemon } from '../managed-steps.ts'

const WRITTEN = 'scripted.txt'
const CONTENT = 'written by the scripted model\n'

function git({ cwd, home }: Bench, ...args: string[]): string {
  const identity = ['-c', 'user.name=verify', '-c', 'user.email=verify@localhost']
  const env = { HOME: home, PATH: process.env.PATH ?? '' }
  return execFileSync('git', [...identity, ...args], { cwd, env, encoding: 'utf8' })
}

/** Written by the agent, and in no commit. */
function mustHold(directory: string): void {
  const path = join(directory, WRITTEN)
  must(existsSync(path) && readFileSync(path, 'utf8') === CONTENT, `${path} is not what the agent has written`)
}

export const managedWorktree: readonly Check[] = [
  {
    name: 'managed-worktree',
    title: 'a worktree of its own: its work is kept, and it is made again for a restore',
    scenario: 'write',
    applies: (c) => THOROUGH.has(c.agent),
    run: (bench) =>
      withDaemon(bench, async (managed) => {
        git(bench, 'commit', '--quiet', '--allow-empty', '--message=first')
        const options = { approvalMode: 'yolo' } as const
        const { id, workspace } = await managed.daemon.spawn({ prompt: 'first words', worktree: {}, options })
        must(workspace.kind === 'worktree', `its workspace is a ${workspace.kind}`)
        await managed.until(id, 'done', (one) => isDone(bench, one) && one.usage.turns === 1)
        mustHold(workspace.path)
        must(!existsSync(join(bench.cwd, WRITTEN)), 'it has written into the directory of the user')
        await managed.client.call('kill', { id })

        // As when somebody clears away, or `amux rm` is killed half way.
        await removeWorktree(workspace, id)
        must(!existsSync(workspace.root), 'the worktree is still there')
        bench.server.use('text')
        const { plan } = await managed.restore(id, { prompt: 'last words' })
        must(plan.kind === 'native', `it came back as ${plan.kind}: ${plan.why}`)
        await managed.until(id, 'done again', (one) => one.launch === 2 && isDone(bench, one) && one.usage.turns === 2)
        mustHaveAsked(bench, 'first words', 'last words')
        mustHold(workspace.path)

        await managed.client.call('kill', { id })
        const { preserved } = await managed.client.call('removeSession', { id })
        must(preserved !== null, 'nothing was kept of its work')
        must(git(bench, 'show', `${preserved}:${WRITTEN}`) === CONTENT, 'what was kept is not what it has written')
        must(!existsSync(workspace.root), 'the worktree has outlived its session')
      }),
  },
]
