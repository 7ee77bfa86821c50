import { describe, expect, it } from 'vitest'
import type { AdapterManifest } from '../contract/manifest.ts'
import type { PluginFacts, PluginOffer } from '../contract/plugins.ts'
import { manifest as claudeManifest } from './claude/manifest.ts'
import { plugins as claude } from './claude/plugins.ts'
import { manifest as clineManifest } from './cline/manifest.ts'
import { plugins as cline } from './cline/plugins.ts'
import { manifest as codexManifest } from './codex/manifest.ts'
import { manifest as copilotManifest } from './copilot/manifest.ts'
import { plugins as copilot } from './copilot/plugins.ts'
import { DevinAdapter } from './devin/index.ts'
import { plugins as droid } from './droid/plugins.ts'
import { plugins as gemini } from './gemini/plugins.ts'
import { plugins as omp } from './omp/plugins.ts'
import { plugins as openclaw } from './openclaw/plugins.ts'
import { plugins as opencode } from './opencode/plugins.ts'
import { plugins as pi } from './pi/plugins.ts'
import { PluginCommands } from './plugin-commands.ts'
import { plugins as qwen } from './qwen/plugins.ts'

/** A CLI that keeps what it is given in a list; every command that it got is noted. */
function commands(manifest: AdapterManifest, listed: PluginFacts[][]) {
  const ran: string[][] = []
  const read = () => listed.shift() ?? []
  const plugins = new PluginCommands(manifest, { installed: read }, async ({ args, read: answer }) => {
    ran.push([...args])
    const value = answer('', '')
    if (value === null) throw new Error('no answer')
    return value
  })
  return { plugins, ran }
}

describe('what the list of a CLI reports', () => {
  it('of droid, in two groups', () => {
    const text =
      'Installed plugins:\nActive:\n  hello@market  [user]  mwioo06\nDisabled:\n  bye@market  [project]  a1\n'
    expect(droid.installed?.(text, '')).toEqual([
      { pluginId: 'hello@market', version: 'mwioo06', enabled: true },
      { pluginId: 'bye@market', version: 'a1', enabled: false },
    ])
    expect(droid.installed?.('No plugins installed.\n', '')).toEqual([])
  })

  it('of pi, by source or by folder', () => {
    expect(
      pi.installed?.('User packages:\n  ../../pip\n    /home/user/pip\n  npm:@a/b@1.0.0\n    /home/user/x\n', ''),
    ).toEqual([
      { pluginId: '/home/user/pip', name: 'pip', format: 'extension-ts' },
      { pluginId: 'npm:@a/b@1.0.0', name: '@a/b@1.0.0', format: 'npm-package' },
    ])
    expect(pi.installed?.('No packages installed.\n', '')).toEqual([])
  })

  it('of qwen, a paragraph each', () => {
    const text = '✓ one (1.0.0)\n Description: first\n Enabled (User): true\n✗ two (2.0)\n Enabled (User): false\n'
    expect(qwen.installed?.(text, '')).toEqual([
      { pluginId: 'one', version: '1.0.0', description: 'first', enabled: true },
      { pluginId: 'two', version: '2.0', description: undefined, enabled: false },
    ])
    expect(qwen.installed?.('No extensions installed.\n', '')).toEqual([])
  })

  it('without what the CLI brings along', () => {
    const own = { id: 'a', name: 'A', version: '1', origin: 'global', enabled: true }
    expect(openclaw.installed?.(JSON.stringify({ plugins: [own, { ...own, origin: 'bundled' }] }), '')).toHaveLength(1)
    const live = { name: 'hello', marketplace: 'm', version: '1', enabled: false, source: 'live' }
    const reported = [live, { ...live, enabled: true }, { ...live, source: 'builtin', enabled: true }]
    expect(copilot.installed?.(JSON.stringify(reported), '')).toEqual([
      { pluginId: 'hello@m', name: 'hello', version: '1', enabled: true },
    ])
    expect(claude.installed?.('not JSON', '')).toEqual([])
  })

  it('of gemini, on stderr and after warnings', () => {
    const reported = JSON.stringify([{ name: 'hello', version: '1.0.0', isActive: true }], null, 2)
    expect(gemini.installed?.('', `A warning [x]\n${reported}\n`)).toMatchObject([
      { pluginId: 'hello', version: '1.0.0', enabled: true },
    ])
    expect(gemini.installed?.('', '[]\n')).toEqual([])
  })
})

describe('what the search command of a CLI reports', () => {
  it('of claude, codex and qoder beside what is installed', () => {
    const offer = { pluginId: 'hello@m', name: 'hello', description: 'Says hello', marketplaceName: 'm', version: '1' }
    expect(claude.available?.(JSON.stringify({ installed: [], available: [offer, {}] }))).toEqual([
      { pluginId: 'hello@m', name: 'hello', latestVersion: '1', description: 'Says hello', registry: 'm' },
    ])
  })

  it('of omp, as text, for each marketplace', () => {
    const list = 'Configured Marketplaces:\n\n  m  /home/user/m\n  other  https://example.com/x\n'
    expect(omp.marketplaces?.read(list, '')).toEqual(['m', 'other'])
    const text = 'Available Plugins (m):\n\n  hello@1.0.0\n    Says hello\n  bye@2.0\n'
    expect(omp.available?.(text, 'm')).toMatchObject([
      { pluginId: 'hello@m', latestVersion: '1.0.0', description: 'Says hello' },
      { pluginId: 'bye@m', latestVersion: '2.0' },
    ])
  })

  it('of opencode, whose configuration names those that were added', () => {
    const origins = [{ spec: 'file:///home/user/hello' }, { spec: '@a/b@1.2.3' }, { spec: '@a/c' }]
    const reported = JSON.stringify({ plugin: ['bundled'], plugin_origins: origins })
    expect(opencode.installed?.(reported, '')).toEqual([
      { pluginId: 'file:///home/user/hello', version: '', name: 'hello' },
      { pluginId: '@a/b@1.2.3', version: '1.2.3' },
      { pluginId: '@a/c', version: '' },
    ])
  })
})

describe('the subcommands for plugins', () => {
  it('finds by all words, in every marketplace that can be read', async () => {
    const offers: Record<string, PluginOffer[]> = {
      one: [{ pluginId: 'format@one', description: 'Tidy code' }, { pluginId: 'lint@one' }],
    }
    const plugins = new PluginCommands(
      copilotManifest,
      {
        available: (_stdout, marketplace = '') => offers[marketplace] ?? [],
        marketplaces: { args: ['names'], read: () => ['one', 'far'] },
      },
      async ({ args, read }) => {
        const value = args.includes('far') ? null : read('', '')
        if (value === null) throw new Error('no network')
        return value
      },
    )
    expect((await plugins.search('')).map(({ pluginId }) => pluginId)).toEqual(['format@one', 'lint@one'])
    expect(await plugins.search('TIDY format')).toMatchObject([{ pluginId: 'format@one', agents: ['copilot'] }])
    delete offers.one
    expect(await plugins.search('')).toEqual([])
  })

  it('believes the install command where none lists', async () => {
    const reported = JSON.stringify({ installPath: '/home/user/.cline/plugins/_installed/local/hello-cae5de9b7dad' })
    const plugins = new PluginCommands(clineManifest, cline, async ({ read }) => {
      const value = read(reported, '')
      if (value === null) throw new Error('no answer')
      return value
    })
    expect(await plugins.install('./hello')).toMatchObject({ name: 'hello', agent: 'cline', format: 'extension-ts' })
    await expect(plugins.list()).rejects.toMatchObject({ code: 'CAPABILITY_ERROR' })
  })

  it('installs with the flags of the manifest, and gives back what is new', async () => {
    const other = { pluginId: 'other@m', version: '2' }
    const { plugins, ran } = commands(claudeManifest, [[other], [other, { pluginId: 'hello@m', version: '1' }]])
    const installed = await plugins.install('hello@m', { global: true, skipVerify: true })
    expect(installed).toMatchObject({ pluginId: 'hello@m', name: 'hello', agent: 'claude', version: '1' })
    expect(ran[1]).toEqual(['plugin', 'install', '--scope=user', '--yes', 'hello@m'])
  })

  it('a plugin that the CLI does not list was not installed', async () => {
    await expect(commands(claudeManifest, []).plugins.install('hello')).rejects.toMatchObject({ code: 'PLUGIN_ERROR' })
  })

  it('refuses what the CLI has no words for', async () => {
    const { plugins, ran } = commands(codexManifest, [])
    const refused = { code: 'CAPABILITY_ERROR' }
    await expect(plugins.update('hello')).rejects.toMatchObject(refused)
    await expect(plugins.install('hello', { global: false })).rejects.toMatchObject(refused)
    await expect(plugins.install('hello', { version: '1' })).rejects.toMatchObject(refused)
    expect(ran).toEqual([])
    await expect(new DevinAdapter().listPlugins()).rejects.toMatchObject(refused)
  })

  it('takes no flag for a name', async () => {
    const { plugins } = commands(claudeManifest, [])
    await expect(plugins.uninstall('--all')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })
})
