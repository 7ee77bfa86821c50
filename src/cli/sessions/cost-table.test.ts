import { expect, test } from 'vitest'
import type { CostFigures, CostGroup, CostSummary } from '../../contract/session-manager.ts'
import { plain } from '../output.ts'
import { own, unmarked } from '../terminal-text.ts'
import { displayWidth } from '../text.ts'
import { costTable } from './cost-table.ts'

const figures = (more: Partial<CostFigures>): CostFigures => ({
  ...{ totalUsd: 12.345, source: 'reported', inputTokens: 1_234_567, outputTokens: 23_456, thinkingTokens: 0 },
  ...{ cacheReadTokens: 1_000_000, cacheCreationTokens: 34_567, unpricedTokens: 0, sessionCount: 3 },
  ...more,
})

const DAYS = {
  '2026-11-16': figures({ models: ['claude-opus-5-5', 'gpt-5.5-codex'] }),
  '2026-11-15': figures({ models: ['qwen3-coder'], source: 'estimated', totalUsd: 0.0123, unpricedTokens: 12 }),
  '2026-11-17': figures({ models: ['local'], totalUsd: null, source: 'unpriced', unpricedTokens: 1_258_023 }),
}
const summary = (breakdowns: Record<string, CostFigures>): CostSummary => ({
  ...figures({ source: 'estimated', unpricedTokens: 1_258_035 }),
  ...{ runCount: 1, unpricedModels: ['local'], breakdowns },
})
const shown = (width: number, groupBy: CostGroup = 'day', groups: Record<string, CostFigures> = DAYS) =>
  costTable(summary(groups), { groupBy, width, paint: plain })

test('wide: every kind of token, written out and right-aligned, oldest first, and a total', () => {
  expect(`\n${shown(160)}`).toMatchInlineSnapshot(`
    "
    DATE        MODELS                            INPUT  OUTPUT  CACHE WRITE  CACHE READ      TOTAL       COST
    ──────────────────────────────────────────────────────────────────────────────────────────────────────────
    2026-11-15  qwen3-coder                     200,000  23,456       34,567   1,000,000  1,258,023  >~$0.0123
    2026-11-16  claude-opus-5-5, gpt-5.5-codex  200,000  23,456       34,567   1,000,000  1,258,023     $12.35
    2026-11-17  local                           200,000  23,456       34,567   1,000,000  1,258,023   unpriced
    ──────────────────────────────────────────────────────────────────────────────────────────────────────────
    Total                                       200,000  23,456       34,567   1,000,000  1,258,023   >~$12.35

    ~  estimated by list prices
    >  at least: a part has no price
    Unpriced: 1.3M tokens of local.
    \`amux models --help\` says how to set prices."
  `)
})

test('colours do not count as columns', () => {
  const painted = costTable(summary(DAYS), {
    groupBy: 'day',
    width: 80,
    paint: (_style, text) => own('\x1b[1m') + text,
  })
  expect(unmarked(painted)).toBe(shown(80))
})

test('40 columns: what it says below is wrapped between words', () => {
  for (const line of shown(40).split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(40)
  expect(shown(40)).toContain('\n`amux models --help` says how to set\n   prices.')
})

test('80 columns: the same in short', () => {
  expect(`\n${shown(80)}`).toMatchInlineSnapshot(`
    "
    DATE         INPUT  OUTPUT  CACHE WRITE  CACHE READ  TOTAL       COST
    ─────────────────────────────────────────────────────────────────────
    2026-11-15  200.0k   23.5k        34.6k        1.0M   1.3M  >~$0.0123
    2026-11-16  200.0k   23.5k        34.6k        1.0M   1.3M     $12.35
    2026-11-17  200.0k   23.5k        34.6k        1.0M   1.3M   unpriced
    ─────────────────────────────────────────────────────────────────────
    Total       200.0k   23.5k        34.6k        1.0M   1.3M   >~$12.35

    ~  estimated by list prices
    >  at least: a part has no price
    Unpriced: 1.3M tokens of local.
    \`amux models --help\` says how to set prices."
  `)
})

test('40 columns: what it took and what it cost', () => {
  expect(`\n${shown(40)}`).toMatchInlineSnapshot(`
    "
    DATE        TOKENS       COST
    ─────────────────────────────
    2026-11-15    1.3M  >~$0.0123
    2026-11-16    1.3M     $12.35
    2026-11-17    1.3M   unpriced
    ─────────────────────────────
    Total         1.3M   >~$12.35

    ~  estimated by list prices
    >  at least: a part has no price
    Unpriced: 1.3M tokens of local.
    \`amux models --help\` says how to set
       prices."
  `)
})

test.each([40, 60, 80, 160])('no line is wider than %i columns, and an id stays whole', (width) => {
  const id = 'opencode:ses_e13d72dadffeEapX1SgBdxE5Wy'
  const text = shown(width, 'session', { [id]: figures({ models: ['a-model-with-a-long-name'.repeat(5)] }) })
  expect(text).toContain('opencode:ses_e13d ')
  for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(width, 44))
})

test('not a terminal: nothing is cut', () => {
  const models = ['one-model', 'another-model'].map((name) => name.repeat(20))
  expect(shown(Number.POSITIVE_INFINITY, 'day', { '2026-11-16': figures({ models }) })).toContain(models.join(', '))
})
