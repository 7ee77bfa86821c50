import type { OpencodeDialect } from './dialect.ts'
import { SHELL_NOISE } from './tools.ts'
import { turnRecord } from './turn-record.ts'

/** What differs from plain ACP in all agents of this family. */
export function acpTraits(dialect: OpencodeDialect) {
  return {
    args: ['acp'],
    toolName: 'title' as const,
    shellNoise: SHELL_NOISE,
    guidance: dialect.guidance,
    turnRecord: turnRecord(dialect),
  }
}
