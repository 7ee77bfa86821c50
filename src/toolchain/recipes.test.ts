import { expect, test } from 'vitest'
import { recipes } from '../adapters/recipes.ts'
import { packageName } from './recipes.ts'

test.each([
  ['cline', 'win32', 'arm64', '@cline/cli-windows-arm64'],
  ['kilo', 'darwin', 'arm64', '@kilocode/cli-darwin-arm64'],
  ['grok', 'win32', 'x64', '@xai-official/grok-win32-x64'],
  ['droid', 'linux', 'arm64', '@factory/cli-linux-arm64'],
  ['amp', 'darwin', 'x64', '@ampcode/cli-darwin-x64'],
  ['claude', 'darwin', 'arm64', '@anthropic-ai/claude-code'],
])('the package of %s on %s-%s', (agent, platform, arch, name) => {
  expect(recipes[agent] && packageName(recipes[agent], platform, arch)).toBe(name)
})
