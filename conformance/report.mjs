const MARKS = { passed: 'ok', flaky: 'flaky', failed: 'FAILED' }

const MOST_COLUMNS = 5

const labelOf = ({ agent, version }) => `${agent} ${version}`

/** One line a check, one column a version of an agent; one line a version when there are too many for that. */
export function renderMatrix(results) {
  const labels = [...new Set(results.map(labelOf))]
  if (labels.length > MOST_COLUMNS) return renderTotals(results, labels)
  const checks = [...new Set(results.map(({ check }) => check))]
  const cell = (label, check) => {
    const found = results.find((result) => labelOf(result) === label && result.check === check)
    return found ? MARKS[found.status] : '–'
  }
  const rows = [
    ['scenario', ...labels],
    ...checks.map((check) => [check, ...labels.map((label) => cell(label, check))]),
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

function renderTotals(results, labels) {
  const width = Math.max(...labels.map((label) => label.length))
  return labels
    .map((label) => `${label.padEnd(width)}  ${summarise(results.filter((result) => labelOf(result) === label)).text}`)
    .join('\n')
}

export function summarise(results) {
  const count = (status) => results.filter((result) => result.status === status).length
  const failed = count('failed')
  const text = `${count('passed')} passed, ${count('flaky')} flaky, ${failed} failed`
  return { failed, text }
}
