import type { AcpProfile } from '../families/acp/profile.ts'
import { acpTraits } from '../families/opencode/acp.ts'
import { dialect } from './dialect.ts'

export const profile: AcpProfile = acpTraits(dialect)
