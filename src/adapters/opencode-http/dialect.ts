import type { OpencodeDialect } from '../families/opencode/dialect.ts'
import { opencode } from '../families/opencode/opencode.ts'

export const dialect: OpencodeDialect = { ...opencode, agent: 'opencode-http', displayName: 'OpenCode (HTTP)' }
