import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Policy, PolicyRule } from '../../contract/policy.ts'
import { joinPolicies, onlyNarrows, policyFault } from './check-policy.ts'
import { simpleCommands } from './commands.ts'
import { decide, type PolicyPlace, type PolicyRequest } from './decide.ts'
import { fitsPath, fitsText } from './glob.ts'

/** A file system without links, but for `/work/link`, which leads to `/etc`. */
const PLACE: PolicyPlace = {
  cwd: '/work',
  home: '/home/me',
  resolve(path, from) {
    const given = path.startsWith('~/') ? `/home/me/${path.slice(2)}` : path.startsWith('/') ? path : `${from}/${path}`
    const parts: string[] = []
    for (const part of given.split('/')) {
      if (part === '..') parts.pop()
      else if (part !== '' && part !== '.') parts.push(part)
    }
    const named = `/${parts.join('/')}`
    return { real: [named.replace(/^\/work\/link(?=\/|$)/, '/etc')], named }
  },
}

const policy = (...rules: PolicyRule[]): Policy => ({ version: 1, rules })
const run = (command: string): PolicyRequest => ({ kind: 'execute', paths: [], command, toolName: 'Bash' })
const edit = (...paths: string[]): PolicyRequest => ({ kind: 'edit', paths, toolName: 'Write' })
const verdict = (rules: Policy, request: PolicyRequest) => decide(rules, request, PLACE).decision

const GIT = policy({ allow: { command: 'git status*' } }, { allow: { command: 'git log*' } })

describe('a command', () => {
  test.each([
    'git status',
    'git status --short',
    '  git   status  ',
    'git status && git log -1',
    'git status; git log | git status\ngit log &',
    "bash -lc 'git status'",
    '/bin/bash -lc "git status && git log"',
    'git status 2>&1 >/dev/null',
    "git log --grep 'a && b; c'",
    '(git status)',
  ])('is allowed: %s', (command) => {
    expect(verdict(GIT, run(command))).toBe('allow')
  })

  test.each([
    'git status && rm -rf ~',
    'git status || rm -rf ~',
    'git status; rm -rf ~',
    'git status | sh',
    'git status |& sh',
    'git status & rm -rf ~',
    'git status\nrm -rf ~',
    'git status $(rm -rf ~)',
    'git status "$(rm -rf ~)"',
    'git status `rm -rf ~`',
    'git status "`rm -rf ~`"',
    'git status <(rm -rf ~)',
    'git status > ~/.bashrc',
    'git status >> /etc/passwd',
    'git status &> x',
    'git status >& x',
    'git status >| x',
    'git status 2>x',
    'git status < /etc/shadow',
    'git status <<EOF\nrm\nEOF',
    'git status # && rm',
    'git status\r\nrm -rf ~',
    'git status \u202e',
    'git status $((1))',
    'git status $' + '{IFS:-$(rm)}',
    "git status $'\\n'",
    '"git status"',
    'git\\ status',
    'LD_PRELOAD=./x.so git status',
    'env git status',
    'sudo git status',
    './git status',
    'cd /tmp/evil && git status',
    'eval git status',
    '. git status',
    '{ git status; }',
    'if git status; then rm -rf ~; fi',
    '! git status',
    'for i in 1; do git status; done',
    'function git { rm; }; git status',
    'git() { rm -rf ~; }; git status',
    'alias git=rm; git status',
    '$GIT status',
    'g* status',
    './bash -c "git status"',
    'bash -c "git status" "$X" y',
    'bash -c "git status; $X"',
    "git status 'unclosed",
    'git status )',
    'git status \\',
    '',
    '>x',
  ])('is not allowed: %j', (command) => {
    expect(verdict(GIT, run(command))).toBe('ask')
  })

  test.each([
    'rm -rf ~',
    '/bin/rm -rf ~',
    '\\rm -rf ~',
    '"rm" -rf ~',
    "r'm' -rf ~",
    'X=1 rm -rf ~',
    'sudo rm -rf ~',
    'sudo -u root rm -rf ~',
    'env X=1 rm -rf ~',
    'find . | xargs -n1 rm -f',
    'RM -rf ~',
    'echo $(rm -rf ~)',
    'echo `rm -rf ~`',
    'true && rm -rf ~',
    'true\nrm -rf ~',
    'nohup nice rm -rf ~ &',
    "bash -c 'rm -rf ~'",
    'sh -c \'bash -c "rm -rf ~"\'',
  ])('is denied: %j', (command) => {
    expect(verdict(policy({ allow: { kind: 'execute' } }, { deny: { command: 'rm *' } }), run(command))).toBe('deny')
  })

  it('is asked for when it is not understood, whatever is allowed', () => {
    const all: Policy = { version: 1, rules: [{ allow: {} }], default: 'allow' }
    expect(verdict(all, run('ls -l'))).toBe('allow')
    expect(verdict(all, run('for x in *; do rm $x; done'))).toBe('ask')
    expect(verdict(all, { kind: 'execute', command: 'ls' })).toBe('ask')
    expect(verdict(all, {})).toBe('ask')
  })

  it('may write where edits are allowed', () => {
    const rules = policy({ allow: { command: 'echo *' } }, { allow: { kind: 'edit', path: 'out/**' } })
    expect(verdict(rules, run('echo hi > out/x'))).toBe('allow')
    expect(verdict(rules, run('echo hi > out/../x'))).toBe('ask')
    expect(verdict(rules, run('echo hi > $OUT/x'))).toBe('ask')
    expect(verdict(policy(...rules.rules, { allow: { command: 'cd *' } }), run('cd /etc && echo hi > out/x'))).toBe(
      'ask',
    )
    expect(verdict(rules, { ...run('echo hi > out/x'), cwd: '/etc' })).toBe('ask')
  })

  it('that names a forbidden file is denied, and asked for where it may name one', () => {
    const rules = policy({ allow: { command: 'cat *' } }, { allow: { command: 'cd *' } }, { deny: { path: '**/.env' } })
    expect(verdict(rules, run('cat .env'))).toBe('deny')
    expect(verdict(rules, run('cat sub/../.env'))).toBe('deny')
    expect(verdict(rules, run('cat --file=.env'))).toBe('deny')
    expect(verdict(rules, run('cat < .env'))).toBe('deny')
    expect(verdict(rules, run('cat .e*'))).toBe('ask')
    expect(verdict(rules, run('cat $FILE'))).toBe('ask')
    expect(verdict(rules, run('cd sub && cat x'))).toBe('ask')
    expect(verdict(rules, run('cat README.md'))).toBe('allow')
  })

  it('is read in no time, however it is made', () => {
    const long = `git status ${'a'.repeat(20_000)}`
    expect(fitsText(`${'*a'.repeat(50)}b`, long)).toBe(false)
    expect(simpleCommands('('.repeat(5000))).toBeNull()
    expect(simpleCommands(`${'$('.repeat(3000)}${')'.repeat(3000)}`)).toBeNull()
  })
})

describe('a file', () => {
  const rules = policy(
    { allow: { kind: 'edit', path: 'src/**' } },
    { deny: { path: 'src/secret/**' }, reason: 'secret' },
  )

  test.each([
    ['src/a.ts', 'allow'],
    ['/work/src/deep/.hidden', 'allow'],
    ['src/../src/a', 'allow'],
    ['src/../../etc/passwd', 'ask'],
    ['/etc/passwd', 'ask'],
    ['srcs/a', 'ask'],
    ['SRC/a', 'ask'],
    ['~/src/a', 'ask'],
    ['link/passwd', 'ask'],
    ['src/secret/x', 'deny'],
    ['src/x/../secret/y', 'deny'],
    ['src/SECRET/x', 'deny'],
    ['src/secret', 'deny'],
  ] as const)('%s: %s', (path, decision) => {
    expect(verdict(rules, edit(path))).toBe(decision)
  })

  it('decides for all of a call', () => {
    expect(verdict(rules, edit('src/a', 'src/b'))).toBe('allow')
    expect(verdict(rules, edit('src/a', 'b'))).toBe('ask')
    expect(decide(rules, edit('src/a', 'src/secret/b'), PLACE)).toEqual({ decision: 'deny', reason: 'secret' })
    expect(verdict(rules, edit())).toBe('ask')
    expect(verdict(rules, { kind: 'edit' })).toBe('ask')
  })

  it('is found through links', () => {
    expect(verdict(policy({ allow: { path: '**' } }), edit('link/passwd'))).toBe('ask')
    expect(verdict(policy({ allow: {} }, { deny: { path: '/etc/**' } }), edit('link/passwd'))).toBe('deny')
    expect(verdict(policy({ allow: {} }, { deny: { path: 'link/**' } }), edit('/etc/passwd'))).toBe('deny')
  })

  it('is below the home or anywhere', () => {
    const denies = (path: string) => policy({ allow: {} }, { deny: { path } })
    expect(verdict(denies('~/.ssh/**'), edit('/home/me/.ssh/id'))).toBe('deny')
    expect(verdict(denies('/**/.env'), edit('/other/.env'))).toBe('deny')
    expect(verdict(denies('**/.env'), edit('/other/.env'))).toBe('allow')
    expect(verdict(denies('../other/*'), edit('/other/x'))).toBe('deny')
    expect(fitsPath('/a/*', '/a/b/c')).toBe(false)
    expect(fitsPath('/a/**/c', '/a/c')).toBe(true)
  })
})

it('denies what it sees of a command that is not shown in full, and asks about the rest', () => {
  const rules = policy({ allow: { command: '*' } }, { deny: { command: 'echo *' } })
  const part = (command: string): PolicyRequest => ({ kind: 'execute', command, toolName: 'Bash' })
  expect(verdict(rules, part('sleep 1; echo hi'))).toBe('deny')
  expect(verdict(rules, part('sleep 1'))).toBe('ask')
})

it('goes by kind and tool', () => {
  const rules = policy({ allow: { kind: 'mcp', tool: 'mcp__docs__*' } }, { ask: { kind: 'fetch' } }, { allow: {} })
  expect(verdict(rules, { kind: 'mcp', paths: [], toolName: 'mcp__docs__search' })).toBe('allow')
  expect(verdict(rules, { kind: 'fetch', paths: [], toolName: 'WebFetch' })).toBe('ask')
  expect(verdict(policy({ allow: { tool: 'A*' } }), { kind: 'other', paths: [] })).toBe('ask')
  expect(verdict({ version: 1, rules: [], default: 'deny' }, run('ls'))).toBe('deny')
})

const text = fc.constantFrom('git status', 'rm -rf ~', 'echo a > src/x', 'cat .env', 'git status && rm x', 'ls $(rm)')
const glob = fc.constantFrom('*', 'git *', 'rm *', 'echo *', 'cat *', '*x', 'ls*')
const path = fc.constantFrom('src/**', '**', '/etc/**', '**/.env', '~/**', 'src/*', '../x')
const kind = fc.constantFrom('read' as const, 'edit' as const, 'execute' as const, 'other' as const)
const match = fc.record({ kind, path, command: glob, tool: glob }, { requiredKeys: [] })
const rule = fc.oneof(
  match.map((allow): PolicyRule => ({ allow })),
  match.map((deny): PolicyRule => ({ deny })),
  match.map((ask): PolicyRule => ({ ask })),
)
const request: fc.Arbitrary<PolicyRequest> = fc.oneof(
  text.map(run),
  fc.string().map(run),
  fc
    .array(fc.constantFrom('src/a', '.env', '/etc/x', 'link/y', '~/z'), { maxLength: 3 })
    .map((paths) => edit(...paths)),
)
const RANK = { allow: 0, ask: 1, deny: 2 }

it('never allows more with another rule that forbids or asks, wherever it is', () => {
  const narrowing = fc.oneof(
    match.map((deny): PolicyRule => ({ deny })),
    match.map((ask): PolicyRule => ({ ask })),
  )
  fc.assert(
    fc.property(fc.array(rule), narrowing, fc.nat(), request, (rules, added, at, asked) => {
      const place = rules.length === 0 ? 0 : at % rules.length
      const before = verdict(policy(...rules), asked)
      const after = verdict(policy(...rules.slice(0, place), added, ...rules.slice(place)), asked)
      expect(RANK[after]).toBeGreaterThanOrEqual(RANK[before])
    }),
    { numRuns: 2000 },
  )
})

it('does not depend on the order of rules', () => {
  fc.assert(
    fc.property(fc.array(rule), request, (rules, asked) => {
      expect(verdict(policy(...rules.toReversed()), asked)).toBe(verdict(policy(...rules), asked))
    }),
  )
})

it('lets one command pass only if each of its parts passes alone', () => {
  const part = fc.constantFrom('git status', 'git log', 'rm x', 'echo "a && b"', "cat 'x'", 'ls -l')
  const operator = fc.constantFrom('&&', '||', ';', '|', '&', '\n')
  fc.assert(
    fc.property(fc.array(rule), part, operator, part, (rules, one, by, other) => {
      const all = policy(...rules)
      const joint = RANK[verdict(all, run(`${one} ${by} ${other}`))]
      expect(joint).toBe(Math.max(RANK[verdict(all, run(one))], RANK[verdict(all, run(other))]))
    }),
  )
})

describe('policyFault', () => {
  test.each([
    [{ version: 1, rules: [] }, null],
    [{ version: 1, rules: [{ deny: { path: '../x/**' }, reason: 'no' }], default: 'deny' }, null],
    [null, 'it must be an object with version and rules'],
    [{ version: 2, rules: [] }, 'version must be 1'],
    [{ version: 1 }, 'rules must be a list'],
    [{ version: 1, rules: [], defaults: 'deny' }, '"defaults" is not a field of a policy'],
    [{ version: 1, rules: [], default: 'no' }, 'default must be "allow", "deny" or "ask"'],
    [{ version: 1, rules: [{ allow: {}, deny: {} }] }, 'rule 1: it must have exactly one of allow, deny and ask'],
    [{ version: 1, rules: [{}] }, 'rule 1: it must have exactly one of allow, deny and ask'],
    [{ version: 1, rules: [{ forbid: {} }] }, 'rule 1: "forbid" is not allow, deny or ask'],
    [{ version: 1, rules: [{ deny: { paths: 'x' } }] }, 'rule 1: "paths" is not kind, path, command or tool'],
    [
      { version: 1, rules: [{ deny: { kind: 'write' } }] },
      'rule 1: "write" is not one of read, edit, execute, fetch, mcp, other',
    ],
    [{ version: 1, rules: [{ deny: { path: 'a/../b' } }] }, 'rule 1: path may have ".." only at its beginning'],
    [{ version: 1, rules: [{ allow: { kind: 'execute', path: 'a' } }] }, 'rule 1: a path can allow only read and edit'],
    [{ version: 1, rules: [{ deny: { kind: 'edit', command: 'a' } }] }, 'rule 1: only execute has a command'],
  ])('%j', (value, fault) => {
    expect(policyFault(value)).toBe(fault)
  })
})

it('joins two policies to one that allows no more than either', () => {
  expect(onlyNarrows(policy({ deny: {} }))).toBe(true)
  expect(onlyNarrows(policy({ allow: { kind: 'read' } }))).toBe(false)
  expect(onlyNarrows({ version: 1, rules: [], default: 'allow' })).toBe(false)
  const narrow = fc.array(match.map((deny): PolicyRule => ({ deny })))
  fc.assert(
    fc.property(fc.array(rule), narrow, request, (own, other, asked) => {
      const joint = verdict(joinPolicies(policy(...own), policy(...other)), asked)
      expect(RANK[joint]).toBeGreaterThanOrEqual(RANK[verdict(policy(...own), asked)])
    }),
  )
})
