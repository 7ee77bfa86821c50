import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CapabilityError } from '../../contract/errors.ts'
import type { Attachment } from '../../contract/run-options.ts'
import { startTinyMcpHttp } from '../../scripted/index.ts'
import { type Bench, type Check, must, mustEnd } from '../check.ts'
import { checkMcp } from './basics.ts'

/** A red square. */
const SQUARE = 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC'
const MARK = 'amux-verify-input-mark'

/** How the protocols say that a part of a message is an image. */
const IMAGE = /data:image\/|"type":"image"|"inlineData":/g

async function checkMcpOn(bench: Bench, transport: 'streamable-http' | 'sse'): Promise<void> {
  const tiny = await startTinyMcpHttp()
  try {
    await checkMcp(bench, { name: 'tiny', transport, url: tiny.urls[transport], headers: { 'x-mark': MARK } })
    const hasMark = tiny.headers.some((headers) => headers['x-mark'] === MARK)
    must(hasMark, 'the server did not get its header')
  } finally {
    tiny.close()
  }
}

/** Not every agent knows that transport; then it says so. */
function mustBeRefusal(error: unknown): void {
  if (!(error instanceof CapabilityError)) throw error
}

export const inputs: readonly Check[] = [
  {
    name: 'attachments',
    title: 'images and files with the prompt',
    scenario: 'text',
    applies: (c) => c.supportsImageInput || c.supportsFileAttachments,
    async run(bench) {
      const { supportsImageInput, supportsFileAttachments } = bench.capabilities
      const [image, note] = [join(bench.cwd, 'square.png'), join(bench.cwd, 'note.txt')]
      writeFileSync(image, Buffer.from(SQUARE, 'base64'))
      writeFileSync(note, `${MARK}\n`)
      const attachments: Attachment[] = []
      if (supportsImageInput) attachments.push({ filePath: image }, { base64: SQUARE, mimeType: 'image/png' })
      if (supportsFileAttachments) attachments.push({ filePath: note })
      const run = await bench.run({ attachments, model: bench.alternativeModel })
      mustEnd(run, 'completed')
      const body = bench.sent().at(-1) ?? ''
      const images = body.match(IMAGE)?.length ?? 0
      if (supportsImageInput) must(images === 2, `${images} images were sent, not 2`)
      if (supportsFileAttachments) must(body.includes(MARK) || body.includes('note.txt'), 'the file was not sent')
    },
  },
  {
    name: 'mcp-http',
    title: 'MCP servers on HTTP',
    scenario: 'mcp',
    applies: (c) => c.supportsMCP,
    run: (bench) => checkMcpOn(bench, 'streamable-http'),
  },
  {
    name: 'mcp-sse',
    title: 'MCP servers on HTTP, the older way',
    scenario: 'mcp',
    applies: (c) => c.supportsMCP,
    run: (bench) => checkMcpOn(bench, 'sse').catch(mustBeRefusal),
  },
  {
    name: 'skills',
    title: 'skills for one run',
    scenario: 'text',
    applies: (c) => c.supportsSkills,
    async run(bench) {
      const skill = join(bench.home, 'skills', 'marked')
      mkdirSync(skill, { recursive: true })
      writeFileSync(join(skill, 'SKILL.md'), `---\nname: marked\ndescription: ${MARK}\n---\nDo as it says.\n`)
      mustEnd(await bench.run({ skills: [skill] }), 'completed')
      must(bench.sent().at(-1)?.includes(MARK) ?? false, 'the skill did not reach the model')
    },
  },
  {
    name: 'agents-doc',
    title: 'instructions for one run',
    scenario: 'text',
    applies: (c) => c.supportsAgentsMd,
    async run(bench) {
      mustEnd(await bench.run({ agentsDoc: `# Rules\n\nAlways say ${MARK}.\n` }), 'completed')
      must(bench.sent().at(-1)?.includes(MARK) ?? false, 'the instructions did not reach the model')
    },
  },
]
