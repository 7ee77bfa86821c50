import { acpTraits } from '../../core/opencode/acp.ts'
import type { AcpProfile } from '../acp/profile.ts'
import { dialect } from './dialect.ts'

export const profile: AcpProfile = acpTraits(dialect)
