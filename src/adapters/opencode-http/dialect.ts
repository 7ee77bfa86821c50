import type { OpencodeDialect } from '../../core/opencode/dialect.ts'
import { opencode } from '../../core/opencode/opencode.ts'

export const dialect: OpencodeDialect = { ...opencode, agent: 'opencode-http', displayName: 'OpenCode (HTTP)' }
