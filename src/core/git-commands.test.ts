import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterCommand, NO_GIT_WORK } from './git-work.ts'

// Real git, in a repository with a remote. `gh` prints what gh 2 prints where it has no terminal.
const GH = `#!/bin/sh
case "$*" in
  *--dry-run*) echo "Would have created a Pull Request with:"; echo "body: see https://github.com/acme/shop/pull/7";;
  pr\\ create*|pr\\ new*|-R*pr\\ create*) n=$(cat "$GH_COUNT" 2>/dev/null || echo 41); n=$((n+1)); echo $n > "$GH_COUNT"
    echo "https://github.com/acme/shop/pull/$n";;
  pr\\ view*) echo "https://github.com/acme/shop/pull/7";;
  pr\\ checkout*) git checkout -b theirs 2>&1;;
  *) exit 1;;
esac
`
let root = ''
let base = ''
const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' }
const environment = () => ({ ...who, PATH: `${join(root, 'bin')}:${process.env.PATH}`, HOME: root, LC_ALL: 'C' })

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, env: environment(), encoding: 'utf8' }).trim()
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'agent-mux-git-'))
  mkdirSync(join(root, 'bin'))
  writeFileSync(join(root, 'bin', 'gh'), GH, { mode: 0o755 })
  const first = join(root, 'first')
  mkdirSync(first)
  git(first, 'init', '-q', '-b', 'main', '.')
  git(first, 'init', '-q', '--bare', join(first, 'remote.git'))
  git(first, 'remote', 'add', 'origin', './remote.git')
  git(first, 'commit', '-q', '--allow-empty', '-m', 'Base')
  base = git(first, 'rev-parse', 'HEAD')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

let count = 0
/** What was noticed, and what is true, after a command in a new repository. */
function run(command: string) {
  const cwd = join(root, `r${++count}`)
  cpSync(join(root, 'first'), cwd, { recursive: true })
  const env = { ...environment(), GH_COUNT: join(cwd, '.git', 'gh-count') }
  const { stdout, status } = spawnSync('bash', ['-c', `exec 2>&1\n${command}`], { cwd, env, encoding: 'utf8' })
  const noticed = afterCommand(NO_GIT_WORK, { command, output: stdout, failed: status !== 0 })
  const log = git(cwd, 'log', '--reverse', '--format=%h %s', '--all', '--not', base)
  return {
    ...{ noticed, output: stdout, branch: git(cwd, 'branch', '--show-current') || null },
    commits: log === '' ? [] : log.split('\n'),
    noticedCommits: noticed.commits.map(({ hash, subject }) => `${hash} ${subject}`),
    pullRequests: noticed.pullRequests.map(({ number }) => number),
  }
}

const COMMIT = 'echo x > f && git add f && git commit -m'

test.each([
  `${COMMIT} Fix`,
  `${COMMIT} 'Fix "it"; then (go on) && gh pr merge 42'`,
  `${COMMIT} "$(cat <<'EOF'\nFix it\n\ngh pr create --fill && git checkout -b other\nEOF\n)"`,
  `cat > notes.md <<'EOF'\na note\nEOF\ngit add -A && git commit -m "Add notes"`,
  `bash -lc '${COMMIT} Inside'`,
  `if ${COMMIT} "In a condition"; then echo done; fi`,
  `sudo -n true; env -u X LC_ALL=C nice -n 1 timeout -s KILL 60 git commit --allow-empty -m Wrapped`,
  `git --git-dir .git --work-tree . commit --allow-empty -m Options`,
  `for i in 1 2 3; do git commit --allow-empty -m "Step $i"; done`,
  `git commit --allow-empty -m One && git commit --allow-empty -m Two`,
  `git commit --allow-empty -m Typo && git commit --allow-empty --amend -m Right`,
  `git -c color.ui=always commit --allow-empty -m Coloured`,
  `git checkout --orphan fresh -q && git commit --allow-empty -m Root`,
  `printf '#!/bin/sh\\necho "[pid 1234567] checks"\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git commit --allow-empty -m Hooked`,
  `${COMMIT} Fix; npm-test-that-is-not-there`,
  `git checkout -b topic && git commit --allow-empty -m A && git checkout main && git cherry-pick --allow-empty topic`,
])('commits and the branch after %s', (command) => {
  const { noticed, branch, commits, noticedCommits, output } = run(command)
  expect(noticedCommits.toSorted(), output).toEqual(commits.toSorted())
  expect(noticed.branch, output).toBe(branch)
  expect(noticed.pullRequests).toEqual([])
})

test.each([
  'git checkout -b topic',
  'git checkout -qb topic',
  'git switch -c topic main',
  'git switch --create topic -q',
  'git checkout -b topic && false',
  'git branch -m better',
  'git checkout -b topic && git push -u origin HEAD',
  'git checkout -qb topic && git push -u origin topic && git push -f origin topic',
  'git switch -qc topic; git push origin HEAD:refs/heads/topic',
  'gh pr checkout 7',
  'b=topic; git checkout -b "$b"',
  'git checkout -b topic main && git push origin HEAD && git tag v1 && git push origin v1',
])('the branch after %s', (command) => {
  const { noticed, branch, output } = run(command)
  expect(noticed.branch, output).toBe(branch)
})

test.each([
  'echo "git checkout -b other; git commit -m x"',
  'cat > run.sh <<EOF\ngit checkout -b other\ngh pr create --fill\nEOF\ngh pr view 7 --json url -q .url',
  'echo "then (gh pr create --fill) https://github.com/acme/shop/pull/9"',
  '# gh pr create --fill\ngh pr view 7',
  'gh pr create --dry-run --body "see https://github.com/acme/shop/pull/7"',
  'git tag v1 && git push origin v1',
  'b=x; git checkout -q -b "$b"; git checkout -q main',
  'grep -rn "gh pr create" . || gh pr view',
])('nothing is noticed after %s', (command) => {
  const { noticed, output } = run(command)
  expect(noticed, output).toEqual(NO_GIT_WORK)
})

test.each([
  ['gh pr create --fill', [42]],
  ['gh pr create --fill && npm-test-that-is-not-there', [42]],
  ['gh pr create --fill && gh pr view 7 --json url -q .url', [42]],
  ['gh pr view 7; gh pr create --fill', [42]],
  ['for b in a b; do gh pr create --head $b; done', [42, 43]],
  ['gh pr create --head a; gh pr create --head b', [42, 43]],
  ['gh -R acme/shop pr create --fill', [42]],
  ['sh -c "gh pr create --fill"', [42]],
  ['url=`gh pr create --fill`; echo "made: $url"', [42]],
])('pull requests made by %s', (command, numbers) => {
  const { pullRequests, output } = run(command)
  expect(pullRequests, output).toEqual(numbers)
})
