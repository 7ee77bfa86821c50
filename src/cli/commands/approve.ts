import { decisionCommand } from '../daemon/decide.ts'

export const command = decisionCommand(
  'approve',
  'Lets the agent do what it has asked for: the oldest request first.',
  ['amux approve k3v9', 'amux approve k3v9 --all'],
)
