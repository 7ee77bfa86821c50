const MARKS = { passed: 'ok', flaky: 'flaky', failed: 'FAILED' }

/** One line a check, one column an agent. */
export function renderMatrix(results) {
  const agents = [...new Map(results.map(({ agent, version }) => [agent, `${agent} ${version}`]))]
  const checks = [...new Set(results.map(({ check }) => check))]
  const cell = (agent, check) => {
    const found = results.find((result) => result.agent === agent && result.check === check)
    return found ? MARKS[found.status] : '–'
  }
  const rows = [
    ['scenario', ...agents.map(([, label]) => label)],
    ...checks.map((check) => [check, ...agents.map(([agent]) => cell(agent, check))]),
  ]
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function summarise(results) {
  const count = (status) => results.filter((result) => result.status === status).length
  const failed = count('failed')
  const text = `${count('passed')} passed, ${count('flaky')} flaky, ${failed} failed`
  return { failed, text }
}
