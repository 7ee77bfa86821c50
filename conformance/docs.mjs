// The tables that users see are made from what passed on the real CLIs, never written by hand.
import { allAgentsTable, checkTitles } from './tables.mjs'

const NOTE = '<!-- Made by `npm run docs` from the manifests and conformance/matrix.json: do not edit. -->'

const VERIFICATION = {
  verified: 'proven on the real CLI in CI',
  'partly-verified': 'seen to work on the real CLI, but not yet through the whole suite in CI',
  unverified: '**not verified**: built from documents; `amux verify` on a machine that has it would prove it',
}

/** What works, check by check and agent by agent; then the events, type by type. */
export function renderCapabilities(manifests, matrix, { types, seen }) {
  const proven = manifests.filter(({ agent }) => matrix.some((result) => result.agent === agent))
  const header = ['what', ...proven.map(({ displayName }) => displayName)]
  const versions = ['version', ...proven.map(({ agent }) => matrix.find((result) => result.agent === agent).version)]
  const rows = checkTitles(matrix).map(([check, title]) => [
    title,
    ...proven.map(({ agent }) => mark(matrix, agent, check)),
  ])
  return `${NOTE}
# What works

Every cell was seen on the real CLI, on the scripted model server: \`npm run conformance\`. "–": the agent cannot, or does not
claim to; asking for it is a \`CapabilityError\`.

${markdownTable([header, versions, ...rows])}

${renderUntold(manifests)}

${renderEvents(manifests, types, seen)}
`
}

const FORMS = { unreported: '', unreportedLive: ' (live)', unreportedOneShot: ' (one-shot)' }

/** What happens and no output shows, agent by agent: no event can tell it, and no sum can count it. */
function renderUntold(manifests) {
  const pairs = manifests.flatMap(({ displayName, capabilities }) =>
    Object.entries(FORMS).flatMap(([name, form]) =>
      (capabilities[name] ?? []).map((what) => [what, displayName + form]),
    ),
  )
  const rows = [...new Set(pairs.map(([what]) => what))]
    .toSorted()
    .map((what) => [what, pairs.flatMap(([one, agent]) => (one === what ? [agent] : [])).join(', ')])
  return `## What agents do not show

What the output of an agent gives no sign of; some of it is read from its log or its session instead. "side requests" are what
an agent asks its model beside the conversation, such as for a title: nothing of these agents has what they use, so that they
are paid for, but in no usage or cost.

${markdownTable([['what', 'agents'], ...rows])}`
}

/** An event that no agent gives is only in the contract: a reader must not wait for it. */
function renderEvents(manifests, types, seen) {
  const recorded = manifests.filter(({ agent }) => seen.has(agent))
  const never = types.filter((type) => recorded.every(({ agent }) => !seen.get(agent).has(type)))
  const rows = types
    .filter((type) => !never.includes(type))
    .map((type) => [`\`${type}\``, ...recorded.map(({ agent }) => (seen.get(agent).has(type) ? 'yes' : '–'))])
  return `## Events

Which types of events the recordings of each agent give. "–": never seen from that agent.

${markdownTable([['event', ...recorded.map(({ displayName }) => displayName)], ...rows])}

Never seen in a recording of any agent: ${never.map((type) => `\`${type}\``).join(', ')}. Those about
the run itself, such as \`timeout\` and \`paused\`, come from agent-mux.`
}

/** One page an agent. */
export function renderAgentPage(manifest, matrix) {
  const results = matrix.filter(({ agent }) => agent === manifest.agent)
  const { capabilities, auth } = manifest
  const list = (values) => (values.length > 0 ? values.map((value) => `\`${value}\``).join(', ') : '–')
  const facts = [
    ['agent', `\`${manifest.agent}\``],
    ['command', `\`${manifest.cliCommand}\``],
    ['adapter', VERIFICATION[manifest.verification]],
    ...(manifest.provenVersion ? [['proven on', manifest.provenVersion]] : []),
    ...(manifest.minVersion ? [['oldest version', manifest.minVersion]] : []),
    ['approval modes', list(capabilities.approvalModes)],
    ['thinking effort', list(capabilities.thinkingEffortLevels)],
    ['system prompt', list(capabilities.systemPromptModes ?? [])],
    ['endpoint', list(capabilities.endpointProtocols)],
    ['sessions', capabilities.sessionPersistence],
    ['signing in', list([...auth.envVars.map(({ name }) => name), ...auth.files.map(({ path }) => path)])],
    ['settings', list([...manifest.configSchema.configFilePaths, ...manifest.configSchema.projectConfigFilePaths])],
  ]
  const install = capabilities.installMethods.map(
    ({ command, notes }) => `- \`${command}\`${notes ? `: ${notes}` : ''}`,
  )
  const quirks = (manifest.quirks ?? []).map((quirk) => `- ${quirk}`)
  const checks = results.map(({ title, check, status }) => [
    title,
    `\`${check}\``,
    status === 'failed' ? '**no**' : 'yes',
  ])
  return `${[
    NOTE,
    `# ${manifest.displayName}`,
    markdownTable([['', ''], ...facts]),
    ...(install.length > 0 ? ['## Install', install.join('\n')] : []),
    ...(quirks.length > 0 ? ['## Good to know', quirks.join('\n')] : []),
    ...(checks.length > 0
      ? [`## What was seen to work on ${results[0].version}`, markdownTable([['what', 'check', 'works'], ...checks])]
      : ['## What was seen to work', 'Nothing yet: no run of the real CLI is recorded.']),
  ].join('\n\n')}\n`
}

/** The table between the marks in the README. */
export function renderReadme(readme, manifests, matrix) {
  const [start, end] = ['<!-- agents -->', '<!-- /agents -->']
  const [before, rest] = readme.split(start)
  const after = rest.split(end)[1]
  return `${before}${start}\n${markdownTable(allAgentsTable(manifests, matrix))}\n${end}${after}`
}

function mark(matrix, agent, check) {
  const found = matrix.find((result) => result.agent === agent && result.check === check)
  if (!found) return '–'
  return found.status === 'failed' ? '**no**' : 'yes'
}

function markdownTable([header, ...rows]) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}
