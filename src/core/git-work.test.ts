import { expect, test } from 'vitest'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent } from '../contract/events.ts'
import { completeDraft } from './complete-draft.ts'
import { afterCommand, commandOf, followCommands, NO_GIT_WORK } from './git-work.ts'

const after = (command: string, output: string, failed = false) =>
  afterCommand(NO_GIT_WORK, { command, output, failed })

const CREATED = `
Creating pull request for fix/login into main in acme/shop

https://github.com/acme/shop/pull/42
`
const URL = 'https://github.com/acme/shop/pull/42'

test('a pull request is the one that was created', () => {
  const made = { url: URL, number: 42, state: 'open' }
  expect(
    after('gh pr create --title "Fix" --body "See https://github.com/acme/shop/pull/7"', CREATED).pullRequests,
  ).toEqual([made])
  expect(after('cd shop && git push -u origin HEAD && gh pr create --fill', CREATED).pullRequests).toEqual([made])
  expect(after('GH_TOKEN=x /usr/bin/gh pr create --fill', CREATED).pullRequests).toEqual([made])
  const merge = 'https://gitlab.example.com/a/b/c/-/merge_requests/9'
  expect(after('glab mr create --fill', `!9 Fix\n ${merge}\n`).pullRequests).toMatchObject([{ url: merge, number: 9 }])
})

const GITLAB = 'https://gitlab.example.com/a/b/-/merge_requests/9'
const GITEA = 'https://git.example.com/a/b/pulls/3'

test.each([
  ['gh pr new --fill', CREATED, URL],
  ['url=$(gh pr create --fill) && echo "$url"', `${URL}\n`, URL],
  ['(cd shop && timeout 60 gh pr create --fill)', CREATED, URL],
  ['gh --repo acme/shop pr create --fill', CREATED, URL],
  ['git push && gh pr create --body "$(cat <<EOF\nsee `x`; (y)\nEOF\n)"', CREATED, URL],
  ['gh pr create --fill', `{"number":42,"url":"${URL}"}`, URL],
  [
    'gh api repos/acme/shop/pulls -f title=Fix -f head=fix -f base=main',
    `{"url":"https://api.github.com/repos/acme/shop/pulls/42","html_url":"${URL}","user":{"html_url":"https://github.com/x"}}`,
    URL,
  ],
  [
    'git push -o merge_request.create',
    `remote: \nremote: View merge request for topic:\nremote:   ${GITLAB}\nremote: \nTo gitlab.example.com:a/b.git`,
    GITLAB,
  ],
  ['git push', `remote: Visit the existing pull request:\nremote:   ${GITEA} merges into main\nremote:`, GITEA],
])('made by %s', (command, output, url) => {
  expect(
    after(command, output)
      .pullRequests.map((one) => one.url)
      .join(' '),
  ).toBe(url)
})

test.each([
  ['a mention in a text', 'echo see https://github.com/acme/shop/pull/42', `see ${URL}`],
  ['a list', 'gh pr list', `42  Fix login  fix/login  OPEN\n${URL}`],
  ['one that is looked at', 'gh pr view 42', `title: Fix\nurl: ${URL}`],
  ['an offer to make one', 'git push -u origin topic', `remote: https://github.com/acme/shop/pull/new/topic`],
  ['an offer of GitLab', 'git push', `remote: To create a merge request for a, visit:\nremote:   ${GITLAB}/new?x=1`],
  ['a list of the interface', 'gh api repos/acme/shop/pulls', `[{"html_url":"${URL}"}]`],
  ['a file that names the command', "cat notes.md | grep 'gh pr create'", CREATED],
])('%s is none', (_what, command, output) => {
  expect(after(command, output).pullRequests).toEqual([])
})

test('a command that failed has made none', () => {
  const output = `a pull request for branch "fix" into branch "main" already exists:\n${URL}`
  expect(after('gh pr create --fill', output, true).pullRequests).toEqual([])
})

test('what becomes of it is seen', () => {
  const open = after('gh pr create --fill', CREATED)
  expect(afterCommand(open, { command: 'gh pr merge --squash', output: '', failed: false }).pullRequests).toMatchObject(
    [{ state: 'merged' }],
  )
  expect(afterCommand(open, { command: 'gh pr close 42', output: '', failed: false }).pullRequests).toMatchObject([
    { state: 'closed' },
  ])
  expect(afterCommand(open, { command: 'gh pr merge 7', output: '', failed: false })).toEqual(open)
})

test('commits and branches', () => {
  const commit = '[fix/login 1a2b3c4] Fix the login\n 2 files changed, 3 insertions(+)\n'
  expect(after('git add -A && git commit -m "Fix the login"', commit)).toMatchObject({
    branch: 'fix/login',
    commits: [{ hash: '1a2b3c4', subject: 'Fix the login' }],
  })
  const hook = `lint ok\n[main (root-commit) abcdef0] First\n`
  expect(after('git -c user.name=x commit -m First', hook).commits, 'options come before').toHaveLength(1)
  expect(after('git commit -m First', hook)).toMatchObject({ branch: 'main', commits: [{ hash: 'abcdef0' }] })
  expect(after('git commit -m x', 'On branch main\nnothing to commit, working tree clean\n', true).commits).toEqual([])
  expect(after('git log --oneline', commit).commits, 'of a log').toEqual([])
  expect(after('git checkout -b topic/a', "Switched to a new branch 'topic/a'").branch).toBe('topic/a')
  expect(after('git switch -c "topic b"', '').branch).toBe('topic b')
  expect(after('git checkout main', "Switched to branch 'main'\nYour branch is up to date").branch).toBe('main')
  expect(after('git checkout -- file.ts', 'Updated 1 path from the index').branch).toBeNull()
  const push = 'To github.com:acme/shop.git\n * [new branch]      topic -> topic\n'
  expect(after('git push -u origin topic', push).branch).toBe('topic')
})

test('commands are found in the calls of tools, whatever the agent calls them', () => {
  expect(commandOf({ command: 'git status' })).toBe('git status')
  expect(commandOf({ cmd: ['bash', '-lc', 'git status'] })).toBe('git status')
  expect(commandOf({ path: 'x' })).toBeUndefined()
  let open = {}
  const take = (draft: AgentEventDraft) => {
    completeDraft(draft, { runId: 'r', agent: 'a', timestamp: 1 })
    const event: AgentEvent = draft
    const next = followCommands(open, event)
    open = next.open
    return next.ran
  }
  const tool = { toolCallId: 't1', toolName: 'Bash' }
  expect(take({ type: 'tool_call_ready', ...tool, input: { command: 'gh pr create' } })).toBeNull()
  expect(take({ type: 'shell_stdout_delta', toolCallId: 't1', delta: URL })).toBeNull()
  const result = take({ type: 'tool_result', ...tool, output: { stdout: '', exit_code: 0 } })
  expect(result).toMatchObject({ command: 'gh pr create', output: expect.stringContaining(URL), failed: false })
})

test('of commands that are never ended the newest are kept', () => {
  let open = {}
  for (let n = 0; n < 500; n++) {
    const input = { command: `git commit -m ${'x'.repeat(100_000)}` }
    const draft: AgentEventDraft = { type: 'tool_call_ready', toolCallId: `t${n}`, toolName: 'Bash', input }
    completeDraft(draft, { runId: 'r', agent: 'claude', timestamp: 1 })
    open = followCommands(open, draft).open
  }
  expect(Object.keys(open)).toHaveLength(50)
  expect(Object.keys(open)).toContain('t499')
  expect(JSON.stringify(open).length).toBeLessThan(1024 * 1024)
})
