/** Checks in the order of the suite, each with its title. */
export function checkTitles(matrix) {
  return [...new Map(matrix.map(({ check, title }) => [check, title]))]
}

const PROOF = { verified: 'proven', 'partly-verified': 'partly', unverified: 'unverified' }

export function allAgentsTable(manifests, matrix) {
  const rows = manifests.map(({ agent, displayName, cliCommand, verification }) => {
    const results = matrix.filter((result) => result.agent === agent)
    const passed = results.filter(({ status }) => status !== 'failed').length
    const seen = results.length > 0 ? `${passed} checks on ${results[0].version}` : '–'
    return [`[${displayName}](docs/agents/${agent}.md)`, `\`${agent}\``, `\`${cliCommand}\``, PROOF[verification], seen]
  })
  return [['agent', 'name', 'command', 'proof', 'seen to work'], ...rows]
}
