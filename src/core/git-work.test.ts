import { expect, test } from 'vitest'
import type { AgentEventDraft } from '../contract/event-drafts.ts'
import type { AgentEvent } from '../contract/events.ts'
import { completeDraft } from './complete-draft.ts'
import { afterCommand, NO_GIT_WORK } from './git-work.ts'
import { commandOf, followCommands } from './open-commands.ts'

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

test('a long command is kept where it starts something', () => {
  const file = `cat > notes.md <<'END'\n${'a line of notes\n'.repeat(3000)}END\n`
  const message = `git commit -m "${'why '.repeat(10_000)}" && `
  for (const before of [file, message, file + message]) {
    const input = { command: `${before}gh pr create --fill` }
    const draft: AgentEventDraft = { type: 'tool_call_ready', toolCallId: 't', toolName: 'Bash', input }
    completeDraft(draft, { runId: 'r', agent: 'claude', timestamp: 1 })
    const [kept] = Object.values(followCommands({}, draft).open)
    expect(kept?.command.length).toBeLessThan(20_000)
    expect(after(kept?.command ?? '', `[main 1a2b3c4] why\n${URL}\n`)).toMatchObject({
      commits: before === file ? [] : [{ hash: '1a2b3c4' }],
      pullRequests: [{ number: 42 }],
    })
  }
})

test.each([
  [
    'with a key',
    `curl -s -H "Authorization: token $T" https://api.github.com/repos/acme/shop/pulls -d '{"title":"x"}'`,
  ],
  ['by its method', 'curl -X POST https://api.github.com/repos/acme/shop/pulls --data @body.json'],
  ['of gh', 'gh api -X POST /repos/acme/shop/pulls --input body.json'],
  ['of GraphQL', "gh api graphql -f query='mutation { createPullRequest(input: {}) { pullRequest { url } } }'"],
])('made by a request %s', (_how, command) => {
  const answer = `{"url":"https://api.github.com/repos/acme/shop/pulls/42","html_url":"${URL}","body":"as ${URL}9"}`
  expect(after(command, answer).pullRequests).toMatchObject([{ url: URL }])
  expect(after(`${command} | jq -r .html_url`, `${URL}\n`).pullRequests).toMatchObject([{ url: URL }])
})

test.each([
  'gh api -X GET repos/acme/shop/pulls -f state=open',
  'gh api --method=GET repos/acme/shop/pulls -F per_page=5',
  'curl -s https://api.github.com/repos/acme/shop/pulls',
  'curl -X POST https://api.github.com/repos/acme/shop/pulls/42/reviews -d @review.json',
])('%s makes none', (command) => {
  expect(after(command, `[{"html_url":"${URL}"}]`).pullRequests).toEqual([])
})

test('made by the tool of an MCP server', () => {
  const input = { owner: 'acme', repo: 'shop', title: 'Fix', pullNumber: 42 }
  const [make = '', merge = ''] = ['mcp__github__create_pull_request', 'merge_pull_request'].map((name) =>
    commandOf(input, name),
  )
  const made = after(make, `{"id":"1","url":"${URL}"}`)
  expect(made.pullRequests).toEqual([{ url: URL, number: 42, state: 'open' }])
  expect(afterCommand(made, { command: merge, output: '', failed: false }).pullRequests).toMatchObject([
    { state: 'merged' },
  ])
  expect(commandOf(input, 'mcp__github__get_pull_request')).toBeUndefined()
})

test.each([
  ['gh pr merge --repo acme/shop 42 --squash', 'merged'],
  ['gh pr merge --squash --subject "Fix it" --body text', 'merged'],
  ['gh pr merge https://github.com/acme/shop/pull/42/ -d', 'merged'],
  ['gh pr merge "#42"', 'merged'],
  ['gh pr merge --auto --squash 42', 'open'],
  ['gh pr close 42 --comment "gh pr merge 42"', 'closed'],
  ['git commit -m "then gh pr merge 42; gh pr close 42"', 'open'],
])('after %s it is %s', (command, state) => {
  const open = after('gh pr create --fill', CREATED)
  expect(afterCommand(open, { command, output: '', failed: false }).pullRequests).toMatchObject([{ state }])
})

test('of commands that are never ended the newest are kept', () => {
  for (const [size, kept] of [
    [10, 50],
    [100_000, 4],
  ] as const) {
    let open = {}
    const follow = (draft: AgentEventDraft) => {
      completeDraft(draft, { runId: 'r', agent: 'claude', timestamp: 1 })
      open = followCommands(open, draft).open
    }
    for (let n = 0; n < 500; n++) {
      const input = { command: `git commit -m ${'x'.repeat(size)}` }
      follow({ type: 'tool_call_ready', toolCallId: `t${n}`, toolName: 'Bash', input })
    }
    expect(Object.keys(open)).toHaveLength(kept)
    for (const toolCallId of Object.keys(open)) {
      follow({ type: 'shell_stdout_delta', toolCallId, delta: 'y'.repeat(100_000) })
    }
    expect(Object.keys(open)).toContain('t499')
    // They are written with the session again and again.
    expect(JSON.stringify(open).length).toBeLessThan(100_000)
  }
})
