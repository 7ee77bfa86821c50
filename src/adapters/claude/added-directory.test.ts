import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/client.ts'
import { here } from '../../process/here.ts'
import { writeRunFiles } from '../../process/run-files.ts'
import { buildSpawnArgs as opencodeArgs } from '../opencode/args.ts'
import { manifest as opencode } from '../opencode/manifest.ts'
import { buildSpawnArgs } from './args.ts'

function skill(): { cwd: string; path: string } {
  const cwd = temporaryDirectory()
  mkdirSync(join(cwd, 'marked'))
  writeFileSync(join(cwd, 'marked', 'SKILL.md'), '---\nname: marked\n---\n')
  return { cwd, path: join(cwd, 'marked') }
}

describe('skills and instructions for one run', () => {
  test('are in a directory that is added', () => {
    const { cwd, path } = skill()
    const { args, env, files } = buildSpawnArgs({ prompt: 'x', cwd, skills: ['marked/SKILL.md'], agentsDoc: 'Rules' })
    expect(args).toContain('--add-dir={file:added}')
    expect(env.CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD).toBe('1')
    expect(files).toEqual([
      { name: 'added/.claude/skills/marked', content: '', link: path },
      { name: 'added/CLAUDE.md', content: 'Rules' },
    ])
  })

  test('a skill that is not there is refused, and so is one that the CLI would not read', () => {
    const { cwd, path } = skill()
    expect(() => buildSpawnArgs({ prompt: 'x', cwd, skills: ['other'] })).toThrow(/there is no SKILL.md in/)
    expect(() => buildSpawnArgs({ prompt: 'x', skills: [path], approvalMode: 'deny' })).toThrow(/approvalMode deny/)
    expect(buildSpawnArgs({ prompt: 'x', agentsDoc: 'Rules', approvalMode: 'deny' }).args).toContain(
      '--add-dir={file:added}',
    )
  })

  test('come to OpenCode by its config', () => {
    const { path } = skill()
    const options = { prompt: 'x', skills: [path], agentsDoc: 'Rules', systemPrompt: 'Be brief' }
    const { env, files } = opencodeArgs(options)
    const config = JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '')
    expect(config.skills).toEqual({ paths: [path] })
    expect(config.instructions).toEqual(['{file:AGENTS.md}', '{file:system-prompt.md}'])
    expect(files?.map(({ name }) => name)).toEqual(['AGENTS.md', 'system-prompt.md'])
    expect(opencode.capabilities).toMatchObject({ supportsSkills: true, supportsAgentsMd: true })
  })
})

test('files of a run may be in directories, and link to others', async () => {
  const { path } = skill()
  const written = await writeRunFiles(
    here,
    [
      { name: 'added/skills/marked', content: '', link: path },
      { name: 'added/CLAUDE.md', content: 'Rules' },
    ],
    'test',
  )
  try {
    expect(readFileSync(join(written.fill('{file:added}'), 'skills', 'marked', 'SKILL.md'), 'utf8')).toContain('marked')
    expect(readFileSync(written.fill('{file:added/CLAUDE.md}'), 'utf8')).toBe('Rules')
  } finally {
    await written.remove()
  }
  // The link is removed, not what it leads to.
  expect(existsSync(join(path, 'SKILL.md'))).toBe(true)
})
