import type { ToolAccess } from '../../contract/events.ts'
import type { Policy, PolicyDecision, PolicyMatch, PolicyRule } from '../../contract/policy.ts'
import { type SimpleCommand, simpleCommands } from './commands.ts'
import { fitsPath, fitsText } from './glob.ts'
import type { ShellWord } from './shell-words.ts'

export interface PolicyRequest extends ToolAccess {
  toolName?: string | undefined
}

/** A path in all the ways in which it can be meant. */
export interface ResolvedPath {
  /** What is touched, without links; several where agents and systems differ in what they make of it. */
  real: string[]
  /** As it is written, but absolute. */
  named: string
}

export interface PolicyPlace {
  /** Of the run, without links. */
  cwd: string
  home: string
  resolve(path: string, from: string): ResolvedPath
}

export interface PolicyVerdict {
  decision: PolicyDecision
  reason: string
}

/** A part of a request that is judged by itself. */
interface Part {
  kind: PolicyRequest['kind']
  tool: string | undefined
  command?: SimpleCommand
  /** Left out for a read or an edit: not known. */
  path?: ResolvedPath
  /** Not understood: all that is known is this text. */
  raw?: string
  place: PolicyPlace
  /** Words of a command may be files; without these nobody can say which. */
  isMoving?: boolean
}

type Fit = 'yes' | 'no' | 'maybe'

const ORDER: readonly PolicyDecision[] = ['allow', 'ask', 'deny']

/** One verdict for a request: the most restrictive one of its parts. */
export function decide(policy: Policy, request: PolicyRequest, place: PolicyPlace): PolicyVerdict {
  const verdicts = partsOf(request, place).map((part) => decidePart(policy, part))
  return verdicts.reduce((worst, one) => (rank(one) > rank(worst) ? one : worst))
}

function rank({ decision }: PolicyVerdict): number {
  return ORDER.indexOf(decision)
}

function partsOf(request: PolicyRequest, place: PolicyPlace): [Part, ...Part[]] {
  const { kind, paths, command, toolName: tool } = request
  const unknown: Part = { kind, tool, place, raw: command ?? '' }
  if (kind === 'execute') {
    const parts = commandParts(request, place) ?? []
    const [first, ...rest] = paths === undefined ? [unknown, ...parts] : parts
    return first ? [first, ...rest] : [unknown]
  }
  if (kind === undefined || paths === undefined) return [unknown]
  if (kind !== 'read' && kind !== 'edit') return [{ kind, tool, place }]
  const [first, ...rest] = paths.map((path): Part => ({ kind, tool, place, path: place.resolve(path, place.cwd) }))
  return first ? [first, ...rest] : [{ kind, tool, place }]
}

/** Each command, and each file that one is redirected to or from. Null: not understood. */
function commandParts(request: PolicyRequest, runPlace: PolicyPlace): Part[] | null {
  const { command = '', cwd = runPlace.cwd, toolName: tool } = request
  const found = simpleCommands(command)
  if (found === null) return null
  // Patterns are relative to the directory of the run, words to that of the command.
  const place: PolicyPlace = { ...runPlace, resolve: (path) => runPlace.resolve(path, cwd) }
  const files = (kind: 'read' | 'edit', words: readonly ShellWord[]): Part[] =>
    words
      .filter(({ text }) => text !== '/dev/null')
      .map(({ text, isDynamic }) => {
        const isKnown = !isDynamic && (!found.moves || isAnchored(text))
        return isKnown ? { kind, tool, place, path: place.resolve(text, cwd) } : { kind, tool, place }
      })
  const commands = found.commands.map(
    (one): Part => ({ kind: 'execute', tool, place, command: one, isMoving: found.moves }),
  )
  return [...commands, ...files('read', found.reads), ...files('edit', found.writes)]
}

function isAnchored(path: string): boolean {
  return path.startsWith('/') || path.startsWith('~/')
}

function decidePart(policy: Policy, part: Part): PolicyVerdict {
  const { rules, default: otherwise = 'ask' } = policy
  for (const [index, rule] of rules.entries()) {
    if (rule.deny && forbids(rule.deny, part) === 'yes')
      return { decision: 'deny', reason: reasonOf(rule, index, 'deny') }
  }
  for (const [index, rule] of rules.entries()) {
    if (rule.deny && forbids(rule.deny, part) === 'maybe') {
      return { decision: 'ask', reason: `It is not certain whether rule ${index + 1} of the policy forbids it.` }
    }
    if (rule.ask && forbids(rule.ask, part) !== 'no') return { decision: 'ask', reason: reasonOf(rule, index, 'ask') }
  }
  if (part.raw !== undefined && otherwise !== 'deny') {
    return { decision: 'ask', reason: 'The policy does not understand what it would do.' }
  }
  const allowing = rules.findIndex(
    (rule) => rule.allow !== undefined && part.raw === undefined && allows(rule.allow, part),
  )
  const rule = rules[allowing]
  if (rule) return { decision: 'allow', reason: reasonOf(rule, allowing, 'allow') }
  return { decision: otherwise, reason: `No rule of the policy allows it (default: ${otherwise}).` }
}

function reasonOf({ reason }: PolicyRule, index: number, decision: PolicyDecision): string {
  const verb = { allow: 'allows', deny: 'forbids', ask: 'asks about' }[decision]
  return reason ?? `Rule ${index + 1} of the policy ${verb} it.`
}

/** Only what certainly fits in every respect is allowed. */
function allows({ kind, path, command, tool }: PolicyMatch, part: Part): boolean {
  if (kind !== undefined && kind !== part.kind) return false
  if (tool !== undefined && !(part.tool !== undefined && fitsText(tool, part.tool))) return false
  if (command !== undefined && !(part.command && fitsText(command, part.command.line))) return false
  if (path === undefined) return true
  const pattern = anchored(path, part.place)
  return part.path?.real.every((one) => fitsPath(pattern, one)) ?? false
}

/** What may fit counts, too. Names are the same in capitals: for some file systems they are. */
function forbids({ kind, path, command, tool }: PolicyMatch, part: Part): Fit {
  return worst([
    kind === undefined ? 'yes' : part.kind === undefined ? 'maybe' : certain(kind === part.kind),
    tool === undefined ? 'yes' : part.tool === undefined ? 'maybe' : certain(fitsText(low(tool), low(part.tool))),
    command === undefined ? 'yes' : forbidsCommand(low(command), part),
    path === undefined ? 'yes' : forbidsPath(path, part),
  ])
}

function worst(fits: readonly Fit[]): Fit {
  return fits.includes('no') ? 'no' : fits.includes('maybe') ? 'maybe' : 'yes'
}

const certain = (fits: boolean): Fit => (fits ? 'yes' : 'no')
const low = (text: string): string => text.toLowerCase()

function forbidsCommand(pattern: string, { command, raw, kind }: Part): Fit {
  if (command) return certain(command.forms.some((form) => fitsText(pattern, low(form))))
  if (raw === undefined || (kind !== 'execute' && kind !== undefined && kind !== 'other')) return 'no'
  return fitsText(pattern, low(raw)) ? 'yes' : 'maybe'
}

function forbidsPath(given: string, part: Part): Fit {
  const { command, path, place, raw, kind, isMoving } = part
  const patterns = patternsOf(given, place).map(low)
  const fitsAny = ({ real, named }: ResolvedPath) =>
    [...real, named].some((one) => patterns.some((pattern) => fitsPath(pattern, low(one))))
  if (raw !== undefined) return 'maybe'
  if (command) {
    const words = command.words.slice(1)
    const named = words.flatMap(({ text }) => [
      text,
      ...(text.includes('=') ? [text.slice(text.indexOf('=') + 1)] : []),
    ])
    if (named.some((text) => text !== '' && fitsAny(place.resolve(text, place.cwd)))) return 'yes'
    const isHidden = words.some(({ text, isDynamic }) => isDynamic || (isMoving === true && !isAnchored(text)))
    return isHidden ? 'maybe' : 'no'
  }
  if (kind !== 'read' && kind !== 'edit') return 'no'
  return path === undefined ? 'maybe' : certain(fitsAny(path))
}

/** A pattern as it is written, and with the links of its beginning followed. */
function patternsOf(given: string, place: PolicyPlace): string[] {
  const pattern = anchored(given, place)
  const parts = pattern.split('/')
  const stars = parts.findIndex((part) => /[*?]/.test(part))
  const fixed = stars === -1 ? parts : parts.slice(0, stars)
  const [real = ''] = place.resolve(fixed.join('/') || '/', place.cwd).real
  return [pattern, [...(real === '/' ? [''] : [real]), ...parts.slice(fixed.length)].join('/')]
}

/** A pattern as an absolute one. */
function anchored(pattern: string, { cwd, home }: PolicyPlace): string {
  if (pattern === '~' || pattern.startsWith('~/')) return home + pattern.slice(1)
  if (pattern.startsWith('/') || /^[A-Za-z]:/.test(pattern)) return pattern
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  const base = cwd === '/' ? [] : cwd.split('/')
  while (parts[0] === '..') {
    parts.shift()
    base.pop()
  }
  return [...base, ...parts].join('/') || '/'
}
